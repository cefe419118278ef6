package skill

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// A gateCond is one term of a guard: passed.STEP or approved.STEP.
type gateCond struct {
	step     string
	approved bool
}

func (g gateCond) String() string {
	if g.approved {
		return "approved." + g.step
	}
	return "passed." + g.step
}

// parseGuard reads a conjunction of passed.X and approved.Y. An empty one never holds.
func parseGuard(until string) ([]gateCond, error) {
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
	var out []gateCond
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
				out = append(out, gateCond{prop.Value, id.Value == "approved"})
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

var usedCall = regexp.MustCompile(`\bused\(\s*(?:'([^']*)'|"([^"]*)")\s*\)`)

func usedIn(expr string) (out []string) {
	for _, m := range usedCall.FindAllStringSubmatch(expr, 50) {
		out = append(out, cmp.Or(m[1], m[2]))
	}
	return out
}

// A literal is a condition, or its opposite.
type literal struct {
	text  string // as the parser prints it
	value bool
}

// constantly evaluates an expression that names nothing.
func constantly(src string) (value, constant bool) {
	e, err := compileExpr(src)
	if err != nil || len(e.names) > 0 {
		return false, false
	}
	v, err := e.eval(map[string]any{})
	b, ok := v.(bool)
	return b, err == nil && ok
}

// literals are the conditions that an expression joins by &&.
func literals(src string) (out []literal) {
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
		out = append(out, literal{n.String(), value})
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
