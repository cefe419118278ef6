package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// A node is a value of JSON whose fields keep their order.
type node struct {
	fields []field // of an object
	list   []node  // of a list
	kind   kind
	text   string // of anything else: the value of a string, or as JSON writes it
}

type kind int

const (
	scalar kind = iota
	quoted      // a string
	object
	list
)

type field struct {
	name  string
	value node
}

// parse gives the form of a value in JSON.
func parse(v any) (node, error) {
	data, err := marshal(v)
	if err != nil {
		return node{}, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return decode(dec)
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func decode(dec *json.Decoder) (n node, err error) {
	tok, err := dec.Token()
	if err != nil {
		return n, err
	}
	switch tok := tok.(type) {
	case json.Delim:
		n.kind = list
		if tok == '{' {
			n.kind = object
		}
		for dec.More() {
			var f field
			if n.kind == object {
				name, err := dec.Token()
				if err != nil {
					return n, err
				}
				f.name, _ = name.(string)
			}
			if f.value, err = decode(dec); err != nil {
				return n, err
			}
			if n.kind == object {
				n.fields = append(n.fields, f)
			} else {
				n.list = append(n.list, f.value)
			}
		}
		_, err = dec.Token()
	case string:
		n.kind, n.text = quoted, tok
	case nil:
	case json.Number:
		n.text = tok.String()
	default: // a truth value
		n.text = fmt.Sprint(tok)
	}
	return n, err
}

// get gives the field of a name.
func (n *node) get(name string) (node, bool) {
	i := slices.IndexFunc(n.fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return node{}, false
	}
	return n.fields[i].value, true
}

func (n *node) str(name string) string {
	v, _ := n.get(name)
	return v.text
}

// empty reports a value that says nothing.
func (n *node) empty() bool {
	switch n.kind {
	case object:
		return !slices.ContainsFunc(n.fields, func(f field) bool { return !f.value.empty() })
	case list:
		return len(n.list) == 0
	case quoted:
		return n.text == ""
	}
	return n.text == ""
}

// rowFields are the fields that hold what an answer found, in the order in which they are looked for: the first that an object has holds its rows.
var rowFields = [][]string{
	{"hits"}, {"answers"}, {"items"}, {"matches"}, {"findings"}, {"callers"}, {"nodes", "edges"}, {"locations"}, {"places"}, {"marks"}, {"lines"}, {"pages"}, {"symbols"}, {"diagnostics"}, {"problems"}, {"skills"},
}

// rows parts the fields of an object that hold rows from the others; none where it is one thing itself.
func (n *node) rows() (rows, rest []field) {
	for _, names := range rowFields {
		if first, ok := n.get(names[0]); !ok || first.kind != list || len(first.list) > 0 && first.list[0].kind != object {
			continue
		}
		for _, f := range n.fields {
			if slices.Contains(names, f.name) && f.value.kind == list {
				rows = append(rows, f)
			} else {
				rest = append(rest, f)
			}
		}
		return rows, rest
	}
	return nil, n.fields
}
