// Bleve beside the library of documents, as it comes: bleve index INDEX CORPUS | bleve query INDEX FOLDER ROUNDS
//
// Indexing reads {"id", "title", "text"} a line, with bleve's English analyser and its defaults for text (stored, with term vectors and doc values),
// in safe batches of 500. Queries are read from phrase.jsonl, all.jsonl and any.jsonl; printed are "tier round number microseconds hits" a
// query, the ten best documents with their ids.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/search/query"
)

const batchSize = 500

type line struct {
	ID    string `json:"id"`
	Query string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func main() {
	err := fmt.Errorf("usage: bleve index INDEX CORPUS | bleve query INDEX FOLDER ROUNDS")
	switch {
	case len(os.Args) == 4 && os.Args[1] == "index":
		err = index(os.Args[2], os.Args[3])
	case len(os.Args) == 5 && os.Args[1] == "query":
		err = ask(os.Args[2], os.Args[3], os.Args[4])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bleve:", err)
		os.Exit(1)
	}
}

// read hands over each line of a file.
func read(path string, each func(*line) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	for {
		var l line
		if err := d.Decode(&l); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := each(&l); err != nil {
			return err
		}
	}
}

func index(dir, corpus string) error {
	text := bleve.NewTextFieldMapping()
	text.Analyzer = en.AnalyzerName
	text.IncludeInAll = false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("title", text)
	doc.AddFieldMappingsAt("text", text)
	m := bleve.NewIndexMapping()
	m.DefaultMapping = doc
	m.DefaultAnalyzer = en.AnalyzerName
	ix, err := bleve.NewUsing(dir, m, scorch.Name, scorch.Name, nil)
	if err != nil {
		return err
	}
	b := ix.NewBatch()
	err = read(corpus, func(l *line) error {
		if err := b.Index(l.ID, map[string]any{"title": l.Title, "text": l.Text}); err != nil {
			return err
		}
		if b.Size() < batchSize {
			return nil
		}
		err := ix.Batch(b)
		b.Reset()
		return err
	})
	if err == nil {
		err = ix.Batch(b)
	}
	if cerr := ix.Close(); err == nil {
		err = cerr
	}
	return err
}

func ask(dir, folder, count string) error {
	rounds, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	ix, err := bleve.Open(dir)
	if err != nil {
		return err
	}
	defer ix.Close()
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for _, tier := range []string{"phrase", "all", "any"} {
		var texts []string
		if err := read(filepath.Join(folder, tier+".jsonl"), func(l *line) error { texts = append(texts, l.Text); return nil }); err != nil {
			return err
		}
		for round := range rounds + 1 {
			for i, text := range texts {
				began := time.Now()
				var q query.Query
				if tier == "phrase" {
					p := bleve.NewMatchPhraseQuery(text)
					p.SetField("text")
					q = p
				} else {
					m := bleve.NewMatchQuery(text)
					m.SetField("text")
					if tier == "all" {
						m.SetOperator(query.MatchQueryOperatorAnd)
					}
					q = m
				}
				res, err := ix.Search(bleve.NewSearchRequestOptions(q, 10, 0, false))
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "%s %d %d %.1f %d\n", tier, round, i, float64(time.Since(began).Nanoseconds())/1e3, res.Total)
			}
		}
	}
	return nil
}
