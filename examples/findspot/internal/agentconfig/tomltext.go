package agentconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// tomlText is a TOML file whose bytes are kept but for those that a change is about. It reads how the file is built, and leaves what single values mean to their reader.
type tomlText struct {
	text  []byte
	at    int
	depth int
}

// statement is a table's head or a key with its value.
type statement struct {
	head  bool
	path  []string // of a key: within its table
	start int      // of its line's text
	end   int      // behind the head, or the value
	value int      // where the value begins
}

func (p *tomlText) fault(format string, args ...any) error {
	return fault(p.text, p.at, format, args...)
}

// statements reads the whole text.
func (p *tomlText) statements() ([]statement, error) {
	if !utf8.Valid(p.text) {
		return nil, fmt.Errorf("it is not UTF-8")
	}
	p.at = len(p.text) - len(bytes.TrimPrefix(p.text, []byte("\xef\xbb\xbf")))
	var out []statement
	for {
		p.space(true)
		if p.at == len(p.text) {
			return out, nil
		}
		s := statement{start: p.at}
		var err error
		if p.text[p.at] == '[' {
			s.head = true
			double := p.has("[[")
			p.at += 1
			if double {
				p.at++
			}
			if s.path, err = p.key(); err != nil {
				return nil, err
			}
			closing := "]"
			if double {
				closing = "]]"
			}
			if !p.has(closing) {
				return nil, p.fault("a table's head wants %q", closing)
			}
			p.at += len(closing)
		} else {
			if s.path, err = p.key(); err != nil {
				return nil, err
			}
			if !p.has("=") {
				return nil, p.fault("a key wants \"=\" and a value")
			}
			p.at++
			p.space(false)
			s.value = p.at
			if err := p.value(); err != nil {
				return nil, err
			}
		}
		s.end = p.at
		p.space(false)
		if p.at < len(p.text) && p.text[p.at] != '\n' && !p.has("\r\n") && p.text[p.at] != '#' {
			return nil, p.fault("%q behind the end of the line's statement", p.text[p.at])
		}
		out = append(out, s)
	}
}

func (p *tomlText) has(s string) bool { return bytes.HasPrefix(p.text[p.at:], []byte(s)) }

// space goes over blanks, and over line ends and comments too where lines is true.
func (p *tomlText) space(lines bool) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t', lines && (c == '\n' || c == '\r'):
			p.at++
		case lines && c == '#':
			n := bytes.IndexByte(p.text[p.at:], '\n')
			if n < 0 {
				n = len(p.text) - p.at
			}
			p.at += n
		default:
			return
		}
	}
}

func bare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// key reads a key with its dots, and the blanks behind it.
func (p *tomlText) key() ([]string, error) {
	var out []string
	for {
		p.space(false)
		if p.at == len(p.text) {
			return nil, p.fault("a key is missing")
		}
		from := p.at
		switch c := p.text[p.at]; {
		case c == '"' || c == '\'':
			if err := p.string(); err != nil {
				return nil, err
			}
			name := string(p.text[from+1 : p.at-1])
			if c == '"' {
				var s string
				if json.Unmarshal(p.text[from:p.at], &s) == nil { // escapes that only TOML has are in no key of ours
					name = s
				}
			}
			out = append(out, name)
		case bare(c):
			for p.at < len(p.text) && bare(p.text[p.at]) {
				p.at++
			}
			out = append(out, string(p.text[from:p.at]))
		default:
			return nil, p.fault("%q where a key is wanted", c)
		}
		p.space(false)
		if !p.has(".") {
			return out, nil
		}
		p.at++
	}
}

// string goes over a string of one of the four kinds.
func (p *tomlText) string() error {
	from := p.at
	quote := p.text[p.at]
	long := p.has(strings.Repeat(string(quote), 3))
	closing := string(quote)
	if long {
		closing = strings.Repeat(closing, 3)
	}
	for p.at += len(closing); p.at < len(p.text); p.at++ {
		switch {
		case p.has(closing):
			p.at += len(closing)
			for long && p.at < len(p.text) && p.text[p.at] == quote { // up to two quotes may stand before the end
				p.at++
			}
			return nil
		case p.text[p.at] == '\\' && quote == '"':
			p.at++
		case p.text[p.at] == '\n' && !long:
			p.at = from
			return p.fault("a string has no end on its line")
		}
	}
	p.at = from
	return p.fault("a string has no end")
}

func (p *tomlText) value() error {
	if p.depth++; p.depth > maxNesting {
		return p.fault("nested deeper than %d", maxNesting)
	}
	defer func() { p.depth-- }()
	if p.at == len(p.text) {
		return p.fault("a value is missing")
	}
	open := p.at
	switch c := p.text[p.at]; c {
	case '"', '\'':
		return p.string()
	case '[', '{':
		closing := map[byte]string{'[': "]", '{': "}"}[c]
		p.at++
		for comma := true; ; {
			p.space(true)
			switch {
			case p.at == len(p.text):
				p.at = open
				return p.fault("%q has no closing %q", c, closing)
			case p.has(closing):
				p.at++
				return nil
			case p.has(",") && !comma:
				p.at++
				comma = true
				continue
			case !comma:
				return p.fault("%q where a comma or %q is wanted", p.text[p.at], closing)
			}
			if c == '{' {
				if _, err := p.key(); err != nil {
					return err
				}
				if !p.has("=") {
					return p.fault("a key wants \"=\" and a value")
				}
				p.at++
				p.space(true)
			}
			if err := p.value(); err != nil {
				return err
			}
			comma = false
		}
	}
	for p.at < len(p.text) && (bare(p.text[p.at]) || strings.IndexByte("+.:", p.text[p.at]) >= 0 || p.text[p.at] == ' ' && p.date(open)) {
		p.at++
	}
	if p.at == open {
		return p.fault("%q where a value is wanted", p.text[p.at])
	}
	if c := p.text[open]; c >= 'a' && c <= 'z' && !slices.Contains([]string{"true", "false", "inf", "nan"}, string(p.text[open:p.at])) {
		word := p.text[open:p.at]
		p.at = open
		return p.fault("%q is no value: a text stands in quotes", word)
	}
	return nil
}

// date reports whether a blank is the one between a date and a time.
func (p *tomlText) date(open int) bool {
	return p.at-open == len("2006-01-02") && p.text[open+4] == '-' && p.at+1 < len(p.text) && p.text[p.at+1] >= '0' && p.text[p.at+1] <= '9'
}

// table is what a file says of a server.
type table struct {
	head     statement
	keys     map[string]statement // of the table itself
	others   bool                 // there are keys that are not ours, or tables in it
	hasTable bool
}

// find returns the table of a server under a key. Where the servers are written in another form than tables, that is an error with its place.
func (p *tomlText) find(key, name string) (table, error) {
	t := table{keys: map[string]statement{}}
	list, err := p.statements()
	if err != nil {
		return t, err
	}
	var in []string
	for _, s := range list {
		if s.head {
			in = s.path
			if slices.Equal(in, []string{key, name}) {
				if t.hasTable {
					return t, fault(p.text, s.start, "a second table %s.%s", key, name)
				}
				t.head, t.hasTable = s, true
			} else if len(in) > 2 && in[0] == key && in[1] == name {
				t.others = true
			}
			continue
		}
		whole := slices.Concat(in, s.path)
		switch {
		case slices.Equal(in, []string{key, name}) && t.hasTable:
			if len(s.path) == 1 && slices.Contains([]string{"command", "args"}, s.path[0]) {
				t.keys[s.path[0]] = s
			} else {
				t.others = true
			}
		case len(whole) == 1 && whole[0] == key, len(in) < 2 && len(whole) >= 2 && whole[0] == key && whole[1] == name:
			return t, fault(p.text, s.start, "the server stands in a form that is not changed here: write it as a table [%s.%s]", key, name)
		}
	}
	return t, nil
}

// entry reads the command and arguments of a table, as far as they are strings such as JSON has.
func (p *tomlText) entry(t table) (e entry, ok bool) {
	read := func(key string, to any) bool {
		s, ok := t.keys[key]
		return ok && json.Unmarshal(p.text[s.value:s.end], to) == nil
	}
	ok = read("command", &e.Command)
	if _, there := t.keys["args"]; there {
		ok = read("args", &e.Args) && ok
	}
	return e, ok
}

// set gives the text with the table of a server set to an entry. What else the table holds stays.
func (p *tomlText) set(key, name string, e entry) ([]byte, error) {
	t, err := p.find(key, name)
	if err != nil {
		return nil, err
	}
	command, err := marshal(e.Command, "", "", "")
	if err != nil {
		return nil, err
	}
	var args []string
	for _, a := range e.Args {
		text, err := marshal(a, "", "", "")
		if err != nil {
			return nil, err
		}
		args = append(args, string(text))
	}
	values := map[string]string{"command": string(command), "args": "[" + strings.Join(args, ", ") + "]"}
	eol := "\n"
	if bytes.Contains(p.text, []byte("\r\n")) {
		eol = "\r\n"
	}
	if !t.hasTable {
		out := bytes.Clone(p.text)
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, eol...)
		}
		if len(bytes.TrimSpace(out)) > 0 {
			out = append(out, eol...)
		}
		return fmt.Appendf(out, "[%s.%s]%scommand = %s%sargs = %s%s", key, name, eol, values["command"], eol, values["args"], eol), nil
	}
	type change struct {
		from, to int
		text     string
	}
	var changes []change
	missing := ""
	for _, k := range []string{"command", "args"} {
		if s, ok := t.keys[k]; ok {
			changes = append(changes, change{s.value, s.end, values[k]})
		} else {
			missing += eol + k + " = " + values[k]
		}
	}
	if missing != "" {
		at := t.head.end
		if n := bytes.IndexAny(p.text[at:], "\r\n"); n >= 0 {
			at += n // behind a comment
		} else {
			at = len(p.text)
		}
		changes = append(changes, change{at, at, missing})
	}
	slices.SortFunc(changes, func(a, b change) int { return b.from - a.from }) // from the end on
	out := p.text
	for _, c := range changes {
		out = splice(out, c.from, c.to, []byte(c.text))
	}
	return out, nil
}
