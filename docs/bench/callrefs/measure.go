package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/docs/bench/internal/rawlsp"
	"github.com/findspot/findspot/internal/text"
)

// A measure compares the calls of a graph with those that a server knows.
type measure struct {
	o      *options
	g      *codegraph.Graph
	rules  map[string]lang.Rules
	server *rawlsp.Server
	texts  *rawlsp.Texts
	in     map[string][]codegraph.Edge // invoke edges by target
	defs   map[place][]place           // definitions the server gave, by the place of a name
	names  map[string]map[place]bool   // where the server sees names declared, by file

	asked, unknown      int
	hits, missed        int
	phantoms, undecided int
	indirect            int // our calls through a value of another name, see compare
	dynamic, late       int // references that lead elsewhere by their definition; hits that the references left out
	pairHits, pairMiss  int
	pairPhantoms        int
	byLevel             map[codegraph.Level][2]int // places that are right and wrong
	lines               []string
	early               map[string]early // what the first functions had, to ask them again
}

func newMeasure(o *options, g *codegraph.Graph, rules map[string]lang.Rules) *measure {
	m := &measure{o: o, g: g, rules: rules, texts: rawlsp.NewTexts(o.repo),
		in: map[string][]codegraph.Edge{}, defs: map[place][]place{}, names: map[string]map[place]bool{}, byLevel: map[codegraph.Level][2]int{}, early: map[string]early{}}
	for e := range g.Edges() {
		if e.Kind == codegraph.Invoke && e.Level.AtLeast(o.level) {
			m.in[e.Dst] = append(m.in[e.Dst], e)
		}
	}
	return m
}

// counts tells whether a path takes part.
func (m *measure) takes(p string) bool {
	e, ok := m.g.Entity(p)
	return ok && (m.o.tests || !e.Test) && (m.o.skip == nil || !m.o.skip.MatchString(p))
}

// sample chooses functions by the seed, in the order of their ids.
func (m *measure) sample() []codegraph.Entity {
	var all []codegraph.Entity
	announced := map[string]bool{} // the calls are its definition's
	for e := range m.g.Edges() {
		if e.Kind == codegraph.Define {
			announced[e.Src] = true
		}
	}
	for e := range m.g.Entities() {
		if announced[e.ID] || !m.o.langs[e.Lang] || e.Test || !m.takes(e.Path) || m.o.only != nil && !m.o.only.MatchString(e.Path) {
			continue
		}
		r := m.rules[e.Lang]
		switch e.Kind {
		case codegraph.KindFunction:
			// A constructor is called by the name of its class.
			if slices.Contains(r.Constructors, e.Name) || slices.Contains(r.Constructors, "") && className(e.ID) == e.Name {
				continue
			}
		case codegraph.KindClass:
			if !m.o.classes || r.Conversion {
				continue
			}
		default:
			continue
		}
		all = append(all, e)
	}
	if m.o.n > 0 && len(all) > m.o.n {
		r := rand.New(rand.NewPCG(m.o.seed, 0))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:m.o.n]
		slices.SortFunc(all, func(a, b codegraph.Entity) int { return strings.Compare(a.ID, b.ID) })
	}
	return all
}

// className gives the last name but one of an id.
func className(id string) string {
	_, names, _ := strings.Cut(id, ":")
	parts := strings.Split(names, ".")
	if len(parts) < 2 {
		return ""
	}
	return parts[len(parts)-2]
}

// probes is how many functions are asked about to see whether a server is ready.
const probes = 8

// ready waits until the server has done its work and gives the same answers twice to questions about the functions with the
// most callers. One that knows none of them is taken as it is after a while.
func (m *measure) ready() error {
	var most []codegraph.Entity
	for e := range m.g.Entities() {
		if m.o.langs[e.Lang] && e.Kind == codegraph.KindFunction && m.takes(e.Path) && len(m.in[e.ID]) > 0 {
			most = append(most, e)
		}
	}
	slices.SortStableFunc(most, func(a, b codegraph.Entity) int { return cmp.Compare(len(m.in[b.ID]), len(m.in[a.ID])) })
	most = most[:min(probes, len(most))]
	for _, e := range most {
		if err := m.server.Open(e.Path); err != nil {
			return err
		}
	}
	end := time.Now().Add(m.o.wait)
	last := -1
	for round := 1; ; round++ {
		if err := m.server.Settle(time.Until(end)); err != nil {
			return err
		}
		n := 0
		for _, e := range most {
			at, ok, err := m.nameOf(e)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			all, err := m.references(at, true)
			if err != nil {
				return err
			}
			n += len(all)
		}
		if n == last && (n > 0 || round > 5) || time.Now().After(end) {
			return nil
		}
		last = n
		time.Sleep(3 * time.Second)
	}
}

func (m *measure) at(p place) map[string]any { return m.server.At(p.path, p.line, p.col) }

func (m *measure) place(p string, r rawlsp.Range) place {
	utf16 := m.server.UTF16()
	return place{path: p, line: r.Start.Line + 1, col: m.texts.Column(p, r.Start.Line+1, r.Start.Character, utf16),
		endLine: r.End.Line + 1, end: m.texts.Column(p, r.End.Line+1, r.End.Character, utf16)}
}

// A place is a range in a file of the repository. Lines and columns count from 1, columns in bytes.
type place struct {
	path         string
	line, col    int
	end, endLine int
}

type symbol struct {
	Name           string        `json:"name"`
	Range          rawlsp.Range  `json:"range"`
	SelectionRange *rawlsp.Range `json:"selectionRange"`
	Location       *struct {     // the flat form
		Range rawlsp.Range `json:"range"`
	} `json:"location"`
	Children []symbol `json:"children"`
}

// nameOf finds the name in the declaration of an entity through the server's list of symbols, or else in the text.
func (m *measure) nameOf(e codegraph.Entity) (place, bool, error) {
	list, err := m.symbols(e.Path)
	if err != nil {
		return place{}, false, err
	}
	best, found := place{}, false
	var visit func([]symbol)
	visit = func(l []symbol) {
		for _, s := range l {
			if lastName(s.Name) == e.Name {
				p := m.symbolPlace(e.Path, &s)
				if p.line >= e.Line && p.line <= e.EndLine && (!found || p.line < best.line) {
					if q, ok := m.word(e, p.line, p.col); ok {
						best, found = q, true
					}
				}
			}
			visit(s.Children)
		}
	}
	visit(list)
	if found {
		return best, true, nil
	}
	p, ok := m.word(e, e.Line, 1)
	return p, ok, nil
}

// symbols asks for the symbols of a file.
func (m *measure) symbols(p string) ([]symbol, error) {
	if err := m.server.Open(p); err != nil {
		return nil, err
	}
	var list []symbol
	err := m.server.Call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": m.server.URI(p)}}, &list)
	return list, err
}

func (m *measure) symbolPlace(file string, s *symbol) place {
	switch {
	case s.SelectionRange != nil:
		return m.place(file, *s.SelectionRange)
	case s.Location != nil:
		return m.place(file, s.Location.Range)
	}
	return place{}
}

// declares tells whether the server sees a name declared at a place. Some list with a method the declarations of those that it
// overrides.
func (m *measure) declares(p place) (bool, error) {
	at, ok := m.names[p.path]
	if !ok {
		list, err := m.symbols(p.path)
		if err != nil {
			return false, err
		}
		at = map[place]bool{}
		var visit func([]symbol)
		visit = func(l []symbol) {
			for i := range l {
				q := m.symbolPlace(p.path, &l[i])
				at[place{path: p.path, line: q.line, col: q.col}] = true
				visit(l[i].Children)
			}
		}
		visit(list)
		m.names[p.path] = at
	}
	return at[place{path: p.path, line: p.line, col: p.col}], nil
}

// lastName leaves out of a symbol's name what servers add: "(*T).F", "f(int)", "A::f", "impl A".
func lastName(s string) string {
	if i := strings.IndexByte(s[min(1, len(s)):], '('); i >= 0 {
		s = s[:i+1]
	}
	if i := strings.LastIndexAny(s, ".: )#"); i >= 0 {
		s = s[i+1:]
	}
	return s
}

// word finds an entity's name as a whole word from a place on.
func (m *measure) word(e codegraph.Entity, line, col int) (place, bool) {
	part := func(c byte) bool {
		return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for ; line <= e.EndLine; line, col = line+1, 1 {
		l := string(m.texts.Line(e.Path, line))
		for at := col - 1; at <= len(l); {
			i := strings.Index(l[at:], e.Name)
			if i < 0 {
				break
			}
			i += at
			j := i + len(e.Name)
			if (i == 0 || !part(l[i-1])) && (j == len(l) || !part(l[j])) {
				return place{e.Path, line, i + 1, j + 1, line}, true
			}
			at = j
		}
	}
	return place{}, false
}

// references asks for the references to a name, sorted. Those outside of the repository are left out.
func (m *measure) references(at place, declaration bool) ([]place, error) {
	params := m.at(at)
	params["context"] = map[string]any{"includeDeclaration": declaration}
	var list []struct {
		URI   string       `json:"uri"`
		Range rawlsp.Range `json:"range"`
	}
	if err := m.server.Call("textDocument/references", params, &list); err != nil {
		return nil, err
	}
	var out []place
	for _, l := range list {
		if p, ok := rawlsp.Relative(m.o.repo, l.URI); ok {
			out = append(out, m.place(p, l.Range))
		}
	}
	slices.SortFunc(out, comparePlaces)
	return slices.Compact(out), nil
}

func comparePlaces(a, b place) int {
	return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
}

// definition asks where the name at a place is defined. Places outside of the repository have an empty path.
func (m *measure) definition(at place) ([]place, error) {
	if d, ok := m.defs[at]; ok {
		return d, nil
	}
	if err := m.server.Open(at.path); err != nil {
		return nil, err
	}
	var raw json.RawMessage
	if err := m.server.Call("textDocument/definition", m.at(at), &raw); err != nil {
		return nil, err
	}
	type location struct {
		URI     string       `json:"uri"`
		Range   rawlsp.Range `json:"range"`
		Target  string       `json:"targetUri"`
		TargetR rawlsp.Range `json:"targetSelectionRange"`
	}
	var list []location
	if json.Unmarshal(raw, &list) != nil {
		var one location
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, fmt.Errorf("definition: %w", err)
		}
		list = []location{one}
	}
	out := []place{}
	for _, l := range list {
		if l.Target != "" {
			l.URI, l.Range = l.Target, l.TargetR
		}
		if l.URI == "" {
			continue
		}
		p, ok := rawlsp.Relative(m.o.repo, l.URI)
		if !ok {
			out = append(out, place{})
			continue
		}
		out = append(out, m.place(p, l.Range))
	}
	m.defs[at] = out
	return out, nil
}

// verdict is what a definition says of a call.
type verdict uint8

const (
	silent    verdict = iota // the server knows no definition
	here                     // it is the entity asked about
	elsewhere                // it is another one
	variant                  // it is the same function for another platform
)

// leadsTo tells whether the name at a place is defined by an entity, one of whose names is in decls.
func (m *measure) leadsTo(at place, decls []place, e codegraph.Entity) (verdict, error) {
	defs, err := m.definition(at)
	if err != nil {
		return silent, err
	}
	v := silent
	for _, d := range defs {
		in, ok := m.g.Enclosing(d.path, d.line)
		if ok && in.ID == e.ID && d.line <= e.Line+1 {
			return here, nil
		}
		// Functions of one qualified name are one to some servers, also where two programs have one each.
		twin := ok && in.ID != e.ID && in.Path != e.Path && names(in.ID) == names(e.ID) && m.defined(d)
		for _, n := range decls {
			if d.path == n.path && d.line == n.line && !twin {
				return here, nil
			}
		}
		if v = elsewhere; ok && in.Path != e.Path && names(in.ID) == names(e.ID) && path.Dir(in.Path) == path.Dir(e.Path) {
			return variant, nil
		}
	}
	return v, nil
}

// defined tells whether the function whose name is at a place has a body there.
func (m *measure) defined(p place) bool {
	b, _ := m.texts.Of(p.path)
	at := m.texts.Offset(p.path, p.endLine, p.end)
	if at < 0 {
		return false
	}
	i := bytes.IndexAny(b[at:], "{;")
	return i >= 0 && b[at+i] == '{'
}

// names gives what of an id stands behind the file, without the number of a repeated one.
func names(id string) string {
	_, n, _ := strings.Cut(id, ":")
	n, _, _ = strings.Cut(n, "#")
	return n
}

// A calls is a set of calls of one entity, by file and line.
type calls map[[2]any]place

func key(p place) [2]any { return [2]any{p.path, p.line} }

// measure compares the calls of one entity.
func (m *measure) measure(e codegraph.Entity) error {
	at, ok, err := m.nameOf(e)
	if err != nil {
		return err
	}
	if !ok {
		m.unknown++
		return nil
	}
	with, err := m.references(at, true)
	if err != nil {
		return m.failed(e, err)
	}
	if !slices.ContainsFunc(with, func(p place) bool { return p.path == at.path && p.line == at.line }) {
		m.unknown++ // not even its declaration: the file is in none of the server's projects
		return nil
	}
	refs, err := m.references(at, false)
	if err != nil {
		return m.failed(e, err)
	}
	m.asked++
	if len(m.early) < 5 {
		m.early[e.ID] = early{refs, len(m.server.Opened)}
	}
	decls := []place{at}
	for _, p := range with {
		if !slices.Contains(refs, p) {
			decls = append(decls, p)
		}
	}
	truth := calls{}
	for _, p := range refs {
		if !m.takes(p.path) || slices.Contains(decls, p) || !m.called(p.path, p.endLine, p.end) {
			continue
		}
		// References of a method may include those of the methods it overrides or implements; the definition tells.
		v, err := m.leadsTo(p, decls, e)
		if err != nil {
			return m.failed(e, err)
		}
		declared, err := m.declares(p)
		if err != nil {
			return m.failed(e, err)
		}
		if v == elsewhere || v == variant || declared {
			m.dynamic++
			continue
		}
		truth[key(p)] = p
	}
	return m.compare(e, decls, truth)
}

// failed notes that the server could not answer about an entity; a dead server ends everything.
func (m *measure) failed(e codegraph.Entity, err error) error {
	if _, dead := m.server.Busy(); dead != nil {
		return dead
	}
	m.unknown++
	m.lines = append(m.lines, fmt.Sprintf("error    %s: %v", e.ID, err))
	return nil
}

// text gives what stands at a place.
func (m *measure) text(p place) string {
	b, _ := m.texts.Of(p.path)
	from, to := m.texts.Offset(p.path, p.line, p.col), m.texts.Offset(p.path, p.endLine, p.end)
	if from < 0 || to < from {
		return ""
	}
	return string(b[from:to])
}

func (m *measure) called(p string, line, col int) bool {
	b, _ := m.texts.Of(p)
	at := m.texts.Offset(p, line, col)
	return at >= 0 && text.Called(b, at)
}
