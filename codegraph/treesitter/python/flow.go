package python

import (
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A flow is what is known of the variables of the scope at hand at the place at hand. A variable that was assigned on every way to
// the place holds that value there, and none that it was given before or will be given later. Where ways meet again, or in
// a loop that assigns it, a variable may hold anything that its name is ever bound to; then it is not in the flow.
type flow struct {
	*sketch
	env      map[string]int32           // by name, or by dotted path for what a test has shown
	paths    int                        // how many dotted paths were ever put into env
	versions map[string]int             // assignments to a name in this scope that were followed
	shared   map[string]bool            // names that other scopes assign: global, nonlocal
	typed    map[string]bool            // names whose annotation tells more than an assignment
	loops    int                        // loops around the place
	silent   int                        // more than 0: references are not recorded
	tests    int                        // tests within one another that are looked at
	binders  []bool                     // by symbol: nodes that hold targets
	globals  map[int32]map[string]int32 // names declared global or nonlocal, with the scope they are bound in
}

const (
	maxVersions  = 16 // assignments to one name that are followed: each may stand on the one before
	maxLoops     = 8  // loops in one another through which values are followed: what each assigns is looked up anew
	maxVariables = 100
	maxTests     = 12 // operands of one test that are looked at: each is looked at again for those behind it
	maxSlice     = 16 // elements of a known list that a slice may have to be known itself
)

// newFlow gives the flow of a file, which leaves alone what other scopes assign.
func newFlow(t *core.Tree) flow {
	p := flow{sketch: &sketch{syntax: syntax{core.Sketch{Tree: t}}}, env: map[string]int32{}, versions: map[string]int{}, shared: map[string]bool{}, typed: map[string]bool{},
		globals: map[int32]map[string]int32{}}
	p.binders = make([]bool, len(p.Grammar.Symbols))
	for i, s := range p.Grammar.Symbols {
		switch s {
		case "assignment", "augmented_assignment", "for_statement", "for_in_clause", "named_expression", "as_pattern_target", "delete_statement",
			"case_pattern", "function_definition", "class_definition", "import_statement", "import_from_statement", "type_alias_statement":
			p.binders[i] = true
		}
	}
	for n := range p.Nodes {
		if k := p.Kind(int32(n)); k == "global_statement" || k == "nonlocal_statement" {
			for c := range p.Children(int32(n)) {
				p.shared[p.Text(c)] = true
			}
		}
	}
	return p
}

// newScope runs f with the flow of a new scope. What is known around it need not hold when it runs.
func (p *flow) newScope(f func()) {
	before := *p
	p.env, p.versions, p.typed, p.loops = map[string]int32{}, map[string]int{}, map[string]bool{}, 0
	f()
	before.paths, before.silent = p.paths, p.silent
	*p = before
}

func (p *flow) snapshot() map[string]int32 { return maps.Clone(p.env) }

// hold says that a variable holds x from here on.
func (p *flow) hold(name string, x, scope int32) {
	p.forget(name)
	if name == "" || p.shared[name] || p.typed[name] || p.loops > maxLoops || len(p.env) >= maxVariables || p.scopeOf(scope, name) != scope {
		return
	}
	if p.versions[name]++; p.versions[name] > maxVersions {
		return
	}
	x = p.OrUnknown(x)
	p.env[name] = p.B.Of(lang.OpHeld, x, name)
}

// forget says that nothing is known of a variable any more, nor of what is behind it.
func (p *flow) forget(name string) {
	delete(p.env, name)
	if p.paths > 0 {
		p.forgetPath(name + ".")
	}
}

func (p *flow) forgetAll(names []string) {
	for _, name := range names {
		p.forget(name)
	}
}

// forgetPath forgets what a test has shown of a path and of all that it begins.
func (p *flow) forgetPath(path string) {
	if p.paths == 0 || path == "" {
		return
	}
	for k := range p.env {
		if strings.HasPrefix(k, path) && strings.Contains(k, ".") {
			delete(p.env, k)
		}
	}
}

// targets lists the names that are bound within a node.
func (p *flow) targets(n int32) []string {
	var out []string
	for i := n; i < p.Next(n); i++ {
		r := &p.Nodes[i]
		if int(r.Symbol) >= len(p.binders) || !p.binders[r.Symbol] {
			continue
		}
		at := i
		switch p.Kind(i) {
		case "for_statement", "for_in_clause", "assignment", "augmented_assignment":
			at = p.Field(i, "left")
		case "named_expression", "function_definition", "class_definition":
			at = p.Field(i, "name")
		}
		for j := at; j >= 0 && j < p.Next(at); j++ {
			if p.Kind(j) == "identifier" {
				out = append(out, p.Text(j))
			}
		}
	}
	return out
}

// loop runs f for what is done again and again: what is assigned on the way may be there from the time before.
func (p *flow) loop(n int32, f func()) {
	if p.loops++; p.loops > maxLoops {
		clear(p.env)
		f()
		clear(p.env)
		p.loops--
		return
	}
	names := p.targets(n)
	p.forgetAll(names)
	f()
	p.forgetAll(names)
	p.loops--
}

// meet gives what is known where ways come together: of each variable what it may hold, if all ways know.
func (p *flow) meet(ways []map[string]int32) map[string]int32 {
	if len(ways) == 0 {
		return map[string]int32{}
	}
	out := ways[0]
	for _, w := range ways[1:] {
		next := map[string]int32{}
		for _, k := range slices.Sorted(maps.Keys(out)) {
			a := out[k]
			b, ok := w[k]
			switch {
			case !ok:
			case a == b:
				next[k] = a
			case !strings.Contains(k, "."):
				next[k] = p.B.Of(lang.OpHeld, p.B.Any(a, b), k)
			}
		}
		out = next
	}
	return out
}

// setElement says what a container holds under a constant key from here on. Whatever may change the container, or another name
// for it, ends that.
func (p *flow) setElement(path string, x int32) {
	if i := strings.LastIndex(path, ".["); i > 0 && x != lang.None {
		p.forgetPath(path)
		p.refine(path, p.B.Of(lang.OpHeld, x, ""))
	}
}

// forgetElements forgets what the container under a path holds; all containers when it is "".
func (p *flow) forgetElements(path string) {
	if p.paths == 0 {
		return
	}
	for k := range p.env {
		if strings.HasPrefix(k, path) && strings.Contains(k[len(path):], ".[") {
			delete(p.env, k)
		}
	}
}

// refine says that a variable or attribute is x, as a test has shown.
func (p *flow) refine(path string, x int32) {
	if path == "" || x == lang.None || p.shared[path] || p.loops > maxLoops || len(path) > 80 || len(p.env) >= maxVariables {
		return
	}
	if strings.Contains(path, ".") {
		p.paths++
		p.env[path] = x
		return
	}
	p.env[path] = p.B.Of(lang.OpHeld, x, path)
}

func (p *flow) scopeOf(scope int32, name string) int32 {
	if to, ok := p.globals[scope][name]; ok {
		return to
	}
	return scope
}
