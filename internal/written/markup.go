package written

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	// A bracket of links is one with links to what it cites: "[[D1](a.pdf), [C2](b.txt)]". A link of keys alone is one too.
	bracketOfLinks = lazyregexp.New(`^\[[^\[\]\\]*(?:\[[^\[\]\n]+\]\([^()\n]*\)[^\[\]\\]*)+\]`)
	linkOfKeys     = lazyregexp.New(`^\[[DC][1-9]\d{0,8}\]\([^()\n]*\)`)
	linkTarget     = lazyregexp.New(`\]\([^()\n]*\)|\[`)
)

// maxLinks bounds a bracket of links, in bytes.
const maxLinks = 1 << 13

// withoutMarkup is Markdown as its reader sees it: what is escaped stands for itself, and brackets of links have the texts of these alone. Code stays as it is, and so
// does an opening bracket that is escaped, which does not cite.
func (r *reading) withoutMarkup(text string) string {
	var b strings.Builder
	from := 0
	write := func(start, end int, s string) {
		b.WriteString(text[from:start])
		e := edit{start: b.Len(), was: start, wasEnd: end}
		b.WriteString(s)
		e.end, from = b.Len(), end
		r.edits = append(r.edits, e)
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i++; i < len(text) && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@\\]^_`{|}~", text[i]) >= 0 {
				write(i-1, i+1, text[i:i+1])
			}
		case '`', '~':
			i = codeEnd(text, i) - 1
		case '[':
			in := text[i:min(len(text), i+maxLinks)]
			if s := bracketOfLinks.FindString(in); s != "" {
				write(i, i+len(s), "["+linkTarget.ReplaceAllString(s[1:len(s)-1], "")+"]")
				i = from - 1
			} else if s := linkOfKeys.FindString(in); s != "" {
				write(i, i+len(s), s[:strings.IndexByte(s, ']')+1])
				i = from - 1
			}
		}
	}
	b.WriteString(text[from:])
	return b.String()
}

// maxSpan bounds code within a line, in bytes, as package evidence does.
const maxSpan = 1000

// codeEnd is where the code ends that begins at i: a block between fences, which the end of the text ends too, or a span between backticks. Where it is neither, that
// is the end of the marks.
func codeEnd(text string, i int) int {
	n := i
	for n < len(text) && text[n] == text[i] {
		n++
	}
	mark := text[i:n]
	if block := strings.TrimSpace(text[strings.LastIndexByte(text[:i], '\n')+1:i]) == ""; block && len(mark) >= 3 && !strings.Contains(lineAt(text, n), "`") {
		for at := n + len(lineAt(text, n)); at < len(text); {
			line := lineAt(text, at)
			at += len(line)
			if bare := strings.TrimSpace(line); strings.HasPrefix(bare, mark) && strings.Trim(bare, mark[:1]) == "" {
				return at
			}
		}
		return len(text)
	}
	if mark[0] == '~' {
		return n
	}
	in, _, _ := strings.Cut(text[n:min(len(text), n+maxSpan)], "\n\n")
	for at := 0; at < len(in); {
		k := strings.IndexByte(in[at:], '`')
		if k < 0 {
			break
		}
		from := at + k
		for at = from; at < len(in) && in[at] == '`'; {
			at++
		}
		if at-from == len(mark) {
			return n + at
		}
	}
	return n
}

// lineAt is the rest of a line with its end.
func lineAt(text string, i int) string {
	if k := strings.IndexByte(text[i:], '\n'); k >= 0 {
		return text[i : i+k+1]
	}
	return text[i:]
}
