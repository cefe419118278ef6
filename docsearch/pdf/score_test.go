package pdf_test

import (
	"math"
	"math/bits"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// similarity is the Indel similarity of two sequences: twice their longest common subsequence over both lengths.
func similarity[T comparable](a, b []T) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	return 2 * float64(common(a, b)) / float64(len(a)+len(b))
}

// common is the length of the longest common subsequence, 64 places of a at a time (Hyyrö, "Bit-parallel LCS-length
// computation revisited", 2004).
func common[T comparable](a, b []T) int {
	words := (len(a) + 63) / 64
	at := map[T][]uint64{}
	for i, x := range a {
		if at[x] == nil {
			at[x] = make([]uint64, words)
		}
		at[x][i/64] |= 1 << (i % 64)
	}
	v := make([]uint64, words) // a zero bit is a step of the subsequence
	for i := range v {
		v[i] = math.MaxUint64
	}
	for _, y := range b {
		m := at[y]
		if m == nil {
			continue
		}
		var carry uint64
		for i := range v {
			u := v[i] & m[i]
			sum, c := bits.Add64(v[i], u, carry)
			v[i], carry = sum|(v[i]&^m[i]), c
		}
	}
	n := 0
	for i, w := range v {
		if i == words-1 && len(a)%64 != 0 {
			w |= math.MaxUint64 << (len(a) % 64)
		}
		n += bits.OnesCount64(^w)
	}
	return n
}

func TestCommon(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 0}, {"abc", "abc", 3}, {"abcd", "axcyd", 3}, {"abcbdab", "bdcaba", 4},
		{strings.Repeat("ab", 100), strings.Repeat("ba", 100), 199}, {strings.Repeat("x", 130), strings.Repeat("x", 64) + "y", 64},
	} {
		if got := common([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("common(%.12q, %.12q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

var (
	hyphens   = strings.NewReplacer("\u00ad", "-", "\ufffe", "-", "\u2010", "-")
	divided   = regexp.MustCompile(`([\p{L}\p{N}_])-[ \r]*\n\s*([a-z\x{df}-\x{ff}])`)
	tokenExpr = regexp.MustCompile(`[\p{L}\p{N}\p{M}_]+|[^\p{L}\p{N}\p{M}_\s]`)
)

// tokens are the words and marks of a text; a word divided at the end of a line is one.
func tokens(s string) []string {
	s = hyphens.Replace(norm.NFKC.String(s))
	return tokenExpr.FindAllString(divided.ReplaceAllString(s, "$1$2"), -1)
}

// characters are the characters of a text with white space collapsed.
func characters(s string) []rune { return []rune(collapse(norm.NFKC.String(s))) }

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// lineSet counts the lines of a text.
func lineSet(s string) map[string]int {
	out := map[string]int{}
	for l := range strings.Lines(s) {
		if l = collapse(norm.NFKC.String(l)); l != "" {
			out[l]++
		}
	}
	return out
}

// f1 compares two multisets. Two empty ones agree.
func f1[T comparable](want, got map[T]int) float64 {
	both, n := 0, 0
	for k, w := range want {
		both += min(w, got[k])
		n += w
	}
	for _, g := range got {
		n += g
	}
	if n == 0 {
		return 1
	}
	return 2 * float64(both) / float64(n)
}

// bare keeps what counts in the text of a cell, a caption or a heading.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), strings.ContainsRune("_%$€£.,+-()/", r):
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(s))
}

// A relation is two neighbouring cells of a table, as the ICDAR 2013 table competition counts them.
type relation struct {
	a, b string
	down bool
}

// relations counts the neighbours of a table: of each cell the next one to the right and below that is not empty.
func relations(cells []quad) map[relation]int {
	type pair struct {
		a, b int
		down bool
	}
	at := map[[2]int]int{}
	rows, cols := 0, 0
	for i, c := range cells {
		if bare(c.text) == "" {
			continue
		}
		for r := c.r0; r <= c.r1; r++ {
			for k := c.c0; k <= c.c1; k++ {
				if _, ok := at[[2]int{r, k}]; !ok {
					at[[2]int{r, k}] = i
				}
			}
		}
		rows, cols = max(rows, c.r1), max(cols, c.c1)
	}
	seen := map[pair]bool{}
	out := map[relation]int{}
	for p, i := range at {
		for _, down := range []bool{false, true} {
			q := p
			for {
				if down {
					q[0]++
				} else {
					q[1]++
				}
				if q[0] > rows || q[1] > cols {
					break
				}
				k, ok := at[q]
				if !ok {
					continue
				}
				if k != i && !seen[pair{i, k, down}] {
					seen[pair{i, k, down}] = true
					out[relation{bare(cells[i].text), bare(cells[k].text), down}]++
				}
				break
			}
		}
	}
	return out
}
