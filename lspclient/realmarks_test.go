package lspclient

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

var update = flag.Bool("update", false, "write what is found to testdata/renames")

// edgeServer is a server that every question is asked, about a marked repository, by name and by place.
type edgeServer struct {
	entry, program string
	probe          []string
	repo           string
	// offersNo: questions that the server does not offer.
	offersNo []string
	// differs: answers that are not what the marks say, "question name" or "question *", with the reason. One that is not
	// needed any more fails the test.
	differs map[string]deviation
	// refuses: names that it does not rename, with a part of what it says.
	refuses map[string]string
	slow    bool
}

// What several servers have in common.
var (
	// alias: the servers of Python take an import under another name for a symbol of its own.
	alias     = deviation{lacks: []string{"edge/tail.py:11"}, why: "uses under another name are those of the alias"}
	stubFirst = deviation{adds: []string{"edge/plain.pyi:1"}, why: "both the source and its stub are given"}
	stubUsers = "asked about the source it leaves out the uses that its stub has; they are there, and it is not known that they are all"
	selfAmong = "the target is among its implementations"
	// related: the declarations that a method implements or is implemented by count as one symbol.
	related = "what a method implements, and what implements it, is one symbol with it"
)

// together returns the deviations of all the maps.
func together(list ...map[string]deviation) map[string]deviation {
	all := map[string]deviation{}
	for _, m := range list {
		maps.Copy(all, m)
	}
	return all
}

var (
	aliased = map[string]deviation{"references carrier": alias, "references and declarations carrier": alias}
	ownImpl = map[string]deviation{
		"implementations Signal":       {adds: []string{"edge/wire.py:1"}, why: selfAmong},
		"implementations Signal.power": {adds: []string{"edge/wire.py:2"}, why: selfAmong},
	}
	pyrightOwn = map[string]deviation{
		"definition at a use edge/plainuse.py:1:24": stubFirst,
		"definition at a use edge/plainuse.py:5:12": stubFirst,
		"incoming calls Outer.Inner.Deep.reach":     {adds: []string{"edge/over.py:15 on edge/over.py:16"}, why: "a method that is handed on counts as called"},
	}
	webOwn = map[string]deviation{
		"references Signal.power":                  {adds: []string{"src/wire.ts:6"}, why: related},
		"references and declarations Signal.power": {adds: []string{"src/wire.ts:6"}, why: related},
		"references Loud.power":                    {adds: []string{"src/wire.ts:10", "src/wire.ts:2"}, why: related},
		"references and declarations Loud.power":   {adds: []string{"src/wire.ts:10", "src/wire.ts:2"}, why: related},
		"incoming calls Outer.Inner.reach":         {adds: []string{"src/over.ts:7 on src/over.ts:7"}, why: "a method that is handed on counts as called"},
		"definition at a use src/plainuse.ts:1:10": {lacks: []string{"src/plain.js:1"}, adds: []string{"src/plain.d.ts:1"}, why: "a use leads to the declaration file"},
		"definition at a use src/plainuse.ts:4:10": {lacks: []string{"src/plain.js:1"}, adds: []string{"src/plain.d.ts:1"}, why: "a use leads to the declaration file"},
	}
)

// oldClangd is Debian's clangd of that name, which stands for what distributions ship.
const oldClangd = "clangd-14"

// constructed: the outgoing calls are derived, and what looks like one may construct.
const constructed = "a class that is constructed counts as called"

var clangOwn = map[string]deviation{
	"references Loud.power":                    {adds: []string{"include/wire.hpp:8", "src/wire.cpp:6"}, why: related},
	"references and declarations Loud.power":   {adds: []string{"include/wire.hpp:8", "src/wire.cpp:6"}, why: related},
	"definitions Signal.power":                 {adds: []string{"include/wire.hpp:13"}, why: "a method without a body leads to those that override it"},
	"references and declarations Signal.power": {adds: []string{"include/wire.hpp:13"}, why: "a method without a body leads to those that override it"},
	"renaming carrier":                         {degraded: true, why: "behind a lone carriage return in a file it puts an edit somewhere else"},
}

var edgeServers = []edgeServer{
	{entry: "gopls", program: "gopls", probe: []string{"version"}, repo: "goedge", differs: map[string]deviation{
		"incoming calls Loud.Power": {adds: []string{"wire/wire.go:16 on wire/wire.go:17"}, why: "a call of an interface's method counts for every type"}}},
	{entry: "pyright", program: "pyright", probe: []string{"--version"}, repo: "pyedge", offersNo: []string{"implementations"}, differs: together(aliased, pyrightOwn)},
	{entry: "basedpyright", program: "basedpyright", probe: []string{"--version"}, repo: "pyedge", differs: together(aliased, pyrightOwn, ownImpl)},
	{entry: "ty", program: "ty", probe: []string{"--version"}, repo: "pyedge", differs: together(aliased, ownImpl, map[string]deviation{
		"incoming calls stubbed": {degraded: true, why: stubUsers}, "renaming stubbed": {degraded: true, why: stubUsers}})},
	{entry: "pylsp", program: "pylsp", probe: []string{"--version"}, repo: "pyedge", offersNo: []string{"implementations", "workspace symbols"}, differs: together(aliased, map[string]deviation{
		"errors edge/broken.py": {lacks: []string{"edge/broken.py:2"}, why: "no linter is installed beside it"},
	}), refuses: map[string]string{"edge/feed.py:8:18": "the end of a line"}},
	{entry: "typescript", program: "tsc", probe: []string{"--lsp", "--stdio"}, repo: "tsedge", differs: webOwn},
	{entry: "typescript-language-server", program: "typescript-language-server", probe: []string{"--version"}, repo: "tsedge", differs: webOwn},
	{entry: "clangd", program: "clangd", probe: []string{"--version"}, repo: "cppedge", differs: together(clangOwn, map[string]deviation{
		"definition at a use include/wire.hpp:7:12": {adds: []string{"include/wire.hpp:7"}, lacks: []string{"include/wire.hpp:5"}, why: "the name of a destructor leads to the destructor"},
	}), refuses: map[string]string{"größe": "there is no symbol"}},
	{entry: "clangd", program: oldClangd, probe: []string{"--version"}, repo: "cppedge", differs: together(clangOwn, map[string]deviation{
		"outgoing calls Outer.Other.reach": {adds: []string{"src/over.cpp:8 on src/over.cpp:12"}, why: constructed},
		"outgoing calls carrier":           {adds: []string{"include/wire.hpp:11 on src/wire.cpp:10"}, why: constructed},
	}), refuses: map[string]string{"größe": "there is no symbol"}},
	{entry: "rust-analyzer", program: "rust-analyzer", probe: []string{"--version"}, repo: "rsedge", slow: true, differs: map[string]deviation{
		"references Signal.power":                  {adds: []string{"wire/src/lib.rs:14"}, why: related},
		"references and declarations Signal.power": {adds: []string{"wire/src/lib.rs:14"}, why: related},
	}},
}

// edgeTest is the test of one server.
type edgeTest struct {
	*testing.T
	*markedRepo
	c    *Client
	s    edgeServer
	used map[string]bool // deviations that were met
}

// TestRealMarks asks every server every question about every marked name, by name and by place.
func TestRealMarks(t *testing.T) {
	for _, s := range edgeServers {
		t.Run(testName(s.entry, s.program), func(t *testing.T) {
			apart(t, s.entry)
			path := need.Tool(t, s.program, s.probe...)
			if s.program == oldClangd {
				callIt(t, path, "clangd")
			}
			if s.slow && testing.Short() {
				t.Skip("a start takes long")
			}
			c, root := realClient(t, s.entry, s.repo)
			e := &edgeTest{T: t, markedRepo: readMarks(t, root), c: c, s: s, used: map[string]bool{}}
			for _, name := range slices.Sorted(maps.Keys(e.defs)) {
				e.places(name, Named(name), "by name")
				e.places(name, e.place(t, name), "by place")
				e.uses(name)
			}
			e.written()
			e.snapped()
			e.workspace()
			e.hovers()
			e.renamings()
			e.files()
			for key := range s.differs {
				if !e.used[key] {
					t.Errorf("%s does not deviate any more", key)
				}
			}
		})
	}
}

// want is what an answer must be, the deviations of the server counted in.
func (e *edgeTest) want(question, name string, marked []string) (want []string, degraded bool) {
	for _, key := range []string{question + " " + name, question + " *"} {
		if dev, ok := e.s.differs[key]; ok {
			e.used[key] = true
			marked = slices.DeleteFunc(slices.Concat([]string{}, marked, dev.adds), func(at string) bool { return slices.Contains(dev.lacks, at) })
			slices.Sort(marked)
			return slices.Compact(marked), dev.degraded
		}
	}
	return marked, false
}

// same checks an answer. An error counts as an answer only where the server does not offer the question.
func (e *edgeTest) same(question, name, how string, marked, got []string, a Answer, err error) {
	e.Helper()
	if slices.Contains(e.s.offersNo, question) {
		if !errors.Is(err, ErrUnsupported) {
			e.Errorf("%s of %s %s: %v, and yet the server is said not to offer it", question, name, how, err)
		}
		return
	}
	want, degraded := e.want(question, name, marked)
	if err != nil {
		e.Errorf("%s of %s %s: %v", question, name, how, err)
		return
	}
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || (a.State == Complete) == degraded {
		e.Errorf("%s of %s %s: %s %s (-want +got):\n%s", question, name, how, a.State, a.Reason, diff)
	}
}

// places asks the questions about a name that are answered with places and calls.
func (e *edgeTest) places(name string, t Target, how string) {
	ctx := e.Context()
	r, err := e.c.Definition(ctx, t, nil)
	e.locations("definitions", name, how, []string{e.defs[name].at()}, r, err)
	r, err = e.c.References(ctx, t, nil)
	e.locations("references", name, how, e.of("use", name), r, err)
	if r != nil && r.Total == 0 && !r.None() {
		e.Errorf("references of %s %s: there are none, and that is not said", name, how)
	}
	for _, use := range e.marks { // asked at a use in another file the answer is the same
		if n, alias := use.split2(); use.kind == "use" && n == name && alias == n && use.path != e.defs[name].path && how == "by place" {
			at := At(use.path, use.line, e.columns(use.path, use.line, symbolname.Last(n))[0])
			r, err := e.c.References(ctx, at, nil)
			e.locations("references", name, "at "+at.String(), e.of("use", name), r, err)
			break
		}
	}
	r, err = e.c.References(ctx, t, &ReferenceOptions{Declaration: true})
	e.locations("references and declarations", name, how, slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.of("use", name), e.of("def", name), e.of("decl", name))))), r, err)
	if impls := e.of("impl", name); len(impls) > 0 {
		r, err := e.c.Implementation(ctx, t, nil)
		e.locations("implementations", name, how, impls, r, err)
	}
	for _, one := range e.marks {
		if v, typ := one.split2(); one.kind == "typed" && v == name {
			r, err := e.c.TypeDefinition(ctx, t, nil)
			e.locations("type definitions", name, how, []string{e.defs[typ].at()}, r, err)
		}
	}
	var in, out []string
	for _, one := range e.marks {
		if one.kind != "calls" {
			continue
		}
		if one.args[1] == name {
			in = append(in, e.end(one.args[0])+" on "+one.at())
		}
		if one.args[0] == name {
			out = append(out, e.end(one.args[1])+" on "+one.at())
		}
	}
	if len(in) > 0 {
		r, err := e.c.IncomingCalls(ctx, t, nil)
		e.calls("incoming calls", name, how, in, r, err)
	}
	if len(out) > 0 {
		r, err := e.c.OutgoingCalls(ctx, t, nil)
		e.calls("outgoing calls", name, how, out, r, err)
	}
}

// end is the name of the end of a call.
func (e *edgeTest) end(name string) string {
	if name == "*" {
		return name
	}
	return e.defs[name].at()
}

// endAt is the end of a call at a place.
func (e *edgeTest) endAt(l Location) string {
	at := fmt.Sprintf("%s:%d", l.Path, l.Line)
	for _, one := range e.marks {
		if (one.kind == "def" || one.kind == "decl") && one.at() == at && e.at(l) == symbolname.Last(one.args[0]) {
			return e.defs[one.args[0]].at()
		}
	}
	return "*"
}

// split2 is split for a mark that may have no argument.
func (m mark) split2() (string, string) {
	if len(m.args) == 0 {
		return "", ""
	}
	return m.split()
}

// aliases are the texts under which a name may stand in the files.
func (e *edgeTest) aliases(name string) []string {
	list := []string{symbolname.Last(name)}
	for _, one := range e.marks {
		if one.kind == "use" {
			if n, alias := one.split(); n == name && alias != n {
				list = append(list, alias)
			}
		}
	}
	return list
}

// locations checks places, and that each is just the name.
func (e *edgeTest) locations(question, name, how string, want []string, r *Result, err error) {
	e.Helper()
	if err != nil {
		e.same(question, name, how, want, nil, Answer{}, err)
		return
	}
	for _, l := range r.Locations {
		if text := e.at(l); question == "references" && !slices.Contains(e.aliases(name), text) {
			e.Errorf("%s of %s %s: %+v is %q", question, name, how, l, text)
		}
	}
	if text := e.at(r.Target); text != symbolname.Last(name) {
		e.Errorf("%s of %s %s: the target %+v is %q", question, name, how, r.Target, text)
	}
	if how == "by place" && strings.Contains(r.Note, "column") && len(r.Aliases) == 0 {
		e.Errorf("%s of %s %s: %s", question, name, how, r.Note)
	}
	e.same(question, name, how, want, lines(r.Locations), r.Answer, nil)
}

// calls checks calls whose other end lies below the root.
func (e *edgeTest) calls(question, name, how string, want []string, r *CallsResult, err error) {
	e.Helper()
	if err != nil {
		e.same(question, name, how, want, nil, Answer{}, err)
		return
	}
	var got []string
	for _, call := range r.Calls {
		if call.Selection.Outside() {
			continue
		}
		for _, site := range call.Sites {
			got = append(got, fmt.Sprintf("%s on %s:%d", e.endAt(call.Selection), site.Path, site.Line))
		}
		if len(call.Sites) == 0 {
			got = append(got, e.endAt(call.Selection))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	e.same(question, name, how, slices.Compact(want), slices.Compact(got), r.Answer, nil)
}

// uses goes from every use of a name to its declaration.
func (e *edgeTest) uses(name string) {
	for _, one := range e.marks {
		n, alias := one.split2()
		if one.kind != "use" || n != name {
			continue
		}
		cols := e.columns(one.path, one.line, symbolname.Last(alias))
		if len(cols) == 0 {
			e.Errorf("%s does not hold %s", one.at(), alias)
		}
		// A line may use several of one name, such as an interface's method and that of a type.
		want := map[string]bool{}
		for _, other := range e.marks {
			if o, _ := other.split2(); (other.kind == "use" || other.kind == "def") && other.at() == one.at() && symbolname.Last(o) == symbolname.Last(name) {
				want[e.defs[o].at()] = true
			}
		}
		for _, col := range cols {
			at := At(one.path, one.line, col)
			r, err := e.c.Definition(e.Context(), at, nil)
			if no := e.s.refuses[at.String()]; no != "" {
				if err == nil || !strings.Contains(err.Error(), no) {
					e.Errorf("%v: %+v, %v, and yet the server is said not to know the place", at, r, err)
				}
				continue
			}
			if err == nil && len(want) > 1 && len(r.Locations) == 1 && want[lines(r.Locations)[0]] {
				continue
			}
			var got []string
			var a Answer
			if r != nil {
				got, a = lines(r.Locations), r.Answer
			}
			about := name
			if _, ok := e.s.differs["definition at a use "+at.String()]; ok {
				about = at.String()
			}
			e.same("definition at a use", about, "at "+at.String(), []string{e.defs[name].at()}, got, a, err)
		}
	}
}

// written resolves the names that the marks say.
func (e *edgeTest) written() {
	many := map[string][]string{}
	for _, one := range e.marks {
		switch one.kind {
		case "many":
			many[one.args[0]] = append(many[one.args[0]], one.at())
		case "name":
			spot, err := e.c.ask.Resolver.Resolve(e.Context(), Named(one.args[0]).query)
			err = public(err)
			var got []string
			if err == nil {
				got = []string{fmt.Sprintf("%s:%d", e.c.pool.Tree.Relative(spot.Abs), spot.Line)}
			}
			e.same("name", one.args[0], "as it is written", []string{one.at()}, got, Answer{State: Complete}, err)
		}
	}
	for name, want := range many {
		_, err := e.c.ask.Resolver.Resolve(e.Context(), Named(name).query)
		err = public(err)
		var several *AmbiguousError
		var got []string
		if errors.As(err, &several) {
			for _, cand := range several.Candidates {
				got = append(got, fmt.Sprintf("%s:%d", cand.Location.Path, cand.Location.Line))
				spot, err := e.c.ask.Resolver.Resolve(e.Context(), Named(cand.Write).query)
				err = public(err)
				if err != nil || spot.Line != cand.Location.Line || e.c.pool.Tree.Relative(spot.Abs) != cand.Location.Path {
					e.Errorf("%q of %q means %+v, %v, want %+v", cand.Write, name, spot, err, cand.Location)
				}
			}
			err = nil
		}
		slices.Sort(got)
		slices.Sort(want)
		e.same("several", name, "as it is written", want, got, Answer{State: Complete}, err)
	}
}

// workspace looks for names in the whole workspace.
func (e *edgeTest) workspace() {
	for _, one := range e.marks {
		if one.kind != "rename" {
			continue
		}
		name := symbolname.Last(one.args[0])
		r, err := e.c.WorkspaceSymbols(e.Context(), name, nil)
		var got []string
		var a Answer
		if err == nil {
			a = r.Answer
			for _, s := range r.Symbols {
				if s.Name == name && e.at(s.Selection) == name {
					got = append(got, fmt.Sprintf("%s:%d", s.Selection.Path, s.Selection.Line))
				}
			}
			slices.Sort(got)
		}
		// Servers differ in whether they list declarations beside the definition.
		got = slices.DeleteFunc(got, func(at string) bool { return slices.Contains(e.of("decl", name), at) })
		e.same("workspace symbols", name, "by name", e.of("def", name), got, a, err)
	}
}

// snapped asks about columns that miss the identifier.
func (e *edgeTest) snapped() {
	for _, one := range e.marks {
		if one.kind != "snap" {
			continue
		}
		var col int
		if _, err := fmt.Sscan(one.args[0], &col); err != nil {
			e.Fatal(err)
		}
		r, err := e.c.Definition(e.Context(), At(one.path, one.line, col), nil)
		if err != nil {
			e.Errorf("%s:%d: %v", one.at(), col, err)
			continue
		}
		if got := e.at(r.Target); got != one.args[1] || r.Note == "" {
			e.Errorf("%s:%d means %q at %+v, note %q, want %q", one.at(), col, got, r.Target, r.Note, one.args[1])
		}
	}
}

// hovers asks what the server shows.
func (e *edgeTest) hovers() {
	for _, one := range e.marks {
		if one.kind != "hover" {
			continue
		}
		for how, t := range map[string]Target{"by name": Named(one.args[0]), "by place": e.place(e.T, one.args[0])} {
			h, err := e.c.Hover(e.Context(), t)
			if err != nil {
				e.Errorf("hover of %s %s: %v", one.args[0], how, err)
			} else if !strings.Contains(h.Text, one.args[1]) || h.State != Complete {
				e.Errorf("hover of %s %s: %+v, want %q", one.args[0], how, h, one.args[1])
			}
		}
	}
}

// files asks for the declarations and the errors of every file of the server's languages.
func (e *edgeTest) files() {
	for _, path := range slices.Sorted(maps.Keys(e.texts)) {
		if e.c.pool.Registry.Specs[0].LanguageOf(path) == "" {
			continue
		}
		s, err := e.c.Symbols(e.Context(), path)
		if err != nil || s.State != Complete {
			e.Errorf("Symbols(%s) = %+v, %v", path, s, err)
			continue
		}
		have := map[string]string{}
		eachSymbol(s.Symbols, func(s Symbol) {
			d := symbols.Declaration{Name: s.Name, Container: s.Container, At: place.Location(s.Selection), Chain: append(strings.Split(s.Container, "."), s.Name)}
			if s.Container == "" {
				d.Chain = []string{s.Name}
			}
			have[s.Selection.Path+":"+fmt.Sprint(s.Selection.Line)+" "+d.Full()] = e.at(s.Selection)
		})
		for name, def := range e.defs {
			if def.path != path {
				continue
			}
			found := slices.ContainsFunc(slices.Collect(maps.Keys(have)), func(key string) bool {
				at, full, _ := strings.Cut(key, " ")
				return at == def.at() && (full == name || strings.HasSuffix(full, "."+name)) && have[key] == symbolname.Last(name)
			})
			if _, missing := e.s.differs["symbols "+name]; missing {
				e.used["symbols "+name] = !found
			} else if !found {
				e.Errorf("Symbols(%s) lacks %s at %s, has %v", path, name, def.at(), have)
			}
		}
		var wrong []string
		for _, one := range e.marks {
			if one.kind == "wrong" && one.path == path {
				wrong = append(wrong, one.at())
			}
		}
		d, err := e.c.Diagnostics(e.Context(), path, &DiagnosticOptions{Severity: "error"})
		if err != nil {
			e.Errorf("Diagnostics(%s): %v", path, err)
			continue
		}
		var got []string
		for _, one := range d.Diagnostics {
			got = append(got, fmt.Sprintf("%s:%d", one.Location.Path, one.Location.Line))
			if text := e.at(one.Location); text == "" {
				e.Errorf("Diagnostics(%s): %+v is about %q", path, one, text)
			}
		}
		slices.Sort(got)
		e.same("errors", cmp.Or(path), "by place", wrong, slices.Compact(got), d.Answer, nil)
	}
}
