package edit

import (
	"strings"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// smallest splits an edit into the changes it makes: some servers replace the whole file, or the lines from the first
// change to the last. An edit that changes nothing is none.
func smallest(text *source.Text, e Edit) []Edit {
	from, to := text.Offset(e.Location.Line, e.Location.Col), text.Offset(e.Location.EndLine, e.Location.EndCol)
	e.Old = string(text.Bytes[from:to])
	if e.Old == e.New {
		return nil
	}
	if !strings.Contains(e.Old, "\n") && len(e.Old) < 200 {
		return []Edit{e}
	}
	olds, news := strings.SplitAfter(e.Old, "\n"), strings.SplitAfter(e.New, "\n")
	if len(olds) != len(news) { // not line by line: what is the same at both ends is left out
		head, tail := common(olds, news)
		at := from + len(strings.Join(olds[:head], ""))
		old := strings.Join(olds[head:len(olds)-tail], "")
		return []Edit{editOf(text, e, at, old, strings.Join(news[head:len(news)-tail], ""))}
	}
	var out []Edit
	at := from
	for i, old := range olds {
		for _, part := range wordChanges(old, news[i]) {
			out = append(out, editOf(text, e, at+part.at, old[part.at:part.at+part.n], part.text))
		}
		at += len(old)
	}
	return out
}

// wordChange replaces n bytes by a text.
type wordChange struct {
	at, n int
	text  string
}

// wordChanges compares two lines word by word, where a word is an identifier or any other character. Lines that have not
// the same number of words differ in all between their first and last difference.
func wordChanges(a, b string) []wordChange {
	if a == b {
		return nil
	}
	as, bs := words(a), words(b)
	var out []wordChange
	if len(as) == len(bs) {
		at := 0
		for i := range as {
			if as[i] != bs[i] {
				out = append(out, wordChange{at, len(as[i]), bs[i]})
			}
			at += len(as[i])
		}
		return out
	}
	head, tail := common(as, bs)
	at := len(strings.Join(as[:head], ""))
	return []wordChange{{at, len(strings.Join(as[head:len(as)-tail], "")), strings.Join(bs[head:len(bs)-tail], "")}}
}

// common counts what two lists have in common at the beginning, and in what is left at the end.
func common(a, b []string) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

func words(s string) []string {
	var out []string
	for at := 0; at < len(s); {
		start, end := source.NextIdent([]byte(s), at)
		if start < 0 {
			start, end = len(s), len(s)
		}
		for _, r := range s[at:start] {
			n := len(string(r))
			if r == '\uFFFD' {
				n = 1 // an invalid byte
			}
			out = append(out, s[at:at+n])
			at += n
		}
		if end > at {
			out = append(out, s[at:end])
		}
		at = end
	}
	return out
}

// editOf returns an edit like e of the bytes from an offset on.
func editOf(c *source.Text, e Edit, at int, old, text string) Edit {
	e.Location.Line, e.Location.Col = c.Place(at)
	e.Location.EndLine, e.Location.EndCol = c.Place(at + len(old))
	e.Old, e.New = old, text
	return e
}
