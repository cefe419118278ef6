package lint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/workflow"
)

const (
	maxTried  = 100 // conditions of a workflow that are tried
	tryStates = 300
	tryList   = 300 // longest list
	tryText   = 200_000
	tryMemory = 20_000 // elements an expression may build
	tryGiveUp = 100    // states without an answer, to give up
	tryFields = 8      // fields that are given values: they stand in one another
	tryEnough = 10     // states in which it came out so, to believe that it always does
	tryWork   = 40_000_000
)

// tries is what trying conditions may still cost for one skill, in values made and looked at: a hostile skill has many
// conditions, of many names, whose closures look at every pair of elements.
type tries struct {
	left int
	cut  int // conditions that were not tried, or not on all states
}

// condition evaluates a condition on states that a run might be in: lists of many lengths around the numbers that the
// condition names, texts and truths around those it names, gates open and closed. always says that it was true in every
// state in which it was a condition at all, never that it was false in every one, and both want enough of them. The states
// are the same each time. Of a condition that costs too much it says nothing.
func (t *tries) condition(w *workflow.Workflow, src string) (always, never bool) {
	e, err := expression.Compile(src)
	if err != nil {
		return false, false
	}
	lits := literalsIn(src)
	rnd := rand.New(rand.NewPCG(7, 11))
	yes, no := 0, 0
	if v, constant := expression.Constant(src); constant {
		return v, !v
	}
	for i := range tryStates {
		if i == tryGiveUp && yes+no == 0 {
			break // it is no condition of anything, or builds too much
		}
		lits.room = t.left
		env := lits.state(w, e, rnd, i)
		if t.left -= lits.cost(); t.left <= 0 {
			t.cut++
			return false, false
		}
		v, err := e.EvalWithin(env, tryMemory)
		b, ok := v.(bool)
		switch {
		case err != nil || !ok:
		case b:
			yes++
		default:
			no++
		}
		if yes > 0 && no > 0 {
			return false, false
		}
	}
	return yes >= tryEnough && no == 0, yes == 0 && no >= tryEnough
}

// exprLiterals are what an expression says about the states that matter to it: values, fields, and what names and fields
// are used as.
type exprLiterals struct {
	texts   []string
	numbers []float64
	fields  []string
	maps    map[string]bool // names, and fields behind a dot, whose fields are read
	lists   map[string]bool // names, and fields behind a dot, whose elements are looked at
	long    map[int]string  // texts by length
	kinds   map[string]int  // of the state that is being made: what each field holds
	nodes   int             // of the expression
	nested  int             // closures in closures
	room    int             // values that the state may still take
	made    int             // values in it
	bytes   int             // of its texts
	longest int             // of its lists
}

// cost is what the state took to make, and what the expression may take to look at it.
func (l *exprLiterals) cost() int {
	looks := l.made + l.bytes/16
	for range l.nested {
		looks = min(looks, 1<<20) * max(1, l.longest/2)
	}
	return 4*l.made + looks*l.nodes/8
}

func literalsIn(src string) *exprLiterals {
	out := &exprLiterals{texts: []string{"", "x"}, numbers: []float64{0, 1, 2, 20}, maps: map[string]bool{}, lists: map[string]bool{}, long: map[int]string{}}
	tree, err := parser.Parse(src)
	if err != nil {
		return out
	}
	node := tree.Node
	ast.Walk(&node, out)
	out.nested = max(0, expression.ClosureDepth(tree.Node)-1)
	return out
}

func (l *exprLiterals) Visit(n *ast.Node) {
	l.nodes++
	switch n := (*n).(type) {
	case *ast.StringNode:
		l.texts = append(l.texts, n.Value)
	case *ast.IntegerNode:
		l.number(float64(n.Value))
	case *ast.FloatNode:
		l.number(n.Value)
	case *ast.MemberNode:
		if s, ok := n.Property.(*ast.StringNode); ok && len(l.fields) < tryFields && !slices.Contains(l.fields, s.Value) {
			l.fields = append(l.fields, s.Value)
		}
		if name := fieldOrName(n.Node); name != "" {
			if _, text := n.Property.(*ast.StringNode); text {
				l.maps[name] = true
			} else {
				l.lists[name] = true
			}
		}
	case *ast.BuiltinNode:
		if len(n.Arguments) > 0 && n.Name != "len" { // a text has a length too
			l.lists[fieldOrName(n.Arguments[0])] = true
		}
	case *ast.CallNode:
		for _, arg := range n.Arguments {
			l.lists[fieldOrName(arg)] = true
		}
	}
}

// fieldOrName is a name, or the last field of a chain with its dot.
func fieldOrName(n ast.Node) string {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return n.Value
	case *ast.ChainNode:
		return fieldOrName(n.Node)
	case *ast.MemberNode:
		if s, ok := n.Property.(*ast.StringNode); ok {
			return "." + s.Value
		}
	}
	return ""
}

func (l *exprLiterals) number(v float64) {
	for _, x := range []float64{v - 1, v, v + 1} {
		if !slices.Contains(l.numbers, x) {
			l.numbers = append(l.numbers, x)
		}
	}
}

// state is one state: in the first nothing was found and nothing passed, in the second much of everything.
func (l *exprLiterals) state(w *workflow.Workflow, e *expression.Program, rnd *rand.Rand, i int) map[string]any {
	l.kinds = map[string]int{}
	l.made, l.bytes, l.longest = 0, 0, 1
	for _, f := range l.fields {
		if l.kinds[f] = rnd.IntN(6); rnd.IntN(2) == 0 {
			l.kinds[f] = 0 // most fields are texts
		}
		switch {
		case l.maps["."+f] && rnd.IntN(10) < 8:
			l.kinds[f] = 5
		case l.lists["."+f] && rnd.IntN(10) < 8:
			l.kinds[f] = 3 + rnd.IntN(2)
		}
	}
	env := map[string]any{}
	passed, approved, results, inputs := map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}
	gates := slices.Contains(e.Names, "passed") || slices.Contains(e.Names, "approved")
	for st := range w.All() {
		if l.made++; gates {
			passed[st.ID], approved[st.ID] = l.truth(rnd, i), l.truth(rnd, i)
		}
		if slices.Contains(e.Members["results"], st.ID) {
			results[st.ID] = map[string]any{"text": l.text(rnd, i), "verdict": l.verdict(rnd), "data": l.value(rnd, i, 1)}
		}
		if !slices.Contains(e.Names, st.ID) {
			continue
		}
		switch env[st.ID] = l.value(rnd, i, 0); {
		case l.maps[st.ID] && rnd.IntN(10) < 8:
			env[st.ID] = l.mapping(rnd, i, 0)
		case l.lists[st.ID] && i > 1 && rnd.IntN(10) < 8:
			env[st.ID] = l.list(rnd, i)
		}
	}
	for _, n := range e.Names { // the element of an each
		if _, ok := env[n]; !ok {
			env[n] = l.value(rnd, i, 0)
		}
	}
	for _, in := range w.Inputs {
		if l.made++; !slices.Contains(e.Members["inputs"], in.Name) {
			inputs[in.Name] = "" // at most counted
			continue
		}
		switch in.Type {
		case "string":
			inputs[in.Name] = l.text(rnd, i)
		case "number", "integer":
			inputs[in.Name] = l.some(rnd)
		case "boolean":
			inputs[in.Name] = l.truth(rnd, i)
		case "list":
			inputs[in.Name] = l.list(rnd, i)
		default:
			inputs[in.Name] = l.value(rnd, i, 0)
		}
	}
	env["inputs"], env["passed"], env["approved"], env["results"] = inputs, passed, approved, results
	return env
}

func (l *exprLiterals) truth(rnd *rand.Rand, i int) bool {
	return i == 1 || i > 1 && rnd.IntN(2) == 0
}

func (l *exprLiterals) text(rnd *rand.Rand, i int) (out string) {
	if i == 0 {
		return ""
	}
	defer func() { l.made, l.bytes = l.made+1, l.bytes+len(out) }()
	if rnd.IntN(6) == 0 { // a text of a length that the condition may ask about
		n := int(max(0, min(tryText, l.some(rnd))))
		if _, made := l.long[n]; !made {
			l.long[n] = strings.Repeat("x", n)
		}
		return l.long[n]
	}
	return l.texts[rnd.IntN(len(l.texts))]
}

func (l *exprLiterals) some(rnd *rand.Rand) float64 { return l.numbers[rnd.IntN(len(l.numbers))] }

func (l *exprLiterals) verdict(rnd *rand.Rand) string {
	return []string{"", skill.VerdictFound, skill.VerdictNoneKnown, skill.VerdictVerifiedNone}[rnd.IntN(4)]
}

func (l *exprLiterals) value(rnd *rand.Rand, i, depth int) any {
	l.made++
	if i == 0 {
		return []any{}
	}
	if i == 1 {
		return l.items(tryList, 40, rnd, i)
	}
	switch k := rnd.IntN(10); {
	case k < 5:
		return l.list(rnd, i)
	case k < 7 && depth < 2:
		return l.mapping(rnd, i, depth)
	case k < 8:
		return l.text(rnd, i)
	case k < 9:
		return l.some(rnd)
	}
	return l.truth(rnd, i)
}

func (l *exprLiterals) mapping(rnd *rand.Rand, i, depth int) map[string]any {
	l.made += 2
	m := map[string]any{"text": l.text(rnd, i), "status": []string{skill.StatusDone, skill.StatusInsufficient, skill.StatusVerifiedNone}[rnd.IntN(3)]}
	for _, f := range l.fields {
		m[f] = l.field(f, rnd, i, depth)
	}
	return m
}

// field is what a field holds: of one kind within a state, as tools and models give it.
func (l *exprLiterals) field(f string, rnd *rand.Rand, i, depth int) any {
	switch k := l.kinds[f]; {
	case k == 0 || depth > 2:
		return l.text(rnd, i)
	case k == 1:
		return l.some(rnd)
	case k == 2:
		return l.truth(rnd, i)
	case k == 3:
		out := make([]any, rnd.IntN(4))
		for j := range out {
			out[j] = l.text(rnd, i)
		}
		return out
	case k == 4:
		out := make([]any, rnd.IntN(4))
		for j := range out {
			out[j] = l.mapping(rnd, i, depth+1)
		}
		return out
	}
	return l.mapping(rnd, i, depth+1)
}

func (l *exprLiterals) list(rnd *rand.Rand, i int) []any {
	n := int(max(0, min(tryList, l.some(rnd))))
	if rnd.IntN(4) == 0 {
		l.longest = max(l.longest, min(n, 20))
		out := make([]any, min(n, 20))
		for j := range out {
			out[j] = l.text(rnd, i)
		}
		return out
	}
	return l.items(n, 1+rnd.IntN(6), rnd, i)
}

// items are found things, of so many documents in turn.
func (l *exprLiterals) items(n, docs int, rnd *rand.Rand, i int) []any {
	if l.made > l.room {
		return []any{} // the state costs too much: it is not looked at
	}
	l.longest = max(l.longest, n)
	l.made += 10 * n
	out := make([]any, n)
	for j := range out {
		m := map[string]any{"key": fmt.Sprintf("D%d", j+1), "kind": "passage", "text": l.text(rnd, i), "doc": fmt.Sprintf("d%d", j%docs),
			"id": fmt.Sprintf("d%d", j%docs), "path": fmt.Sprintf("p%d.py", j%docs), "tier": "phrase", "line": float64(j + 1), "score": 1.0}
		for _, f := range l.fields {
			if _, ok := m[f]; !ok || rnd.IntN(2) == 0 {
				m[f] = l.field(f, rnd, i, 1)
			}
		}
		out[j] = m
	}
	return out
}
