package docsearch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// scopes remembers what the filters of the last searches came to: an agent asks much of one collection.
type scopes struct {
	mu         sync.Mutex // guards what follows
	generation uint64
	known      map[string]*catalog.Scope // by the filters
}

const maxScopes = 8

// scopeOf resolves the options that are about documents.
func (l *Library) scopeOf(ctx context.Context, c *catalog.Catalog, o *SearchOptions) (*catalog.Scope, error) {
	if o.Doc != "" {
		e := c.Get(o.Doc)
		if e == nil {
			var err error
			if e, err = l.docs.Resolve(ctx, o.Doc); err != nil {
				return nil, public(err)
			}
		}
		return c.Pick([]*catalog.Entry{e}, o.filter()), nil
	}
	if o.Docs != nil {
		es := make([]*catalog.Entry, 0, len(o.Docs))
		for _, id := range o.Docs {
			if e := c.Get(id); e != nil {
				es = append(es, e)
			}
		}
		return c.Pick(es, o.filter()), nil
	}
	if !o.filter().IsSet() {
		return &catalog.Scope{Ready: c.Ready, Failed: c.Failed}, nil
	}
	data, err := json.Marshal([]any{o.Title, o.Author, o.From, o.To, o.Formats, o.Collections})
	if err != nil {
		return nil, err
	}
	key := string(data)
	l.scopes.mu.Lock()
	defer l.scopes.mu.Unlock()
	if l.scopes.generation != c.Generation || len(l.scopes.known) >= maxScopes {
		l.scopes.generation, l.scopes.known = c.Generation, nil
	}
	if s := l.scopes.known[key]; s != nil {
		return s, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := c.Pick(c.ByName(), o.filter())
	if l.scopes.known == nil {
		l.scopes.known = map[string]*catalog.Scope{}
	}
	l.scopes.known[key] = s
	return s, nil
}

const (
	maxSectionDocs = 5_000 // documents that one search asks for a section: each costs the reading of its layout
	sectionRecords = 1_000 // passages of a document that are looked at for those in a section
)

// sectionOf returns the byte ranges of the sections of a document that [SearchOptions.Section] names; none when it has none, or when too many
// documents were asked.
func (s *search) sectionOf(ctx context.Context, e *catalog.Entry) ([][2]int, error) {
	if r, ok := s.ranges[e.ID]; ok {
		return r, nil
	}
	if len(s.ranges) >= maxSectionDocs {
		if !s.asked {
			s.asked = true
			s.res.Read.Notes = append(s.res.Read.Notes, fmt.Sprintf("only the first %d documents that match were asked for the section: name documents as well", maxSectionDocs))
		}
		return nil, nil
	}
	lay, err := s.l.texts.Layout(ctx, e)
	if err != nil {
		return nil, err
	}
	var out [][2]int
	for _, i := range rawtext.SectionsCalled(lay.Sections, s.opt.Section) {
		lines := lay.Sections[i].Lines
		from, err := s.l.texts.LineStart(ctx, e, lay, lines.First)
		if err != nil {
			return nil, err
		}
		to := lay.Size
		if lines.Last > 0 && lines.Last < int(e.Lines) {
			if to, err = s.l.texts.LineStart(ctx, e, lay, lines.Last+1); err != nil {
				return nil, err
			}
		}
		out = append(out, [2]int{from, to})
	}
	s.ranges[e.ID] = out
	return out, nil
}

// inSection keeps the records that match within the section alone.
func (s *search) inSection(ctx context.Context, e *catalog.Entry, tier Tier, vi int, hits []driver.RecordHit) ([]driver.RecordHit, error) {
	ranges, err := s.sectionOf(ctx, e)
	if err != nil || len(ranges) == 0 {
		return nil, err
	}
	var kept []driver.RecordHit
	for _, h := range hits {
		if len(kept) == s.opt.Passages {
			break
		}
		recs, err := s.l.store.Records(ctx, e.ID, driver.KindChunk, []int{h.N})
		if err != nil {
			return nil, err
		}
		rec, v := recs[0], &s.plan.variants[vi]
		for _, r := range ranges {
			from, to := max(r[0]-rec.Start, 0), min(r[1]-rec.Start, len(rec.Text))
			if from >= to {
				continue
			}
			txt := rec.Text[from:to]
			if s.plan.holds(txt, v) && len(matchText(match.Tokens(txt), v, tier)) > 0 {
				kept = append(kept, h)
				break
			}
		}
	}
	return kept, nil
}

// holds reports whether a text has all phrases that are required and none that is left out.
func (p *plan) holds(txt string, v *variant) bool {
	missing := func(c driver.Clause) bool { return driver.PhraseCount(txt, c) == 0 }
	return !slices.ContainsFunc(p.require, missing) && !slices.ContainsFunc(v.require, missing) &&
		!slices.ContainsFunc(p.exclude, func(c driver.Clause) bool { return !missing(c) })
}

// clip keeps the places, of a text that begins at start, that lie in the section asked for.
func (s *search) clip(doc string, spans []match.Span, start int) []match.Span {
	if s.opt.Section == "" {
		return spans
	}
	return slices.DeleteFunc(spans, func(sp match.Span) bool {
		return !slices.ContainsFunc(s.ranges[doc], func(r [2]int) bool { return start+sp.Start >= r[0] && start+sp.End <= r[1] })
	})
}
