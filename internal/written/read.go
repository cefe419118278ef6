package written

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	// A definition is a line that begins with a key: "[D1] ...", "- D1: ...", "### C1: ...", "[^1]: ...".
	definition = lazyregexp.New(`^\s{0,3}(?:(?:[-*+]|\d{1,3}[.)]|#{1,6})\s+)?(?:\*\*|__)?(?:\[(\^?[\pL\d_.-]{1,40})\]|([DC][1-9]\d{0,8})\b)(?:\*\*|__)?\s*(?::|[-–—]\s)?\s*(\S.*)$`)
	nativeKey  = lazyregexp.New(`^[DC][1-9]\d{0,8}$`)
	keyRange   = lazyregexp.New(`^[DC][1-9]\d{0,8}(?:\s*(?:[-–]|to)\s*[DC]?[1-9]\d{0,8})?$`)
	separator  = lazyregexp.New(`\s*;\s*|\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*`)
	sources    = lazyregexp.New(`(?i)^\s{0,3}(?:#{1,6}\s+)?(?:\*\*|__)?(?:sources|evidence|references|citations|where it stands)(?:\*\*|__)?:?(?:\*\*|__)?\s*$`)
	question   = lazyregexp.New(`(?i)^\s{0,3}#{1,6}\s+question:?\s*$`)
	// howFound is what findspot prints behind a place.
	howFound = lazyregexp.New(`\s{2,}\([^()]*\)\s*$`)
	escaped  = lazyregexp.New("\\\\([!-/:-@\\[-`{-~])")
)

// A reading is a text whose addresses are to become keys.
type reading struct {
	defined map[string]address // what the text, or who asks, says of keys
	edits   []edit             // in order
	// isFile reports whether a name is that of a document or file; nil: it is not asked.
	isFile func(name string) bool
}

// An edit is a piece of the text that was replaced. Offsets are half-open.
type edit struct{ start, end, was, wasEnd int } // in the text that was made, and in the one that was given

// original is an offset of the text that was given for one of the text that was made.
func (r *reading) original(at int, end bool) int {
	shift := 0
	for _, e := range r.edits {
		switch {
		case at >= e.end:
			shift = e.wasEnd - e.end
			continue
		case at > e.start && end:
			return e.wasEnd
		case at > e.start:
			return e.was
		}
		break
	}
	return at + shift
}

// definitions finds the lines that say what keys are, and blanks them with what is quoted below them, so that they are no claims. Neither is the line below the heading
// Question, which says what was asked.
func definitions(text string) (string, map[string]address) {
	defined := map[string]address{}
	blank := map[int]bool{} // by number of the line
	lines := strings.SplitAfter(text, "\n")
	fence, within, listed, asked := "", false, -1, false
	for i, line := range lines {
		bare := strings.TrimSpace(line)
		if fence != "" { // of code: no line of it defines anything
			if blank[i] = within; strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			fence, blank[i] = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))], within
			continue
		}
		if sources.MatchString(strings.TrimRight(line, "\r\n")) {
			listed, within = i, false
			continue
		}
		if asked && bare != "" && bare[0] != '#' {
			asked, blank[i] = false, true
			continue
		}
		if question.MatchString(strings.TrimRight(line, "\r\n")) {
			asked, within = true, false
			continue
		}
		label, a, ok := define(strings.TrimRight(line, "\r\n"))
		switch {
		case ok:
			if _, twice := defined[label]; !twice {
				defined[label] = a
			}
			within, blank[i] = true, true
			if listed >= 0 {
				blank[listed], listed = true, -1
			}
		case bare == "":
		case within && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(bare, ">")):
			blank[i] = true
		default:
			within, listed = false, -1
		}
	}
	if len(blank) == 0 {
		return text, defined
	}
	var b strings.Builder
	for i, line := range lines {
		if !blank[i] {
			b.WriteString(line)
			continue
		}
		for j := range len(line) {
			if line[j] == '\n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
	}
	return b.String(), defined
}

// define reads a line that says what a key is, and nothing else.
func define(line string) (label string, a address, ok bool) {
	m := definition.FindStringSubmatch(line)
	if m == nil {
		return "", a, false
	}
	rest := escaped.ReplaceAllString(howFound.ReplaceAllString(m[3], ""), "$1")
	for _, s := range []string{rest, strings.TrimRight(rest, ". "), rest[strings.LastIndex(rest, "  ")+1:]} {
		if a, ok = parseAddress(s); ok {
			break
		}
	}
	return m[1] + m[2], a, ok
}

// A bracket is one that cites.
type bracket struct {
	start, end int // with the address of a link behind it
	parts      []part
}

// A part of a bracket is a key that somebody knows, or what stands for a place.
type part struct {
	written string
	label   bool // it is defined
	address
}

// plain reports whether a part stays as it is.
func (p *part) plain() bool { return !p.label && p.name == "" }

// brackets finds those whose parts are all keys, addresses or names of files, and of which at least one is not a plain key.
func (r *reading) brackets(text string) (out []bracket) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
			continue
		}
		if text[i] != '[' || i > 0 && text[i-1] == '!' {
			continue
		}
		n := strings.IndexAny(text[i+1:min(len(text), i+1+maxAddress)], "[]")
		if n < 0 || text[i+1+n] == '[' {
			continue
		}
		b := bracket{start: i, end: i + 1 + n + 1, parts: r.parts(text[i+1 : i+1+n])}
		if b.parts == nil {
			continue
		}
		if b.end < len(text) && text[b.end] == '(' { // a link to the place
			if k := strings.IndexAny(text[b.end:], ")\n"); k > 0 && text[b.end+k] == ')' {
				b.end += k + 1
			}
		}
		out = append(out, b)
		i = b.end - 1
	}
	return out
}

// parts reads what stands in a bracket: one address, or several parts. It is nil where the bracket does not cite, or has plain keys alone.
func (r *reading) parts(inner string) []part {
	for _, list := range [][]string{strings.Split(inner, ";"), separator.Get().Split(inner, -1), {inner}} { // a name may hold a comma
		var parts []part
		plain := true
		for _, s := range list {
			p := part{written: strings.TrimSpace(s)}
			if p.address, p.label = r.defined[p.written]; !p.label {
				if p.address, _ = parseAddress(s); p.plain() && r.isFile != nil && fileName.MatchString(p.written) && r.isFile(p.written) {
					p.address = address{written: p.written, name: p.written, bare: true}
				}
			}
			if p.plain() && !keyRange.MatchString(p.written) {
				break
			}
			plain = plain && p.plain()
			parts = append(parts, p)
		}
		if !plain && len(parts) == len(list) {
			return parts
		}
	}
	return nil
}
