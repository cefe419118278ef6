package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/findspot/internal/usage"
)

// docKinds is what of a document can be searched.
var docKinds = []string{"text", "titles", "figures", "tables"}

func docsSearch(a *app) *cobra.Command {
	o := &docsearch.SearchOptions{}
	var tiers []string
	var glossary string
	var why bool
	b := &batch{con: &a.console}
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search the documents: exact phrase, then all words, then any word",
		Long: `Search the documents: exact phrase, then all words, then any word; a lower tier fills the places that a higher one
leaves. A question in a complete sentence is answered by the pieces that fit it best instead, unless --tiers or --mode
words asks for the tiers.

Words in quotes ("cell search", quoted for the shell too) must appear as a phrase in every passage. A minus before a
word or a quoted phrase excludes the passages that contain it; put -- before a query that begins with a minus.

With --queries, the queries are read from a file, one {"_id": "1", "text": "..."} per line ("id" also works), and the
documents found are written to the file of --run in the TREC format: query, Q0, document id, rank, score, tag. Scores
decrease with the rank. Such queries are prose: quotes and minus signs have no meaning without --operators.`,
		Example: "  findspot docs search \"primary synchronization signal\" --limit 3\n  findspot docs search \"SSB burst\" --in 38.331 --json\n" +
			"  findspot docs search '\"cell search\" -uplink' --author Lovelace --from 2021\n" +
			"  findspot docs search --queries queries.jsonl --limit 100 --run run.txt",
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case b.queries == "" && b.run != "":
				return usagef("--run needs --queries: %s", c.UseLine())
			case b.queries == "":
				return atLeast(1)(c, args)
			case b.run == "" || len(args) > 0 || o.Cursor != "" || a.json:
				return usagef("--queries reads the queries from a file and needs --run; it cannot be combined with a query, --cursor or --json")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			for _, t := range tiers {
				o.Tiers = append(o.Tiers, docsearch.Tier(t))
			}
			if err := cmp.Or(oneOf("tiers", o.Tiers, append(docsearch.Tiers(), docsearch.TierSemantic)...), oneOf("kind", o.Kinds, docKinds...)); err != nil {
				return err
			}
			if glossary != "" {
				g, err := docsearch.OpenGlossary(a.env.Path(glossary))
				if err != nil {
					return err
				}
				o.Glossary = g
			}
			ws, err := a.openIndex(c.Context())
			if err != nil {
				return err
			}
			if b.queries != "" {
				o.Literal = o.Literal || !b.operators
				if !c.Flags().Changed("passages") {
					o.Passages = 1 // no passage is shown
				}
				return b.do(c.Context(), ws, o)
			}
			query := strings.Join(args, " ")
			o.Answering(query)
			res, err := ws.SearchDocs(c.Context(), query, o)
			p := newPrinter(a.stdout)
			if err = show(&a.console, res, err, func(res *docsearch.Results) error {
				if why {
					if err := res.WriteRelated(p.w); err != nil {
						return err
					}
				}
				return p.hits(res)
			}); err != nil {
				return err
			}
			return found(nil, len(res.Hits))
		},
	}
	f := c.Flags()
	f.StringVar(&o.Doc, "in", "", "only this document: its id, name, or a unique part of its name or title")
	f.StringVar((*string)(&o.Mode), "mode", "", "what to compare: words, vectors, hybrid or question (default question for a sentence, else hybrid with --embed-model and words without)")
	f.IntVar(&o.Limit, "limit", 10, "maximum number of documents")
	f.IntVar(&o.Passages, "passages", 3, "maximum number of passages per document")
	f.StringSliceVar(&tiers, "tiers", nil, "only these tiers: phrase, all, any")
	f.BoolVar(&o.Strict, "strict", false, "try a lower tier only if the higher ones found nothing")
	f.BoolVar(&o.Literal, "literal", false, "treat the query as plain words: quotes and minus signs have no effect")
	f.StringVar(&o.Title, "title", "", "only documents whose title contains all of these words")
	f.StringVar(&o.Author, "author", "", "only documents by this author")
	f.StringVar(&o.From, "from", "", "only documents of this date or later: 2021, 2021-05 or 2021-05-03")
	f.StringVar(&o.To, "to", "", "only documents of this date or earlier")
	f.StringSliceVar(&o.Formats, "format", nil, "only documents with this file extension, such as pdf (repeatable)")
	f.StringSliceVar(&o.Collections, "collection", nil, "only documents in this collection (repeatable)")
	f.StringVar(&o.Section, "section", "", "only passages in the section with this number or heading")
	f.StringSliceVar(&o.Kinds, "kind", nil, "what to search: text, titles, figures, tables (repeatable)")
	f.BoolVar(&o.Related, "related", false, "also search for words that go with those of the query (default for three plain words or more)")
	f.BoolVar(&why, "why", false, "list the words that go with those of the query and were also searched")
	f.StringVar(&glossary, "glossary", "", "file of synonyms, one per line: PSS = primary synchronization signal")
	f.StringVar(&o.Cursor, "cursor", "", "cursor that an earlier search printed, to continue after its documents")
	f.StringVar(&b.queries, "queries", "", "file of queries, one JSON object per line")
	f.BoolVar(&b.operators, "operators", false, "with --queries: quotes and minus signs mean what they do in a query")
	f.StringVar(&b.run, "run", "", "file to write the results of --queries to")
	usage.Rare(f, "related", "literal", "strict", "operators", "tiers", "cursor", "kind", "section")
	return c
}

// stale names the documents whose files are others than those searched.
func (p *printer) stale(res *docsearch.Results) {
	for _, x := range []struct {
		state docsearch.SourceState
		what  string
	}{{docsearch.SourceChanged, "changed since (docs add brings them up to date)"}, {docsearch.SourceGone, "are gone"}} {
		var names []string
		for _, h := range res.Hits {
			if h.Source == x.state {
				names = append(names, clean(h.Name))
			}
		}
		if n := len(names); n > 5 {
			names = append(names[:5], fmt.Sprintf("and %d more", n-5))
		}
		if len(names) > 0 {
			p.printf("Files that %s: %s\n", x.what, strings.Join(names, ", "))
		}
	}
}

func (p *printer) hits(res *docsearch.Results) error {
	if err := res.WriteText(p.w, p.open, p.close); err != nil {
		return err
	}
	p.stale(res)
	if res.Next != "" {
		p.printf("More: --cursor %s\n", res.Next)
	}
	return nil
}

// batch searches for the queries of a file.
type batch struct {
	con     *console
	queries string
	run     string
	// operators reads quotes and minus signs: a topic of a test collection is prose, whose quotes mean no phrase that must be there.
	operators bool
}

const (
	maxQueryLine = 64 << 10 // bytes
	runTag       = "findspot"
)

// query is a line of a file of queries.
type query struct {
	id, text string
}

// UnmarshalJSON takes "_id" or "id", a string or a number.
func (q *query) UnmarshalJSON(data []byte) error {
	var v struct {
		ID    json.RawMessage `json:"id"`
		Other json.RawMessage `json:"_id"`
		Text  *string         `json:"text"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	raw := v.Other
	if raw == nil {
		raw = v.ID
	}
	switch {
	case raw == nil:
		return errors.New(`no "_id" and no "id"`)
	case v.Text == nil:
		return errors.New(`no "text"`)
	case raw[0] == '"':
		if err := json.Unmarshal(raw, &q.id); err != nil {
			return err
		}
	default:
		q.id = string(raw)
	}
	q.text = *v.Text
	if q.id == "" || strings.ContainsFunc(q.id, unicode.IsSpace) || strings.ContainsAny(q.id, "{}[]") {
		return fmt.Errorf("id %q: must be one word or number, because blanks separate the columns of a run", q.id)
	}
	return nil
}

// do reads query by query, so that a file of any size can be searched for.
func (b *batch) do(ctx context.Context, ws *findspot.Workspace, o *docsearch.SearchOptions) (err error) {
	in, err := b.con.env.OpenFile(b.queries)
	if err != nil {
		return err
	}
	defer in.Close() // read only
	var total int64
	if info, err := in.Stat(); err == nil {
		total = info.Size()
	}
	f, err := b.con.env.Create(b.run)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	defer func() {
		b.con.endProgress()
		if err = errors.Join(err, out.Flush(), f.Close()); err != nil {
			err = fmt.Errorf("%w; what was found so far is in %s", err, b.run)
		}
	}()
	lines := bufio.NewReaderSize(in, maxQueryLine)
	var read int64
	n, searched, found := 0, 0, 0
	for {
		line, rerr := lines.ReadSlice('\n')
		n++
		read += int64(len(line))
		switch {
		case errors.Is(rerr, bufio.ErrBufferFull):
			return fmt.Errorf("%s:%d: the line is longer than %d bytes", b.queries, n, maxQueryLine)
		case rerr != nil && !errors.Is(rerr, io.EOF):
			return fmt.Errorf("%s:%d: %w", b.queries, n, rerr)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var q query
			if err := json.Unmarshal(line, &q); err != nil {
				return fmt.Errorf("%s:%d: a line is {\"_id\": ..., \"text\": ...}: %w", b.queries, n, err)
			}
			res, err := ws.SearchDocs(ctx, q.text, o)
			if err != nil {
				return fmt.Errorf("%s:%d: query %s: %w", b.queries, n, q.id, err)
			}
			if err := writeRun(out, q.id, res); err != nil {
				return fmt.Errorf("%s: %w", b.run, err)
			}
			searched++
			found += len(res.Hits)
			b.showQueries(q.id, read, total)
		}
		if rerr != nil {
			break
		}
	}
	b.con.endProgress()
	fmt.Fprintf(b.con.stderr, "findspot: %s, %s found; written to %s\n", count(searched, "query", "queries"), count(found, "document", "documents"), b.run)
	return nil
}

// writeRun writes one answer. Scores are those of the documents, raised by tier and kept falling, since whoever reads a run orders by them: a document
// of a stricter tier, or one that the query names, comes before a better score.
func writeRun(w io.Writer, id string, res *docsearch.Results) error {
	raise := map[docsearch.Tier]float64{docsearch.TierPhrase: 2000, docsearch.TierAll: 1000}
	last := 0.0
	for i, h := range res.Hits {
		if strings.ContainsFunc(h.Doc, unicode.IsSpace) {
			return fmt.Errorf("document id %q: contains a blank, but blanks separate the columns of a run", h.Doc)
		}
		score := raise[h.Tier] + h.Score
		if i > 0 {
			score = min(score, last-1e-6) // what is written has six places
		}
		last = score
		if _, err := fmt.Fprintf(w, "%s Q0 %s %d %.6f %s\n", id, h.Doc, i+1, score, runTag); err != nil {
			return err
		}
	}
	return nil
}

// showQueries shows how far a file of queries has been searched for, in bytes of it.
func (b *batch) showQueries(id string, done, total int64) {
	if b.con.bar == nil {
		b.con.bar = newBar(b.con.stderr)
	}
	b.con.bar.show(findspot.Progress{Room: "docs", Name: "query " + id, Done: int(done), Total: int(total)})
}
