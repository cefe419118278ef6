package relevance

import (
	"strings"
	"unicode/utf8"
)

// Grow gives where a piece of a text ends when what it begins is to be whole: a list that goes on behind it, or what follows a colon. Such a piece grows by whole
// items or lines, by at most size bytes; any other ends where it does.
func Grow(txt string, start, end, size int) int {
	piece := strings.TrimRight(txt[start:end], " \t\r\n")
	rest := txt[end:]
	at := end + len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	if at == len(txt) {
		return end
	}
	colon := strings.HasSuffix(piece, ":")
	if !colon && !(isItem(txt[at:]) && hasItem(piece)) {
		return end
	}
	list := isItem(txt[at:])
	best, blank := end, false
	for at < len(txt) && at-end <= size {
		stop := at + lineLen(txt[at:])
		line := strings.TrimSpace(txt[at:stop])
		switch {
		case line == "":
			blank = true
		case list && blank && !isItem(line), !list && blank, strings.HasPrefix(line, "#"):
			return best
		default:
			blank = false
		}
		if stop-end > size {
			break
		}
		if line != "" && (!list || nextIsNoRest(txt[stop:])) {
			best = at + len(strings.TrimRight(txt[at:stop], " \t\r\n"))
		}
		at = stop
	}
	return best
}

// nextIsNoRest reports that what follows a line begins something else than a further line of the same item.
func nextIsNoRest(s string) bool {
	line := strings.TrimSpace(s[:lineLen(s)])
	return line == "" || isItem(line)
}

func lineLen(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i + 1
	}
	return len(s)
}

func hasItem(s string) bool {
	for line := range strings.Lines(s) {
		if isItem(line) {
			return true
		}
	}
	return false
}

// isItem reports whether a text begins with the mark of an item of a list: a bullet, a number, or a letter in brackets.
func isItem(s string) bool {
	s = strings.TrimLeft(s, " \t")
	r, n := utf8.DecodeRuneInString(s)
	rest := s[n:]
	switch {
	case strings.ContainsRune("-*+•–—‣◦▪■●ˆ·∙", r):
		return strings.HasPrefix(rest, " ")
	case r == '(':
		i := strings.IndexByte(rest, ')')
		return i > 0 && i <= 4 && strings.HasPrefix(rest[i:], ") ")
	}
	i := 0
	for i < len(s) && i < 3 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 && len(s) > 1 && s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' {
		return strings.HasPrefix(s[1:], ") ")
	}
	return i > 0 && (strings.HasPrefix(s[i:], ". ") || strings.HasPrefix(s[i:], ") "))
}
