package secrets

import (
	"bytes"
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// Running every pattern over every text costs more than reading the texts. So one pass finds where the fixed beginnings of the kinds stand, and a
// pattern is tried there alone.

// A start is a fixed beginning of a kind.
type start struct {
	text string
	kind int
}

// byPair has the starts by their first two letters in lists, and the number of each list; 0 is the empty one.
var byPair = sync.OnceValues(func() (lists [][]start, pairs *[1 << 16]uint8) {
	lists, pairs = [][]start{nil}, new([1 << 16]uint8)
	for i, k := range kinds {
		for _, s := range k.starts {
			n := pairs[pair(s[0], s[1])]
			if n == 0 {
				n = uint8(len(lists))
				lists = append(lists, nil)
				for _, a := range s[:1] + strings.ToUpper(s[:1]) {
					for _, b := range s[1:2] + strings.ToUpper(s[1:2]) {
						pairs[pair(byte(a), byte(b))] = n
					}
				}
			}
			lists[n] = append(lists[n], start{s, i})
		}
	}
	return lists, pairs
})

func pair(a, b byte) int { return int(a)<<8 | int(b) }

// candidates returns for each kind where its starts stand in a text, in any case of ASCII letters.
func candidates(text []byte) [][]int {
	var out [][]int
	lists, pairs := byPair()
	for i := range len(text) - 1 {
		n := pairs[pair(text[i], text[i+1])]
		if n == 0 {
			continue
		}
		for _, s := range lists[n] {
			if !startsWith(text[i:], s.text) {
				continue
			}
			if out == nil {
				out = make([][]int, len(kinds))
			}
			if at := out[s.kind]; len(at) == 0 || at[len(at)-1] != i {
				out[s.kind] = append(at, i)
			}
		}
	}
	return out
}

// startsWith reports whether b begins with s, which is in small letters.
func startsWith(b []byte, s string) bool {
	if len(b) < len(s) {
		return false
	}
	for i := range len(s) {
		c := b[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != s[i] {
			return false
		}
	}
	return true
}

// find returns what FindAllSubmatchIndex of the kind's pattern does: where its first group lies. at are the kind's candidates. Letters beyond ASCII that
// a pattern without case takes for s and k are not looked for.
func (k *kind) find(text []byte, at []int) (found [][2]int) {
	if k.scan != nil {
		return k.scan(text, at)
	}
	end := 0
	for _, p := range at {
		if k.from != nil {
			p = k.from(text, p)
		}
		if p < end || k.re.bounded && p > 0 && wordByte(text[p-1]) {
			continue
		}
		if m := k.re.here.FindSubmatchIndex(text[p:]); m != nil {
			found = append(found, [2]int{p + m[2], p + m[3]})
			end = p + m[1]
		}
	}
	return found
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// minRun is how long a run of base64 is at least to be key material.
const minRun = 60

// base64Runs finds the runs of base64, with their padding.
func base64Runs(text []byte, _ []int) (found [][2]int) {
	in := func(i int) bool { return wordByte(text[i]) && text[i] != '_' || text[i] == '+' || text[i] == '/' }
	for from := 0; from+minRun <= len(text); {
		last := from + minRun - 1 // from the end, so that most of a text is not looked at
		for last >= from && in(last) {
			last--
		}
		if last >= from {
			from = last + 1
			continue
		}
		to := from + minRun
		for to < len(text) && in(to) {
			to++
		}
		for n := 0; n < 2 && to < len(text) && text[to] == '='; n++ {
			to++
		}
		found = append(found, [2]int{from, to})
		from = to
	}
	return found
}

var (
	keyHead = lazyregexp.New(`\A-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`)
	keyFoot = lazyregexp.New(`\A-----END [A-Z0-9 ]{0,40}PRIVATE KEY( BLOCK)?(-----)?`)
)

// privateKeys finds private keys up to their last line, or to the end of the text.
func privateKeys(text []byte, at []int) (found [][2]int) {
	end := 0
	for _, p := range at {
		if p < end {
			continue
		}
		head := keyHead.Find(text[p:])
		if head == nil {
			continue
		}
		from := p + len(head)
		to, foot := footAt(text, from, true)
		found, end = append(found, [2]int{from, to}), to+foot
	}
	return found
}

// keyEnd finds what stands before the first line that ends a private key.
func keyEnd(text []byte, at []int) [][2]int {
	if len(at) > 0 {
		if to, foot := footAt(text, at[0], false); foot > 0 {
			return [][2]int{{0, to}}
		}
	}
	return nil
}

// footAt returns where the next line that ends a private key stands, and its length: the end of the text and 0 when there is none.
func footAt(text []byte, from int, whole bool) (at, size int) {
	for from < len(text) {
		i := bytes.Index(text[from:], []byte("-----END "))
		if i < 0 {
			break
		}
		from += i
		if m := keyFoot.FindSubmatchIndex(text[from:]); m != nil && (!whole || m[4] >= 0) {
			return from, m[1]
		}
		from++
	}
	return len(text), 0
}

// The kinds whose fixed part is not at the beginning find that from it.

// digitsStart is for ":AA".
func digitsStart(text []byte, at int) int {
	for n := 0; n <= 10 && at > 0 && text[at-1] >= '0' && text[at-1] <= '9'; n++ {
		at--
	}
	return at
}

// schemeStart is for "://".
func schemeStart(text []byte, at int) int {
	first := at
	for i := at - 1; i >= max(at-21, 0) && (wordByte(text[i]) && text[i] != '_' || bytes.IndexByte([]byte("+.-"), text[i]) >= 0); i-- {
		if text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' {
			first = i
		}
	}
	return first
}

// tokenStart is for ".eyJ" behind the first part of a JSON web token.
func tokenStart(text []byte, at int) int {
	from := at
	for from > 0 && (wordByte(text[from-1]) || text[from-1] == '-') {
		from--
	}
	if i := bytes.Index(text[from:at], []byte("-eyJ")); i >= 0 && !bytes.HasPrefix(text[from:], []byte("eyJ")) {
		from += i + 1
	}
	return from
}
