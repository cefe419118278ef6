package agentconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// jsonText is a JSON file whose bytes are kept but for those that a change is about.
type jsonText struct {
	text  []byte
	loose bool // comments, and commas before closing brackets
	at    int
	depth int
}

// value is a JSON value in a text.
type value struct {
	start, end int      // bytes
	members    []member // of an object
	elements   []value  // of an array
	object     bool
}

type member struct {
	name  string
	start int // of its name
	value value
}

func (v value) find(name string) *member {
	var out *member
	for i := range v.members {
		if v.members[i].name == name {
			out = &v.members[i] // readers take the last of several
		}
	}
	return out
}

// maxNesting bounds how deep values lie in one another.
const maxNesting = 200

// fault is what is wrong with a file, at a place.
func fault(text []byte, at int, format string, args ...any) error {
	before := text[:min(at, len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	col := len(before) - (bytes.LastIndexByte(before, '\n') + 1) + 1
	return fmt.Errorf("line %d, column %d: %s", line, col, fmt.Sprintf(format, args...))
}

func (p *jsonText) fault(format string, args ...any) error {
	return fault(p.text, p.at, format, args...)
}

// parse reads the whole text: an object, or nothing, which is the zero value.
func (p *jsonText) parse() (value, error) {
	if !utf8.Valid(p.text) {
		return value{}, fmt.Errorf("it is not UTF-8")
	}
	p.at = len(bytes.TrimPrefix(p.text, []byte("\xef\xbb\xbf")))
	p.at = len(p.text) - p.at
	if err := p.skip(); err != nil {
		return value{}, err
	}
	if p.at == len(p.text) {
		return value{}, nil
	}
	v, err := p.value()
	if err != nil {
		return v, err
	}
	if err := p.skip(); err != nil {
		return v, err
	}
	if p.at < len(p.text) {
		return v, p.fault("there is more behind the end")
	}
	if !v.object {
		return v, fault(p.text, v.start, "it is not an object")
	}
	return v, nil
}

// skip goes over white space and comments.
func (p *jsonText) skip() error {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case bytes.HasPrefix(rest, []byte("//")) && p.loose:
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			p.at += n
		case bytes.HasPrefix(rest, []byte("/*")) && p.loose:
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return p.fault("a comment has no end")
			}
			p.at += n + 4
		case rest[0] == '/' && !p.loose:
			return p.fault("a comment: this file is plain JSON")
		default:
			return nil
		}
	}
	return nil
}

func (p *jsonText) value() (value, error) {
	v := value{start: p.at}
	if p.at == len(p.text) {
		return v, p.fault("a value is missing")
	}
	if p.depth++; p.depth > maxNesting {
		return v, p.fault("nested deeper than %d", maxNesting)
	}
	defer func() { p.depth-- }()
	switch p.text[p.at] {
	case '{':
		v.object = true
		return v, p.list('}', &v)
	case '[':
		return v, p.list(']', &v)
	case '"':
		_, err := p.string()
		v.end = p.at
		return v, err
	}
	end := p.at
	for end < len(p.text) && strings.IndexByte(" \t\r\n,:]}[{\"/", p.text[end]) < 0 {
		end++
	}
	if !json.Valid(p.text[p.at:end]) {
		return v, p.fault("%q is no value", p.text[p.at:min(max(end, p.at+1), p.at+30)])
	}
	p.at = end
	v.end = end
	return v, nil
}

func (p *jsonText) string() (string, error) {
	from := p.at
	for i := p.at + 1; i < len(p.text); i++ {
		switch p.text[i] {
		case '\\':
			i++
		case '"':
			var s string
			if err := json.Unmarshal(p.text[from:i+1], &s); err != nil {
				return "", p.fault("%v", err)
			}
			p.at = i + 1
			return s, nil
		case '\n':
			return "", p.fault("a string has no end on its line")
		}
	}
	return "", p.fault("a string has no end")
}

// list reads the members of an object or the elements of an array, up to its closing bracket.
func (p *jsonText) list(closing byte, v *value) error {
	open := p.at
	p.at++
	for comma := true; ; {
		if err := p.skip(); err != nil {
			return err
		}
		if p.at == len(p.text) {
			return fault(p.text, open, "%q has no closing %q", p.text[open], closing)
		}
		c := p.text[p.at]
		switch {
		case c == closing:
			if comma && p.at > open+1 && !p.loose && p.comma(open) {
				return p.fault("a comma before the closing %q", closing)
			}
			p.at++
			v.end = p.at
			return nil
		case c == ',' && !comma:
			comma = true
			p.at++
			continue
		case !comma:
			return p.fault("%q where a comma or %q is wanted", c, closing)
		}
		if !v.object {
			el, err := p.value()
			if err != nil {
				return err
			}
			v.elements = append(v.elements, el)
			comma = false
			continue
		}
		if c != '"' {
			return p.fault("%q where a name in quotes is wanted", c)
		}
		m := member{start: p.at}
		var err error
		if m.name, err = p.string(); err != nil {
			return err
		}
		if err := p.skip(); err != nil {
			return err
		}
		if p.at == len(p.text) || p.text[p.at] != ':' {
			return p.fault("a colon is missing behind %q", m.name)
		}
		p.at++
		if err := p.skip(); err != nil {
			return err
		}
		if m.value, err = p.value(); err != nil {
			return err
		}
		v.members = append(v.members, m)
		comma = false
	}
}

// comma reports whether a comma stands right before the place, behind what opened the list.
func (p *jsonText) comma(open int) bool {
	before := bytes.TrimRight(p.text[open+1:p.at], " \t\r\n")
	return len(before) > 0 && before[len(before)-1] == ','
}

// set gives the text with a member of an object under a key set to a value.
func (p *jsonText) set(key, name string, entry any) ([]byte, error) {
	root, err := p.parse()
	if err != nil {
		return nil, err
	}
	eol := "\n"
	if bytes.Contains(p.text, []byte("\r\n")) {
		eol = "\r\n"
	}
	unit := "  "
	if len(root.members) > 0 {
		if in, own := p.indent(root.members[0].start); own && in != "" {
			unit = in
		}
	}
	if !root.object { // empty, or comments alone
		whole, err := marshal(map[string]any{key: map[string]any{name: entry}}, "", unit, eol)
		if err != nil {
			return nil, err
		}
		head := p.text
		if len(bytes.TrimSpace(head)) == 0 {
			head = nil
		} else if head[len(head)-1] != '\n' {
			head = append(bytes.Clone(head), eol...)
		}
		return append(append(bytes.Clone(head), whole...), eol...), nil
	}
	servers := root.find(key)
	if servers == nil {
		return p.insert(root, key, map[string]any{name: entry}, unit, eol)
	}
	if !servers.value.object {
		return nil, fault(p.text, servers.value.start, "%q is not an object", key)
	}
	if have := servers.value.find(name); have != nil {
		in, _ := p.indent(have.start)
		text, err := marshal(entry, in, unit, eol)
		if err != nil {
			return nil, err
		}
		return splice(p.text, have.value.start, have.value.end, text), nil
	}
	return p.insert(servers.value, name, entry, unit, eol)
}

// insert adds a member behind the last one of an object, or as the only one.
func (p *jsonText) insert(obj value, name string, entry any, unit, eol string) ([]byte, error) {
	outer, _ := p.indent(obj.start)
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	if len(obj.members) == 0 {
		text, err := marshal(entry, outer+unit, unit, eol)
		if err != nil {
			return nil, err
		}
		end := obj.end - 1
		inside := p.text[obj.start+1 : end]
		kept := bytes.TrimRight(inside, " \t\r\n") // comments
		new := eol + outer + unit + string(quoted) + ": " + string(text) + eol + outer
		return splice(p.text, obj.start+1+len(kept), end, []byte(new)), nil
	}
	last := obj.members[len(obj.members)-1]
	in, own := p.indent(last.start)
	if !own { // all on one line: so is what comes
		text, err := json.Marshal(entry)
		if err != nil {
			return nil, err
		}
		return splice(p.text, last.value.end, last.value.end, []byte(", "+string(quoted)+": "+string(text))), nil
	}
	text, err := marshal(entry, in, unit, eol)
	if err != nil {
		return nil, err
	}
	new := eol + in + string(quoted) + ": " + string(text)
	// Behind what follows the member on its line, such as a comment about it.
	at, comma := last.value.end, false
	for at < obj.end-1 {
		q := &jsonText{text: p.text[:obj.end-1], loose: p.loose, at: at}
		c := p.text[at]
		switch {
		case c == ',':
			comma = true
			at++
			continue
		case c == ' ' || c == '\t':
			at++
			continue
		case c == '/':
			q.text = q.text[:at+comment(p.text[at:])]
			if err := q.skip(); err != nil {
				return nil, err
			}
			at = q.at
			continue
		}
		break
	}
	for at > last.value.end && (p.text[at-1] == ' ' || p.text[at-1] == '\t') {
		at--
	}
	out := splice(p.text, at, at, []byte(new))
	if !comma {
		out = splice(out, last.value.end, last.value.end, []byte(","))
	}
	return out, nil
}

// comment is the length of the comment that a text begins with.
func comment(text []byte) int {
	if bytes.HasPrefix(text, []byte("/*")) {
		return bytes.Index(text[2:], []byte("*/")) + 4
	}
	if n := bytes.IndexAny(text, "\r\n"); n >= 0 {
		return n
	}
	return len(text)
}

// indent is the white space before a place on its line; own is whether nothing else stands before it there.
func (p *jsonText) indent(at int) (in string, own bool) {
	from := bytes.LastIndexByte(p.text[:at], '\n') + 1
	line := p.text[from:at]
	trimmed := bytes.TrimLeft(line, " \t")
	return string(line[:len(line)-len(trimmed)]), len(trimmed) == 0 && from > 0
}

func splice(text []byte, from, to int, new []byte) []byte {
	out := append([]byte{}, text[:from]...)
	return append(append(out, new...), text[to:]...)
}

// marshal is a value over several lines, which are indented but for the first.
func marshal(v any, in, unit, eol string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(in, unit)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte("\n"), []byte(eol)), nil
}
