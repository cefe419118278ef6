package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
)

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
