package skill

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A node is one YAML value with its line in the skill file. The YAML library stays behind it.
type node struct {
	line  int
	kind  nodeKind
	text  string // of a scalar, as written
	value any    // of a scalar: string, bool, int, float64 or nil
	list  []*node
	keys  []key // of a mapping, in order
	names map[string]bool
}

type key struct {
	name string
	line int
	node *node
}

type nodeKind int

const (
	scalarNode nodeKind = iota
	listNode
	mapNode
)

const (
	maxYAMLDepth = 40
	maxYAMLNodes = 20000
)

// nestedDashes finds lines that open many sequences at once; the parser recurses into each.
var nestedDashes = regexp.MustCompile(`(?m)^\s*(?:[-?:!&]\S* +){20}`)

// parseYAML parses one YAML document. Lines count from firstLine. Anchors, aliases, merge keys and tags are refused: a
// skill needs none, and they are how small files become big values.
func parseYAML(src string, firstLine int) (n *node, err error) {
	defer func() {
		if p := recover(); p != nil {
			n, err = nil, &yamlError{firstLine, "the YAML parser cannot read this"}
		}
	}()
	if line, deep := tooDeep(src); deep {
		return nil, &yamlError{firstLine + line, "nested too deeply"}
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
			return nil, &yamlError{c.line(doc.Body), "a second YAML document: only one is allowed"}
		}
		if n, err = c.convert(doc.Body, 0); err != nil {
			return nil, err
		}
	}
	if n == nil {
		n = &node{line: firstLine, kind: mapNode}
	}
	return n, nil
}

type yamlError struct {
	line int
	text string
}

func (e *yamlError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.text) }

// syntaxError turns the library's error, whose text holds an excerpt, into one line.
func syntaxError(err error, firstLine int) error {
	line := firstLine
	var ye yaml.Error
	if errors.As(err, &ye) {
		if tok := ye.GetToken(); tok != nil && tok.Position != nil {
			line += tok.Position.Line - 1
		}
		return &yamlError{line, ye.GetMessage()}
	}
	msg, _, _ := strings.Cut(err.Error(), "\n")
	return &yamlError{line, msg}
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

func (c *converter) convert(n ast.Node, depth int) (*node, error) {
	line := c.line(n)
	if depth > maxYAMLDepth {
		return nil, &yamlError{line, "nested too deeply"}
	}
	if c.nodes++; c.nodes > maxYAMLNodes {
		return nil, &yamlError{line, fmt.Sprintf("more than %d values", maxYAMLNodes)}
	}
	out := &node{line: line}
	switch n := n.(type) {
	case *ast.MappingNode:
		out.kind = mapNode
		for _, v := range n.Values {
			if err := c.pair(out, v, depth); err != nil {
				return nil, err
			}
		}
		if len(out.keys) > 0 {
			out.line = out.keys[0].line
		}
	case *ast.MappingValueNode:
		out.kind = mapNode
		if err := c.pair(out, n, depth); err != nil {
			return nil, err
		}
		out.line = out.keys[0].line
	case *ast.SequenceNode:
		out.kind = listNode
		for _, v := range n.Values {
			if v == nil {
				out.list = append(out.list, &node{line: line})
				continue
			}
			el, err := c.convert(v, depth+1)
			if err != nil {
				return nil, err
			}
			out.list = append(out.list, el)
		}
	case *ast.LiteralNode:
		out.text = n.Value.Value
		out.value = out.text
	case *ast.StringNode:
		out.text = n.Value
		out.value = n.Value
	case *ast.NullNode:
		out.value = nil
	case *ast.BoolNode:
		out.value, out.text = n.Value, strconv.FormatBool(n.Value)
	case *ast.IntegerNode:
		out.text = n.GetToken().Value
		switch v := n.Value.(type) {
		case uint64:
			if v > 1<<53 {
				return nil, &yamlError{line, "number too large"}
			}
			out.value = int(v)
		case int64:
			if v < -(1 << 53) {
				return nil, &yamlError{line, "number too large"}
			}
			out.value = int(v)
		default:
			out.value = out.text
		}
	case *ast.FloatNode:
		out.value, out.text = n.Value, n.GetToken().Value
	case *ast.CommentGroupNode:
		out.value = nil
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode, *ast.TagNode:
		return nil, &yamlError{line, "anchors, aliases, merge keys and tags are not allowed"}
	default:
		return nil, &yamlError{line, fmt.Sprintf("%s is not allowed here", n.Type())}
	}
	return out, nil
}

func (c *converter) pair(out *node, v *ast.MappingValueNode, depth int) error {
	k, ok := v.Key.(ast.Node)
	if !ok {
		return &yamlError{c.line(v), "a mapping without a key"}
	}
	kn, err := c.convert(k, depth+1)
	if err != nil {
		return err
	}
	if kn.kind != scalarNode {
		return &yamlError{kn.line, "a key must be a word"}
	}
	if out.names[kn.text] {
		return &yamlError{kn.line, fmt.Sprintf("key %q appears twice", kn.text)}
	}
	val := &node{line: kn.line}
	if v.Value != nil {
		if val, err = c.convert(v.Value, depth+1); err != nil {
			return err
		}
	}
	if out.names == nil {
		out.names = map[string]bool{}
	}
	out.names[kn.text] = true
	out.keys = append(out.keys, key{kn.text, kn.line, val})
	return nil
}

func (n *node) get(name string) (*node, bool) {
	for _, k := range n.keys {
		if k.name == name {
			return k.node, true
		}
	}
	return nil, false
}

// plain is the value as JSON has it.
func (n *node) plain() any {
	switch n.kind {
	case listNode:
		out := make([]any, len(n.list))
		for i, el := range n.list {
			out[i] = el.plain()
		}
		return out
	case mapNode:
		out := make(map[string]any, len(n.keys))
		for _, k := range n.keys {
			out[k.name] = k.node.plain()
		}
		return out
	}
	return n.value
}

// texts is a scalar or a list of scalars as texts.
func (n *node) texts() ([]string, error) {
	switch n.kind {
	case scalarNode:
		return []string{n.text}, nil
	case listNode:
		var out []string
		for _, el := range n.list {
			if el.kind != scalarNode {
				return nil, errors.New("a text or a list of texts")
			}
			out = append(out, el.text)
		}
		return out, nil
	}
	return nil, errors.New("a text or a list of texts")
}
