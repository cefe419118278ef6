package expression

import (
	"cmp"
	"fmt"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Gate is one term of a guard: passed.STEP or approved.STEP.
type Gate struct {
	Step     string
	Approved bool
}

func (g Gate) String() string {
	if g.Approved {
		return "approved." + g.Step
	}
	return "passed." + g.Step
}

// ParseGates reads a conjunction of passed.X and approved.Y. An empty one never holds.
func ParseGates(until string) ([]Gate, error) {
	if until == "" {
		return nil, nil
	}
	if len(until) > maxExprBytes {
		return nil, fmt.Errorf("over %d bytes", maxExprBytes)
	}
	tree, err := parser.Parse(until)
	if err != nil {
		return nil, oneLine(err)
	}
	var out []Gate
	var walk func(ast.Node) error
	walk = func(n ast.Node) error {
		switch n := n.(type) {
		case *ast.BinaryNode:
			if n.Operator != "&&" && n.Operator != "and" {
				return fmt.Errorf("only && between gates, not %s", n.Operator)
			}
			if err := walk(n.Left); err != nil {
				return err
			}
			return walk(n.Right)
		case *ast.MemberNode:
			id, ok := n.Node.(*ast.IdentifierNode)
			prop, named := n.Property.(*ast.StringNode)
			if ok && named && (id.Value == "passed" || id.Value == "approved") {
				out = append(out, Gate{prop.Value, id.Value == "approved"})
				return nil
			}
		}
		return fmt.Errorf("only passed.STEP and approved.STEP, joined by &&")
	}
	if err := walk(tree.Node); err != nil {
		return nil, err
	}
	return out, nil
}

var usedCall = lazyregexp.New(`\bused\(\s*(?:'([^']*)'|"([^"]*)")\s*\)`)

// UsedTools are the tools that an expression asks for with used("tool").
func UsedTools(expr string) (out []string) {
	for _, m := range usedCall.FindAllStringSubmatch(expr, 50) {
		out = append(out, cmp.Or(m[1], m[2]))
	}
	return out
}

// A Literal is a condition, or its opposite.
type Literal struct {
	Text  string // as the parser prints it
	Value bool
}

// Constant evaluates an expression that names nothing.
func Constant(src string) (value, constant bool) {
	e, err := Compile(src)
	if err != nil || len(e.Names) > 0 {
		return false, false
	}
	v, err := e.Eval(map[string]any{})
	b, ok := v.(bool)
	return b, err == nil && ok
}

// Literals are the conditions that an expression joins by &&.
func Literals(src string) (out []Literal) {
	tree, err := parser.Parse(src)
	if err != nil {
		return nil
	}
	var walk func(n ast.Node, value bool)
	walk = func(n ast.Node, value bool) {
		switch n := n.(type) {
		case *ast.BinaryNode:
			if value && (n.Operator == "&&" || n.Operator == "and") {
				walk(n.Left, true)
				walk(n.Right, true)
				return
			}
			if b, ok := n.Right.(*ast.BoolNode); ok && n.Operator == "==" && isGateMember(n.Left) {
				walk(n.Left, value == b.Value)
				return
			}
		case *ast.UnaryNode:
			if n.Operator == "!" || n.Operator == "not" {
				walk(n.Node, !value)
				return
			}
		}
		out = append(out, Literal{n.String(), value})
	}
	walk(tree.Node, true)
	return out
}

func isGateMember(n ast.Node) bool {
	m, ok := n.(*ast.MemberNode)
	if !ok {
		return false
	}
	id, ok := m.Node.(*ast.IdentifierNode)
	return ok && (id.Value == "passed" || id.Value == "approved")
}
