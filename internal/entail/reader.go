package entail

import (
	"slices"
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/lru"
)

// A Reader judges sentences one after another. The texts that it has read of late it knows again: on a page that many sentences cite, reading takes most of the time.
// It is safe for concurrent use.
type Reader struct {
	texts *lru.Cache[string, *reading]
}

// The bounds of what a reader keeps, in bytes by estimate. A byte of text makes some 30 of tokens, so that texts of over 500 KB in all are known.
const (
	maxKept = 16 << 20
	perByte = 30
)

// NewReader returns a reader that has read nothing.
func NewReader() *Reader {
	return &Reader{texts: lru.New[string, *reading](maxKept)}
}

// A reading is a text as it is read for any claim. Nobody writes to it.
type reading struct {
	*passage
	parts []stretch        // of the text, without what they have of a claim
	cells map[int]*passage // of the parts that are tables
}

func (r *Reader) read(s string) *reading {
	if x, ok := r.texts.Get(s); ok {
		return x
	}
	x := &reading{passage: read(s)}
	x.parts, x.cells = x.divide(s)
	r.texts.Put(s, x, perByte*len(s))
	return x
}

// own is a passage that one claim may write to.
func (r *Reader) own(s string) *passage {
	p := *r.read(s).passage
	p.toks = slices.Clone(p.toks)
	return &p
}

// divide cuts a text that was read into sentences, headings and tables.
func (p *passage) divide(e string) (out []stretch, cells map[int]*passage) {
	add := func(at int, table, heading bool) {
		if n := len(out); n > 0 && out[n-1].from == at {
			out = out[:n-1]
		}
		out = append(out, stretch{from: at, table: table, heading: heading})
	}
	next, last, at, inTable := 0, -1, 0, false
	for line := range strings.SplitAfterSeq(e, "\n") {
		trim := strings.TrimSpace(line)
		row, heading := strings.HasPrefix(trim, "|") && strings.Count(trim, "|") > 2, strings.HasPrefix(trim, "#") // as read has it
		if row != inTable || at == 0 {
			add(at, row, false)
		}
		inTable = row
		if heading {
			add(at, false, true)
		}
		for ; next < len(p.clauses) && p.toks[p.clauses[next].from].start < at+len(line); next++ {
			if c := p.clauses[next]; c.sentence != last {
				last = c.sentence
				if !heading {
					add(p.toks[c.from].start, false, false)
				}
			}
		}
		at += len(line)
		if heading {
			add(at, false, false)
		}
	}
	kept := out[:0]
	for i, s := range out {
		s.to = len(e)
		if i+1 < len(out) {
			s.to = out[i+1].from
		}
		if strings.TrimSpace(e[s.from:s.to]) != "" {
			kept = append(kept, s)
		}
	}
	cells = map[int]*passage{}
	for i, s := range kept {
		if s.table {
			c := &passage{text: e[s.from:s.to]}
			c.toks = tokenize(c.text)
			c.nums = quantities(c.text, c.toks)
			cells[i] = c
		}
	}
	return kept, cells
}

// mended joins the words of a text that ends of lines divide: "sym- bols". A hyphen stays where the claim has it, or where one of two words is left out, as in "two- and three-".
func mended(text, claim string) string {
	var b strings.Builder
	from, at := 0, 0
	for {
		i := strings.IndexByte(text[at:], '-')
		if i < 0 {
			return b.String() + text[from:]
		}
		hyphen := at + i
		at = hyphen + 1
		behind := strings.TrimLeft(text[at:], " \n")
		first := text[from:hyphen]
		first = first[len(strings.TrimRightFunc(first, unicode.IsLetter)):]
		second := behind[:len(behind)-len(strings.TrimLeftFunc(behind, unicode.IsLower))]
		if len(behind) == len(text)-at || first == "" || second == "" || second == "and" || second == "or" || second == "to" {
			continue
		}
		b.WriteString(text[from:hyphen])
		if strings.Contains(claim, first+"-"+second) {
			b.WriteByte('-')
		}
		b.WriteString(second)
		at = len(text) - len(behind) + len(second)
		from = at
	}
}
