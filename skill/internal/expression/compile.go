package expression

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

const (
	maxExprBytes  = 2000
	maxExprNodes  = 200
	exprMemory    = 200_000 // elements an expression may build
	maxClosures   = 2       // closures in closures: bounds time to the square of a list
	maxRendered   = 1 << 20 // bytes of a text made from a template
	maxExprString = 1 << 20
)

// noBuiltins are left out: they make big values of small ones, read the clock, or read text as data.
var noBuiltins = []string{"repeat", "reduce", "now", "date", "duration", "timezone", "fromJSON", "fromBase64", "toBase64"}

// A Program is a compiled expression. It is safe for concurrent use.
type Program struct {
	program *vm.Program
	Names   []string            // that it takes from outside, sorted
	Members map[string][]string // of passed, approved, inputs: the fields read
}

type nameVisitor struct {
	names    map[string]bool
	members  map[string][]string
	declared map[string]bool
	problem  string
}

func (v *nameVisitor) Visit(n *ast.Node) {
	switch n := (*n).(type) {
	case *ast.IdentifierNode:
		v.names[n.Value] = true
	case *ast.VariableDeclaratorNode:
		v.declared[n.Name] = true
	case *ast.MemberNode:
		id, ok := n.Node.(*ast.IdentifierNode)
		if !ok {
			return
		}
		switch id.Value {
		case "passed", "approved", "inputs", "results":
			s, ok := n.Property.(*ast.StringNode)
			if !ok {
				v.problem = id.Value + "[...] with a computed name"
				return
			}
			v.members[id.Value] = append(v.members[id.Value], s.Value)
		}
	case *ast.BinaryNode:
		if re, ok := n.Right.(*ast.StringNode); n.Operator == "matches" && ok && len(re.Value) > 500 {
			v.problem = "a regular expression over 500 bytes"
		}
	}
}

// ClosureDepth is how deep closures are nested below n.
func ClosureDepth(n ast.Node) int {
	d := &depthVisitor{depth: map[ast.Node]int{}}
	ast.Walk(&n, d)
	return d.most
}

// depthVisitor works bottom up, as ast.Walk visits children before their parent: a predicate's closures are counted by
// walking it once more, which is cheap under the bound on nodes.
type depthVisitor struct {
	depth map[ast.Node]int
	most  int
}

func (d *depthVisitor) Visit(n *ast.Node) {
	p, ok := (*n).(*ast.PredicateNode)
	if !ok {
		return
	}
	inner := &depthVisitor{depth: map[ast.Node]int{}}
	body := p.Node
	ast.Walk(&body, inner)
	d.most = max(d.most, 1+inner.most)
}

// CompileUsed is Compile with what used("tool") answers.
func CompileUsed(src string, used func(args ...any) (any, error)) (c *Program, err error) {
	defer func() {
		if p := recover(); p != nil {
			c, err = nil, fmt.Errorf("the expression cannot be read")
		}
	}()
	switch {
	case strings.TrimSpace(src) == "":
		return nil, errors.New("the expression is empty")
	case len(src) > maxExprBytes:
		return nil, fmt.Errorf("the expression is over %d bytes", maxExprBytes)
	case strings.Count(src, "(")+strings.Count(src, "[")+strings.Count(src, "{") > maxExprNodes ||
		strings.Count(src, "!")+strings.Count(src, "-")+strings.Count(src, "not ") > maxExprNodes:
		return nil, errors.New("the expression is too large")
	}
	if tree, err := parser.Parse(src); err != nil {
		if !strings.Contains(err.Error(), "unknown") {
			return nil, oneLine(err)
		}
	} else if strings.Count(src, "#")+strings.Count(src, "{") > 0 && ClosureDepth(tree.Node) > maxClosures {
		return nil, fmt.Errorf("closures nested over %d deep", maxClosures)
	}
	v := &nameVisitor{names: map[string]bool{}, members: map[string][]string{}, declared: map[string]bool{}}
	opts := []expr.Option{expr.MaxNodes(maxExprNodes), expr.Patch(v), expr.Optimize(false),
		expr.Function("used", used)}
	for name, fn := range functions {
		opts = append(opts, expr.Function(name, fn))
	}
	for _, name := range noBuiltins {
		opts = append(opts, expr.DisableBuiltin(name))
	}
	p, err := expr.Compile(src, opts...)
	if err != nil {
		return nil, oneLine(err)
	}
	if v.problem != "" {
		return nil, errors.New(v.problem)
	}
	node := p.Node()
	if ClosureDepth(node) > maxClosures {
		return nil, fmt.Errorf("closures nested over %d deep", maxClosures)
	}
	for name := range v.declared {
		delete(v.names, name)
	}
	for name := range functions {
		delete(v.names, name)
	}
	delete(v.names, "used")
	return &Program{program: p, Names: slices.Sorted(maps.Keys(v.names)), Members: v.members}, nil
}

// oneLine keeps the first line of the library's message; the rest is a drawing.
func oneLine(err error) error {
	msg, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(msg)
}

// Eval runs the expression on plain JSON values.
func (c *Program) Eval(env map[string]any) (out any, err error) {
	return c.EvalWithin(env, exprMemory)
}

// EvalWithin is eval with a bound on the elements that the expression may build.
func (c *Program) EvalWithin(env map[string]any, budget uint) (out any, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("expression: %v", p)
		}
	}()
	machine := vm.VM{MemoryBudget: budget}
	out, err = machine.Run(c.program, env)
	if err != nil {
		return nil, oneLine(err)
	}
	if s, ok := out.(string); ok && len(s) > maxExprString {
		return nil, fmt.Errorf("expression: text over %d bytes", maxExprString)
	}
	return out, nil
}

// compiledExprs keeps expressions compiled, by their text, since a workflow is checked at each start and a step evaluates
// its own again and again. What an expression compiles to depends on nothing but its text.
var compiledExprs struct {
	mu     sync.Mutex // guards byText
	byText map[string]*Program
}

const maxCompiled = 4000 // expressions of up to 2,000 bytes that are kept; then it starts over

// Compile compiles an expression. What it may name is for the caller to check.
func Compile(src string) (*Program, error) {
	c := &compiledExprs
	c.mu.Lock()
	e, ok := c.byText[src]
	c.mu.Unlock()
	if ok {
		return e, nil
	}
	e, err := CompileUsed(src, func(...any) (any, error) { return nil, errors.New("used is known only when the run has ended") })
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byText == nil || len(c.byText) >= maxCompiled {
		c.byText = map[string]*Program{}
	}
	c.byText[src] = e
	return e, nil
}
