package callers

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/internal/textfiles"
)

// A Verdict tells "there are none" from "we could not tell".
type Verdict string

const (
	Found        Verdict = "found"         // there are uses
	NoneKnown    Verdict = "none known"    // none was found, and something could not be looked at or explained
	VerifiedNone Verdict = "verified none" // there is none, and every place of the name is explained
)

// A Use is an entity that calls, or else uses, the symbol.
type Use struct {
	Key    string               // for who keeps the uses as evidence: the key of it
	Code   []string             // and those of its code
	Entity codegraph.Entity     // the innermost one around the sites, with the id that the workspace shows
	Call   bool                 // it calls; false: it imports, passes on, or names it otherwise
	Sites  []codegraph.Location // places of the name, in order
	Text   string               // the line of the first site, without leading blanks
	Via    string               // what gave it: a language server with its version, "graph" or "text"
	Level  codegraph.Level
	Repo   string
}

// A Result is what is known of the uses of one name.
type Result struct {
	Asked       string
	Verdict     Verdict
	Symbols     []codegraph.Entity // what the name was taken for
	Declared    []codegraph.Entity // where Symbols are declared apart from their definitions, as in a header of C
	Via         string             // the strongest source
	Uses        []Use              // calls first, then other uses; each by repository and id
	Unresolved  int                // references to the name that the graph could not place
	Outside     int                // references to the name that lead outside of the repository
	Looked      []string           // what was searched
	Unexplained int                // lines where the name is written that nothing explains
	Unread      []Place            // 20 of them at most: those in files of the symbol's language, then those in files of none, then one of each file of another language
	Why         []string           // what limits the answer
	Checked     time.Time          // when the sources were read
}

// A Place is a line where the name is written.
type Place struct {
	Path string // with its repository, as in entity ids
	Line int
	Text string // the line, or what is around the name in a long one; "" when it is not shown
}

func (p Place) String() string { return at(p.Path, p.Line) }

// Calls counts the uses that are calls.
func (res *Result) Calls() int { return res.count(func(u Use) bool { return u.Call }) }

// Tests counts the uses in test code.
func (res *Result) Tests() int { return res.count(func(u Use) bool { return u.Entity.Test }) }

func (res *Result) count(is func(Use) bool) (n int) {
	for _, u := range res.Uses {
		if is(u) {
			n++
		}
	}
	return n
}

// Options of [Search].
type Options struct {
	NoServers bool          // language servers are not asked
	Timeout   time.Duration // of all that they are asked in one repository; 0 means 30 s
}

// maxUnread is how many places that nothing explains are named.
const maxUnread = 20

// maxLine is how many bytes of the line of such a place are shown.
const maxLine = 120

// ViaText is the source of uses that only the text gave.
const ViaText = "text"

// inRepository finds the uses of symbols, all of one name, in one repository; without symbols those of a name that is no entity. It asks the language server, then
// the graph, then the text of the files.
func inRepository(ctx context.Context, r *repository.Repository, g *codegraph.Graph, name string, symbols []codegraph.Entity, declared map[string]bool, o Options) (*Result, error) {
	s := &search{r: r, g: g, join: repository.NewLocator(r, g), opt: o, name: name, symbols: symbols, declares: declared, res: &Result{}, by: map[string]*Use{}}
	if len(symbols) > 0 {
		s.name = symbols[0].Name
	}
	var err error
	s.res.Verdict, err = s.run(ctx)
	s.res.Unread = slices.Concat(s.res.Unread, s.near, s.far)
	s.res.Unread = s.res.Unread[:min(len(s.res.Unread), maxUnread)]
	for i := range s.res.Unread {
		p := &s.res.Unread[i]
		p.Path, p.Text = r.ID(p.Path), s.shown(p.Path, p.Line)
	}
	return s.res, err
}

// search is one search under way.
type search struct {
	r        *repository.Repository
	g        *codegraph.Graph
	opt      Options
	name     string // last name
	symbols  []codegraph.Entity
	declares map[string]bool // those of the symbols that only declare another one
	res      *Result
	join     *repository.Locator
	by       map[string]*Use // by entity id and whether it calls
	order    []string

	explained places              // places of the name that are known
	asked     int                 // places that a server was asked about
	noted     places              // places that nothing explains
	near, far []Place             // noted places that Result.Unread has last
	foreign   int                 // noted places in files of other languages
	outside   places              // references that are known to lead outside
	lines     map[string][][]byte // of the files that were looked at
	files     *textfiles.List
	declared  map[string]map[[2]int]bool // places in Go files where the name is declared, or where a method names its type
}

func (s *search) run(ctx context.Context) (Verdict, error) {
	s.noted = places{}
	s.explained, s.outside, s.lines, s.declared = places{}, places{}, map[string][][]byte{}, map[string]map[[2]int]bool{}
	for _, e := range s.symbols {
		s.explained.add(s.namePlace(e))
		shown := e
		shown.ID = s.r.ID(e.ID)
		if s.declares[e.ID] {
			s.res.Declared = append(s.res.Declared, shown)
		} else {
			s.res.Symbols = append(s.res.Symbols, shown)
		}
	}
	var err error
	if s.files, err = s.r.Files(ctx); err != nil {
		return "", err
	}
	servers, cancel := context.WithTimeout(ctx, s.opt.Timeout)
	defer cancel()
	complete, err := s.fromServers(ctx, servers)
	if err != nil {
		return "", err
	}
	entities, _ := s.g.Len()
	s.looked("code graph of %s", text.Plural(entities, "entity"))
	if err := s.fromGraph(ctx, complete); err != nil {
		return "", err
	}
	for _, e := range s.g.Named(s.name) { // the definition of another entity with this name is no use of this one
		if e.Name == s.name && e.Line > 0 {
			s.explained.add(s.namePlace(e))
		}
	}
	for _, u := range s.g.Unresolved(s.name) {
		if u.Outside {
			s.res.Outside++
			s.outside.add(u.At)
		} else if !s.explained.has(u.At) { // a server may know what the graph does not
			s.res.Unresolved++
		}
	}
	unread, err := s.fromText(ctx, servers, complete)
	if err != nil {
		return "", err
	}
	for _, k := range s.order {
		s.res.Uses = append(s.res.Uses, *s.by[k])
	}
	if len(s.by) > 0 {
		return Found, nil
	}
	for _, e := range s.symbols {
		if why := s.implicit(ctx, e); why != "" {
			s.why("%s: %s", s.r.ID(e.ID), why)
			complete = false
		}
	}
	if !complete || s.res.Unresolved > 0 || unread > 0 {
		return NoneKnown, nil
	}
	if unread, err = s.confirmNone(ctx); err != nil {
		return "", err
	}
	if unread > 0 {
		return NoneKnown, nil
	}
	return VerifiedNone, nil
}

// places is a set of ranges in files; each ends in the line where it begins. A range without an end is its whole line.
type places map[string]map[int][][2]int

func (p places) add(l codegraph.Location) {
	if p[l.Path] == nil {
		p[l.Path] = map[int][][2]int{}
	}
	end := l.EndCol
	if l.EndLine != l.Line || end <= l.Col {
		end = math.MaxInt
	}
	p[l.Path][l.Line] = append(p[l.Path][l.Line], [2]int{l.Col, end})
}

func (p places) has(l codegraph.Location) bool {
	return slices.ContainsFunc(p[l.Path][l.Line], func(r [2]int) bool { return r[0] <= l.Col && l.Col < r[1] })
}

// line reports whether the set has anything in a line.
func (p places) line(path string, n int) bool { return len(p[path][n]) > 0 }

func at(path string, line int) string { return fmt.Sprintf("%s:%d", path, line) }

func (s *search) why(format string, args ...any) {
	if m := fmt.Sprintf(format, args...); !slices.Contains(s.res.Why, m) {
		s.res.Why = append(s.res.Why, m)
	}
}

func (s *search) looked(format string, args ...any) {
	m := fmt.Sprintf(format, args...)
	if r := s.r.Label(); r != "" {
		m += " of " + r
	}
	if !slices.Contains(s.res.Looked, m) {
		s.res.Looked = append(s.res.Looked, m)
	}
}

// via notes the strongest source; the sources come in that order.
func (s *search) via(v string) {
	if s.res.Via == "" {
		s.res.Via = v
	}
}

// site adds a place of the name to the caller that it is in. What is a definition of one of the symbols is left out.
func (s *search) site(ctx context.Context, l codegraph.Location, via string, level codegraph.Level) {
	s.use(ctx, l, false, via, level)
}

// use is site for a place that is known to be a call, or else is one if it looks like one.
func (s *search) use(ctx context.Context, l codegraph.Location, call bool, via string, level codegraph.Level) {
	if s.isDefinition(l) {
		return
	}
	s.explained.add(l)
	if strings.HasSuffix(l.Path, ".go") {
		declared, ok := s.declared[l.Path]
		if !ok {
			declared = goDeclared(bytes.Join(s.file(l.Path), []byte("\n")), s.name)
			s.declared[l.Path] = declared
		}
		if declared[[2]int{l.Line, l.Col}] {
			return
		}
	}
	enc := s.join.Local(ctx, l.Path, l.Line)
	line := s.line(l.Path, l.Line)
	// A decorator or a base class stands inside the entity's range but belongs to what is around it.
	s.add(enc, call || isCall(l.Path, line, l.Col, l.EndCol), l, line, via, level)
}

func (s *search) isDefinition(l codegraph.Location) bool {
	return slices.ContainsFunc(s.forms(), func(e codegraph.Entity) bool {
		n := s.namePlace(e)
		return n.Path == l.Path && n.Line == l.Line && n.Col == l.Col
	})
}

// forms lists the symbols with the other forms of the same, such as overloads and definitions under a condition.
func (s *search) forms() []codegraph.Entity {
	out := slices.Clone(s.symbols)
	for _, e := range s.g.Named(s.name) {
		same := func(o codegraph.Entity) bool { return form(o.ID) == form(e.ID) }
		if e.Name == s.name && slices.ContainsFunc(s.symbols, same) && !slices.ContainsFunc(out, func(o codegraph.Entity) bool { return o.ID == e.ID }) {
			out = append(out, e)
		}
	}
	return out
}

func (s *search) add(enc codegraph.Entity, call bool, l codegraph.Location, line, via string, level codegraph.Level) {
	key := fmt.Sprintf("%v %s", call, enc.ID)
	c := s.by[key]
	if c == nil {
		enc.ID = s.r.ID(enc.ID)
		c = &Use{Entity: enc, Call: call, Via: via, Level: level, Repo: s.r.Label(), Text: s.masked(line)}
		s.by[key] = c
		s.order = append(s.order, key)
	}
	if !slices.ContainsFunc(c.Sites, func(x codegraph.Location) bool { return x.Line == l.Line && x.Col == l.Col }) {
		c.Sites = append(c.Sites, l)
	}
}

// Special reports whether the language calls functions of that name, at places that do not write it.
func Special(name string) bool {
	return name == "constructor" || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// fromGraph adds what the graph knows. A server's complete answer is not all: a call through a variable, or on a value
// whose type the server cannot tell, is known to the graph alone, by its level. Only what rests on the name is left out
// then where another entity has it too, and in Go, where the server knows all types.
func (s *search) fromGraph(ctx context.Context, complete bool) error {
	if len(s.symbols) == 0 {
		return nil
	}
	var ids []string
	for _, e := range s.forms() {
		ids = append(ids, e.ID)
	}
	edges, err := s.into(ctx, ids, codegraph.Invoke, codegraph.Import, codegraph.Inherit, codegraph.Reference)
	if err != nil {
		return err
	}
	alone := s.alone()
	for _, e := range edges {
		if complete && e.Level == codegraph.LevelName && (!alone || family(e.Sites[0].Path) == "go") {
			continue
		}
		s.edge(e, e.Level)
	}
	return s.others(ctx, ids)
}

// form cuts the number off the id of an entity that its scope declares several times.
func form(id string) string {
	if i := strings.LastIndexByte(id, '#'); i > strings.LastIndexByte(id, '/') {
		return id[:i]
	}
	return id
}

// into gives the edges that end in one of the entities.
func (s *search) into(ctx context.Context, ids []string, kinds ...codegraph.EdgeKind) ([]codegraph.Edge, error) {
	o := &codegraph.TraverseOptions{Direction: codegraph.In, Tests: true, Generated: true, Limit: -1, Edges: kinds}
	walk, err := s.g.Traverse(ctx, ids, o)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(walk.Edges, func(e codegraph.Edge) bool { return !slices.Contains(ids, e.Dst) || len(e.Sites) == 0 }), nil
}

// edge adds the sites of an edge that are not known yet.
func (s *search) edge(e codegraph.Edge, level codegraph.Level) {
	src, ok := s.g.Entity(e.Src)
	if !ok {
		return
	}
	for _, l := range e.Sites {
		if s.isOverlaid(l.Path) && !strings.Contains(s.line(l.Path, l.Line), s.name) {
			continue // the unsaved buffer has something else there
		}
		if e.Kind == codegraph.Import || e.Kind == codegraph.Inherit { // the edge is known by its line
			l.Col, l.EndCol = 1, 1
			if s.explained.line(l.Path, l.Line) {
				s.explained.add(l)
				continue
			}
		}
		if s.explained.has(l) {
			continue
		}
		s.explained.add(l)
		s.via("graph")
		s.add(src, e.Kind == codegraph.Invoke, l, s.line(l.Path, l.Line), "graph", level)
	}
}

// others looks at the calls of other entities of the name. A call of the method that one of the symbols overrides may be
// a call of the symbol; any other that the linker is sure of is none.
func (s *search) others(ctx context.Context, ids []string) error {
	over := map[string]bool{}
	for _, e := range s.symbols {
		if owner, ok := s.owner(e); ok {
			if err := s.overridden(ctx, owner.ID, e.Name, over, map[string]bool{}); err != nil {
				return err
			}
		}
	}
	var others []string
	for _, e := range s.g.Named(s.name) {
		if repository.IsCode(e) && e.Name == s.name && !slices.Contains(ids, e.ID) {
			others = append(others, e.ID)
		}
	}
	if len(others) == 0 {
		return nil
	}
	edges, err := s.into(ctx, others, codegraph.Invoke)
	if err != nil {
		return err
	}
	for _, e := range edges {
		switch {
		case over[e.Dst] && !Special(s.name):
			s.edge(e, codegraph.LevelName)
		case e.Level.AtLeast(codegraph.LevelMember):
			for _, l := range e.Sites {
				s.explained.add(l)
			}
		}
	}
	return nil
}

// overridden collects the methods of that name in the bases of a class.
func (s *search) overridden(ctx context.Context, class, name string, into, seen map[string]bool) error {
	if seen[class] || len(seen) > 100 {
		return nil
	}
	seen[class] = true
	walk, err := s.g.Traverse(ctx, []string{class}, &codegraph.TraverseOptions{Direction: codegraph.Out, Tests: true, Generated: true, Limit: -1, Edges: []codegraph.EdgeKind{codegraph.Inherit}})
	if err != nil {
		return err
	}
	for _, e := range walk.Edges {
		if e.Src != class {
			continue
		}
		into[e.Dst+"."+name] = true
		if err := s.overridden(ctx, e.Dst, name, into, seen); err != nil {
			return err
		}
	}
	return nil
}

// line returns a line of a file without its end, or "" when it cannot be read.
func (s *search) line(p string, n int) string {
	lines := s.file(p)
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimRight(string(lines[n-1]), "\r")
}

// shown is a line as answers may have it.
func (s *search) shown(p string, n int) string {
	if f := s.files.File(p); f != nil && f.Hides && !s.r.Policy().ShowSecrets {
		return ""
	}
	line := s.masked(s.line(p, n))
	at := max(0, strings.Index(line, s.name))
	line, _ = grep.Cut(line, [][2]int{{at, at}}, maxLine) // of a file of a page it may be all
	return line
}

func (s *search) masked(line string) string {
	text := []byte(strings.TrimSpace(line))
	s.r.Policy().Mask(text)
	return string(text)
}

// file returns the lines of a file, none when it cannot be read.
func (s *search) file(p string) [][]byte {
	lines, ok := s.lines[p]
	if !ok {
		if data, err := s.text(p); err == nil {
			lines = bytes.Split(data, []byte("\n"))
		}
		s.lines[p] = lines
	}
	return lines
}

// text reads a file, or its unsaved buffer.
func (s *search) text(p string) ([]byte, error) {
	if _, unsaved := s.r.Overlay(p); !unsaved && s.files != nil {
		if f := s.files.File(p); f != nil {
			return f.Text()
		}
	}
	return s.r.ReadText(p)
}

func (s *search) namePlace(e codegraph.Entity) codegraph.Location {
	return repository.NameIn(e, s.file(e.Path))
}
