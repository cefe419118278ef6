package elasticstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// maxFindings bounds what Check reports.
const maxFindings = 100

// Check implements [driver.Checker]. Unless the library is read-only it first removes what writers left that are gone.
func (s *store) Check(ctx context.Context) error {
	return s.call(ctx, func(ctx context.Context) error {
		for _, k := range driver.Kinds() {
			if err := s.cluster.checkIndex(ctx, k); err != nil {
				return fmt.Errorf("index %s: %w", s.cluster.alias(k), err)
			}
		}
		if !s.opt.ReadOnly {
			if err := s.changes.tidy(ctx); err != nil {
				return err
			}
		}
		return s.states.view(ctx, func(st *state) error { return s.checkAt(ctx, st) })
	})
}

// checkAt compares the state, the entries and the records with one another, and every record with its text.
func (s *store) checkAt(ctx context.Context, st *state) error {
	var found []error
	report := func(format string, args ...any) {
		if len(found) < maxFindings {
			found = append(found, fmt.Errorf("%w: "+format, append([]any{errs.Format}, args...)...))
		}
	}
	type part struct {
		id      string
		layouts int
		want    map[driver.Kind]sums
		have    map[driver.Kind]sums
	}
	byOwner := map[string]*part{}
	seen := map[string]bool{}
	all := &state{Kinds: map[driver.Kind]sums{}}
	entries := scan{query: st.live(term1("type", typeEntry)), sort: []string{"parent_doc_id", "batch"}, fields: []string{"parent_doc_id", "records", "sums"}}
	if err := s.cluster.scan(ctx, driver.KindDocument, entries, func(d *document) error {
		if seen[d.Parent] {
			report("document %s has two entries: add it again", d.Parent)
		}
		seen[d.Parent] = true
		byOwner[d.Records] = &part{id: d.Parent, want: d.Sums, have: map[driver.Kind]sums{}}
		all.count(d.Sums, 1)
		return nil
	}); err != nil {
		return err
	}
	for _, k := range driver.Kinds() {
		fields := append([]string{"type", "parent_doc_id", "owner", "word_count", "ident_count", "head_count"}, recordFields...)
		records := scan{query: st.live(object{"terms": object{"type": []string{typeRecord, typeLayout}}}), sort: []string{"owner", "type", "n", "batch"}, fields: fields}
		last := ""
		if err := s.cluster.scan(ctx, k, records, func(d *document) error {
			p := byOwner[d.Owner]
			if p == nil {
				report("a %s %s of document %s is nobody's: add the document again", k, d.Type, d.Parent)
				return nil
			}
			if d.Type == typeLayout {
				p.layouts++
				return nil
			}
			name := fmt.Sprintf("document %s, %s record %d", p.id, k, d.N)
			if name == last {
				report("%s is there twice: add the document again", name)
			}
			last = name
			words, idents := analyze(d.text())
			heads := analyzeHeads(d.heads())
			if d.WordCount == nil || d.IdentCount == nil || d.HeadCount == nil || *d.WordCount != words.length || *d.IdentCount != idents.length || *d.HeadCount != heads.length {
				report("%s: its text is not the one that was indexed: add the document again", name)
			}
			if _, err := unpackVector(d.Vector, d.Dims); err != nil {
				report("%s: %v", name, err)
			}
			p.have[k] = p.have[k].plus(sums{1, words.length, idents.length, heads.length})
			return nil
		}); err != nil {
			return err
		}
	}
	var owners []string
	for o := range byOwner {
		owners = append(owners, o)
	}
	slices.SortFunc(owners, func(a, b string) int { return strings.Compare(byOwner[a].id, byOwner[b].id) })
	for _, o := range owners {
		p := byOwner[o]
		if p.layouts != 1 {
			report("document %s has %d layouts: add it again", p.id, p.layouts)
		}
		for _, k := range driver.Kinds() {
			if p.want[k] != p.have[k] {
				report("document %s: %s records: %+v, want %+v: add it again", p.id, k, p.have[k], p.want[k])
			}
		}
	}
	if all.Documents != st.Documents {
		report("%d documents, but the state counts %d", all.Documents, st.Documents)
	}
	for _, k := range driver.Kinds() {
		if all.Kinds[k] != st.Kinds[k] {
			report("%s: the records of all documents are %+v, but the state counts %+v", k, all.Kinds[k], st.Kinds[k])
		}
	}
	return errors.Join(found...)
}
