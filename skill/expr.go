package skill

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

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

// exprFunctions are the functions of the house, by name.
var exprFunctions = map[string]func(args ...any) (any, error){
	"docs":        func(a ...any) (any, error) { return distinctDocs(a), nil },
	"identifiers": func(a ...any) (any, error) { return identifiersIn(a), nil },
	"keys_of":     func(a ...any) (any, error) { return keysIn(a), nil },
	"missing":     func(a ...any) (any, error) { return missingIn(a) },
}

// A compiled expression, and the names it takes from outside.
type compiled struct {
	program *vm.Program
	names   []string
	members map[string][]string // of passed, approved, inputs: the fields read
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

// closureDepth is how deep closures are nested below n.
func closureDepth(n ast.Node) int {
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

// compileWith is compileExpr with what used("tool") answers.
func compileWith(src string, used func(args ...any) (any, error)) (c *compiled, err error) {
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
	} else if strings.Count(src, "#")+strings.Count(src, "{") > 0 && closureDepth(tree.Node) > maxClosures {
		return nil, fmt.Errorf("closures nested over %d deep", maxClosures)
	}
	v := &nameVisitor{names: map[string]bool{}, members: map[string][]string{}, declared: map[string]bool{}}
	opts := []expr.Option{expr.MaxNodes(maxExprNodes), expr.Patch(v), expr.Optimize(false),
		expr.Function("used", used)}
	for name, fn := range exprFunctions {
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
	if closureDepth(node) > maxClosures {
		return nil, fmt.Errorf("closures nested over %d deep", maxClosures)
	}
	for name := range v.declared {
		delete(v.names, name)
	}
	for name := range exprFunctions {
		delete(v.names, name)
	}
	delete(v.names, "used")
	return &compiled{program: p, names: slices.Sorted(maps.Keys(v.names)), members: v.members}, nil
}

// oneLine keeps the first line of the library's message; the rest is a drawing.
func oneLine(err error) error {
	msg, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(msg)
}

// eval runs the expression on plain JSON values.
func (c *compiled) eval(env map[string]any) (out any, err error) {
	return c.evalWithin(env, exprMemory)
}

// evalWithin is eval with a bound on the elements that the expression may build.
func (c *compiled) evalWithin(env map[string]any, budget uint) (out any, err error) {
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

// unwrap takes ${...} off an expression that is written as one.
func unwrap(s string) string {
	if parts, err := splitTemplate(s); err == nil && len(parts) == 1 && parts[0].expr {
		return parts[0].text
	}
	return s
}

type part struct {
	text string
	expr bool
}

// splitTemplate cuts "a ${b} c" into its parts. "$${" is a plain "${".
func splitTemplate(s string) (parts []part, err error) {
	for {
		at := strings.Index(s, "${")
		if at < 0 {
			break
		}
		if at > 0 && s[at-1] == '$' {
			parts = append(parts, part{text: s[:at-1] + "${"})
			s = s[at+2:]
			continue
		}
		if at > 0 {
			parts = append(parts, part{text: s[:at]})
		}
		end := exprEnd(s[at+2:])
		if end < 0 {
			return nil, fmt.Errorf("${ without its }: %q", clipText(s[at:], 200))
		}
		parts = append(parts, part{text: s[at+2 : at+2+end], expr: true})
		s = s[at+2+end+1:]
	}
	if s != "" {
		parts = append(parts, part{text: s})
	}
	return parts, nil
}

// exprEnd is the index of the brace that closes an expression; braces inside it and its quotes count.
func exprEnd(s string) int {
	depth := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' && quote != '`' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// identifier finds what looks like a field, type or function name: inner capitals, digits, hyphens or underscores.
var identifier = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*`)

func identifiersIn(args []any) []any {
	seen := map[string]bool{}
	out := []any{}
	for _, a := range args {
		s, _ := a.(string)
		for _, m := range identifier.FindAllString(s, 200) {
			inner := strings.ContainsAny(m, "_0123456789") || strings.IndexFunc(m[1:], isUpper) >= 0 && m != strings.ToUpper(m)
			if inner && !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }

// distinctDocs counts the documents of items.
func distinctDocs(args []any) int {
	seen := map[string]bool{}
	for _, a := range args {
		list, _ := a.([]any)
		for _, el := range list {
			if m, ok := el.(map[string]any); ok {
				if d, _ := m["doc"].(string); d != "" {
					seen[d] = true
				}
			}
		}
	}
	return len(seen)
}

func keysIn(args []any) []any {
	out := []any{}
	for _, a := range args {
		list, _ := a.([]any)
		for _, el := range list {
			if m, ok := el.(map[string]any); ok {
				if k, _ := m["key"].(string); k != "" {
					out = append(out, k)
				}
			}
		}
	}
	return out
}
