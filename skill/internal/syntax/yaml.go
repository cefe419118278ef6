package syntax

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Node is one YAML value with its line in the skill file. The YAML library stays behind it.
type Node struct {
	Line  int
	Kind  NodeKind
	Text  string // of a scalar, as written
	Value any    // of a scalar: string, bool, int, float64 or nil
	List  []*Node
	Keys  []Key // of a mapping, in order
	names map[string]bool
}

// A Key is one of a mapping.
type Key struct {
	Name string
	Line int
	Node *Node
}

// A NodeKind is what a node holds.
type NodeKind int

// The kinds of nodes.
const (
	ScalarNode NodeKind = iota
	ListNode
	MapNode
)

const (
	maxYAMLDepth = 40
	maxYAMLNodes = 20000
)

// nestedDashes finds lines that open many sequences at once; the parser recurses into each.
var nestedDashes = lazyregexp.New(`(?m)^\s*(?:[-?:!&]\S* +){20}`)

// Parse parses one YAML document. Lines count from firstLine. Anchors, aliases, merge keys and tags are refused: a
// skill needs none, and they are how small files become big values.
func Parse(src string, firstLine int) (n *Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			n, err = nil, &Error{firstLine, "the YAML parser cannot read this"}
		}
	}()
	if line, deep := tooDeep(src); deep {
		return nil, &Error{firstLine + line, "nested too deeply"}
	}
	file, err := parser.ParseBytes([]byte(src), 0)
	if err != nil {
		return nil, syntaxError(err, firstLine)
	}
	c := converter{base: firstLine - 1}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if n != nil {
			return nil, &Error{c.line(doc.Body), "a second YAML document: only one is allowed"}
		}
		if n, err = c.convert(doc.Body, 0); err != nil {
			return nil, err
		}
	}
	if n == nil {
		n = &Node{Line: firstLine, Kind: MapNode}
	}
	return n, nil
}

// An Error is what is wrong in a line of a file.
type Error struct {
	Line int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// syntaxError turns the library's error, whose text holds an excerpt, into one line.
func syntaxError(err error, firstLine int) error {
	line := firstLine
	var ye yaml.Error
	if errors.As(err, &ye) {
		if tok := ye.GetToken(); tok != nil && tok.Position != nil {
			line += tok.Position.Line - 1
		}
		return &Error{line, ye.GetMessage()}
	}
	msg, _, _ := strings.Cut(err.Error(), "\n")
	return &Error{line, msg}
}

// tooDeep looks for nesting before the recursive parser does. It counts brackets naively, which is enough for a bound.
func tooDeep(src string) (line int, deep bool) {
	if at := nestedDashes.FindStringIndex(src); at != nil {
		return strings.Count(src[:at[0]], "\n"), true
	}
	depth, indents := 0, 0
	for i, text := range strings.Split(src, "\n") {
		for _, r := range text {
			switch r {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
		}
		indents = len(text) - len(strings.TrimLeft(text, " \t"))
		if depth > 4*maxYAMLDepth || indents > 16*maxYAMLDepth {
			return i, true
		}
	}
	return 0, false
}

type converter struct {
	base  int
	nodes int
}

func (c *converter) line(n ast.Node) int {
	if tok := n.GetToken(); tok != nil && tok.Position != nil {
		return c.base + tok.Position.Line
	}
	return c.base + 1
}

func (c *converter) convert(n ast.Node, depth int) (*Node, error) {
	line := c.line(n)
	if depth > maxYAMLDepth {
		return nil, &Error{line, "nested too deeply"}
	}
	if c.nodes++; c.nodes > maxYAMLNodes {
		return nil, &Error{line, fmt.Sprintf("more than %d values", maxYAMLNodes)}
	}
	out := &Node{Line: line}
	switch n := n.(type) {
	case *ast.MappingNode:
		out.Kind = MapNode
		for _, v := range n.Values {
			if err := c.pair(out, v, depth); err != nil {
				return nil, err
			}
		}
		if len(out.Keys) > 0 {
			out.Line = out.Keys[0].Line
		}
	case *ast.MappingValueNode:
		out.Kind = MapNode
		if err := c.pair(out, n, depth); err != nil {
			return nil, err
		}
		out.Line = out.Keys[0].Line
	case *ast.SequenceNode:
		out.Kind = ListNode
		for _, v := range n.Values {
			if v == nil {
				out.List = append(out.List, &Node{Line: line})
				continue
			}
			el, err := c.convert(v, depth+1)
			if err != nil {
				return nil, err
			}
			out.List = append(out.List, el)
		}
	case *ast.LiteralNode:
		out.Text = n.Value.Value
		out.Value = out.Text
	case *ast.StringNode:
		out.Text = n.Value
		out.Value = n.Value
	case *ast.NullNode:
		out.Value = nil
	case *ast.BoolNode:
		out.Value, out.Text = n.Value, strconv.FormatBool(n.Value)
	case *ast.IntegerNode:
		out.Text = n.GetToken().Value
		switch v := n.Value.(type) {
		case uint64:
			if v > 1<<53 {
				return nil, &Error{line, "number too large"}
			}
			out.Value = int(v)
		case int64:
			if v < -(1 << 53) {
				return nil, &Error{line, "number too large"}
			}
			out.Value = int(v)
		default:
			out.Value = out.Text
		}
	case *ast.FloatNode:
		out.Value, out.Text = n.Value, n.GetToken().Value
	case *ast.CommentGroupNode:
		out.Value = nil
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		return nil, &Error{line, "anchors, aliases, merge keys and tags are not allowed"}
	default:
		return nil, &Error{line, fmt.Sprintf("%s is not allowed here", n.Type())}
	}
	return out, nil
}

func (c *converter) pair(out *Node, v *ast.MappingValueNode, depth int) error {
	k, ok := v.Key.(ast.Node)
	if !ok {
		return &Error{c.line(v), "a mapping without a key"}
	}
	kn, err := c.convert(k, depth+1)
	if err != nil {
		return err
	}
	if kn.Kind != ScalarNode {
		return &Error{kn.Line, "a key must be a word"}
	}
	if out.names[kn.Text] {
		return &Error{kn.Line, fmt.Sprintf("key %q appears twice", kn.Text)}
	}
	val := &Node{Line: kn.Line}
	if v.Value != nil {
		if val, err = c.convert(v.Value, depth+1); err != nil {
			return err
		}
	}
	if out.names == nil {
		out.names = map[string]bool{}
	}
	out.names[kn.Text] = true
	out.Keys = append(out.Keys, Key{kn.Text, kn.Line, val})
	return nil
}

// Get returns the value of a key of a mapping.
func (n *Node) Get(name string) (*Node, bool) {
	for _, k := range n.Keys {
		if k.Name == name {
			return k.Node, true
		}
	}
	return nil, false
}

// Plain is the value as JSON has it.
func (n *Node) Plain() any {
	switch n.Kind {
	case ListNode:
		out := make([]any, len(n.List))
		for i, el := range n.List {
			out[i] = el.Plain()
		}
		return out
	case MapNode:
		out := make(map[string]any, len(n.Keys))
		for _, k := range n.Keys {
			out[k.Name] = k.Node.Plain()
		}
		return out
	}
	return n.Value
}

// Texts is a scalar or a list of scalars as texts.
func (n *Node) Texts() ([]string, error) {
	switch n.Kind {
	case ScalarNode:
		return []string{n.Text}, nil
	case ListNode:
		var out []string
		for _, el := range n.List {
			if el.Kind != ScalarNode {
				return nil, errors.New("a text or a list of texts")
			}
			out = append(out, el.Text)
		}
		return out, nil
	}
	return nil, errors.New("a text or a list of texts")
}
