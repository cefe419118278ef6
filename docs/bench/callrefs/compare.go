package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
)

// compare counts the graph's calls of an entity against the server's.
func (m *measure) compare(e codegraph.Entity, decls []place, truth calls) error {
	found := calls{}
	pairs, wrong := map[string]bool{}, map[string]bool{} // callers
	for _, edge := range m.in[e.ID] {
		for _, s := range edge.Sites {
			p := place{s.Path, s.Line, s.Col, s.EndCol, s.EndLine}
			if !m.takes(p.path) || !m.called(p.path, p.endLine, p.end) {
				continue
			}
			k := key(p)
			if _, twice := found[k]; twice {
				continue
			}
			found[k] = p
			count := m.byLevel[edge.Level]
			if _, ok := truth[k]; ok {
				m.hits++
				count[0]++
				m.byLevel[edge.Level] = count
				pairs[edge.Src] = true
				continue
			}
			v, err := m.leadsTo(p, decls, e)
			if err != nil {
				return m.failed(e, err)
			}
			switch v {
			case here:
				m.hits++
				m.late++
				count[0]++
				pairs[edge.Src] = true
			case elsewhere:
				if m.text(p) != e.Name {
					m.indirect++ // a variable or parameter that holds the function: no direct call, and no server follows it
					m.note("indirect", p, edge.Src, e.ID, string(edge.Level))
					break
				}
				m.phantoms++
				count[1]++
				wrong[edge.Src] = true
				m.note("phantom", p, edge.Src, e.ID, string(edge.Level))
				for _, d := range m.defs[p] {
					m.lines = append(m.lines, fmt.Sprintf("         the server: %s:%d", cmp.Or(d.path, "outside"), d.line))
				}
			case silent, variant:
				m.undecided++
				m.note("unknown", p, edge.Src, e.ID, string(edge.Level))
			}
			m.byLevel[edge.Level] = count
		}
	}
	m.pairHits += len(pairs)
	for src := range wrong {
		if !pairs[src] {
			m.pairPhantoms++
		}
	}
	missing := map[string]bool{}
	for _, k := range slices.SortedFunc(maps.Keys(truth), func(a, b [2]any) int { return comparePlaces(truth[a], truth[b]) }) {
		if _, ok := found[k]; ok {
			continue
		}
		p := truth[k]
		from, _ := m.g.Enclosing(p.path, p.line)
		m.missed++
		if !pairs[from.ID] && !missing[from.ID] {
			missing[from.ID] = true
			m.pairMiss++
		}
		m.note("miss", p, from.ID, e.ID, "")
	}
	return nil
}

func (m *measure) note(what string, p place, src, dst, level string) {
	text := strings.TrimSpace(string(m.texts.Line(p.path, p.line)))
	if len(text) > 120 {
		text = text[:120]
	}
	m.lines = append(m.lines, fmt.Sprintf("%-8s %-9s %s:%d:%d  %s -> %s  | %s", what, level, p.path, p.line, p.col, src, dst, text))
}

// An early answer: references, and how many files the server had been shown by then.
type early struct {
	refs   []place
	opened int
}

// again asks the first functions once more: a server that was not ready gives more now. What it found by being shown a file
// since then is no sign of that: the file is in none of its projects, and it knows it only when it is open.
func (m *measure) again(picked []codegraph.Entity) error {
	for _, e := range picked {
		had, ok := m.early[e.ID]
		if !ok {
			continue
		}
		at, ok, err := m.nameOf(e)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		refs, err := m.references(at, false)
		if err != nil {
			return err
		}
		shown := func(p place) bool { return m.server.Opened[p.path] > had.opened }
		had.refs, refs = slices.DeleteFunc(had.refs, shown), slices.DeleteFunc(refs, shown)
		if !slices.Equal(had.refs, refs) {
			return fmt.Errorf("the server was not ready: %s had %d references and now has %d", e.ID, len(had.refs), len(refs))
		}
	}
	return nil
}

func (m *measure) report(w io.Writer) {
	if m.o.misses {
		for _, l := range m.lines {
			fmt.Fprintln(w, l)
		}
	}
	fmt.Fprintf(w, "functions asked %d, not known to the server %d; calls: the server's %d, ours %d\n",
		m.asked, m.unknown, m.hits-m.late+m.missed, m.hits+m.phantoms+m.undecided+m.indirect)
	fmt.Fprintf(w, "left out: %d references whose definition is another method; of our calls %d at which the server knows no definition or one for another platform, "+
		"%d through a variable\n", m.dynamic, m.undecided, m.indirect)
	show := func(what string, hits, wrong, missed int) {
		p, r := ratio(hits, hits+wrong), ratio(hits, hits+missed)
		fmt.Fprintf(w, "%-7s right %d wrong %d missed %d  precision %.3f recall %.3f F1 %.3f\n", what, hits, wrong, missed, p, r, ratio2(p, r))
	}
	show("places", m.hits, m.phantoms, m.missed)
	show("pairs", m.pairHits, m.pairPhantoms, m.pairMiss)
	show("strict", m.hits, m.phantoms+m.undecided+m.indirect, m.missed)
	for _, l := range codegraph.Levels() {
		if c := m.byLevel[l]; c[0]+c[1] > 0 {
			fmt.Fprintf(w, "  %-9s right %d wrong %d\n", l, c[0], c[1])
		}
	}
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

func ratio2(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}
