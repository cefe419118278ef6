package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

const (
	maxSectionDocs = 5_000 // documents that one search asks for a section: each costs the reading of its layout
	sectionRecords = 1_000 // passages of a document that are looked at for those in a section
)

// sections are the parts of documents that a search is limited to, by number or heading.
type sections struct {
	texts  *rawtext.Reader
	name   string              // "": there is no limit
	ranges map[string][][2]int // of documents that were asked, by id: bytes of the raw text; nil when it has none
	notes  []string
}

// of returns the byte ranges of the sections of a document; none when it has none of that name, or when too many
// documents were asked.
func (s *sections) of(ctx context.Context, e *catalog.Entry) ([][2]int, error) {
	if r, ok := s.ranges[e.ID]; ok {
		return r, nil
	}
	if len(s.ranges) >= maxSectionDocs {
		if s.notes == nil {
			s.notes = append(s.notes, fmt.Sprintf("only the first %d documents that match were asked for the section: name documents as well", maxSectionDocs))
		}
		return nil, nil
	}
	lay, err := s.texts.Layout(ctx, e)
	if err != nil {
		return nil, err
	}
	var out [][2]int
	for _, i := range rawtext.SectionsCalled(lay.Sections, s.name) {
		lines := lay.Sections[i].Lines
		from, err := s.texts.LineStart(ctx, e, lay, lines.First)
		if err != nil {
			return nil, err
		}
		to := lay.Size
		if lines.Last > 0 && lines.Last < int(e.Lines) {
			if to, err = s.texts.LineStart(ctx, e, lay, lines.Last+1); err != nil {
				return nil, err
			}
		}
		out = append(out, [2]int{from, to})
	}
	s.ranges[e.ID] = out
	return out, nil
}

// keep keeps the records that match within the section alone.
func (s *sections) keep(ctx context.Context, store driver.Store, plan *query.Plan, e *catalog.Entry, tier query.Tier, vi int, hits []driver.RecordHit, most int) ([]driver.RecordHit, error) {
	ranges, err := s.of(ctx, e)
	if err != nil || len(ranges) == 0 {
		return nil, err
	}
	var kept []driver.RecordHit
	for _, h := range hits {
		if len(kept) == most {
			break
		}
		recs, err := store.Records(ctx, e.ID, driver.KindChunk, []int{h.N})
		if err != nil {
			return nil, err
		}
		rec, v := recs[0], &plan.Variants[vi]
		for _, r := range ranges {
			from, to := max(r[0]-rec.Start, 0), min(r[1]-rec.Start, len(rec.Text))
			if from >= to {
				continue
			}
			txt := rec.Text[from:to]
			if plan.Holds(txt, v) && len(query.MatchText(match.Tokens(txt), v, tier)) > 0 {
				kept = append(kept, h)
				break
			}
		}
	}
	return kept, nil
}

// clip keeps the places, of a text that begins at start, that lie in the section asked for.
func (s *sections) clip(doc string, spans []match.Span, start int) []match.Span {
	if s.name == "" {
		return spans
	}
	return slices.DeleteFunc(spans, func(sp match.Span) bool {
		return !slices.ContainsFunc(s.ranges[doc], func(r [2]int) bool { return start+sp.Start >= r[0] && start+sp.End <= r[1] })
	})
}
