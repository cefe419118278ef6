package chunk

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Chunk is one passage of a text.
type Chunk struct {
	Start, End int    // byte offsets in the text, half-open
	Text       string // text[Start:End]
}

// A Splitter cuts texts into chunks, in order of their place. It is safe for concurrent use.
type Splitter interface {
	// Name identifies the rule with its options: two splitters of one name cut alike.
	Name() string
	Split(text string) []Chunk
}

// FixedOptions sets the sizes of [Fixed].
type FixedOptions struct {
	Runes int // runes of a chunk; 0 means 3000
	Min   int // a last piece of fewer runes is dropped, unless it is the only one; 0 means 100, negative keeps all
}

// Fixed returns a splitter that cuts after every Runes runes, wherever that falls, without overlap.
func Fixed(o *FixedOptions) Splitter {
	f := fixed{runes: 3000, min: 100}
	if o != nil {
		f.runes = positive(o.Runes, f.runes)
		if o.Min != 0 {
			f.min = max(o.Min, 0)
		}
	}
	return f
}

type fixed struct{ runes, min int }

func (f fixed) Name() string { return fmt.Sprintf("fixed/1 runes=%d min=%d", f.runes, f.min) }

func (f fixed) Split(text string) []Chunk {
	var out []Chunk
	start, n := 0, 0
	for i := range text {
		if n == f.runes {
			out = append(out, Chunk{start, i, text[start:i]})
			start, n = i, 0
		}
		n++
	}
	if n > 0 && (n >= f.min || len(out) == 0) {
		out = append(out, Chunk{start, len(text), text[start:]})
	}
	return out
}

// SentencesOptions sets the sizes of [Sentences].
type SentencesOptions struct {
	Runes int // most runes of a chunk; 0 means 3000
}

// Sentences returns a splitter that puts as many whole sentences as fit into a chunk. An end of a paragraph ends a
// sentence. A sentence that is longer than a chunk is cut at white space, or hard where there is none.
func Sentences(o *SentencesOptions) Splitter {
	s := sentences{runes: 3000}
	if o != nil {
		s.runes = positive(o.Runes, s.runes)
	}
	return s
}

type sentences struct{ runes int }

func (s sentences) Name() string { return fmt.Sprintf("sentences/1 runes=%d", s.runes) }

func (s sentences) Split(text string) []Chunk {
	return pack(nil, text, 0, len(text), sentenceEnds(text), s.runes)
}

// HeadingsOptions sets the sizes of [Headings].
type HeadingsOptions struct {
	Runes int // most runes of a chunk; 0 means 3000
	Level int // deepest heading that begins a chunk, 1 to 6; 0 means 6
}

// Headings returns a splitter for Markdown that begins a chunk at each ATX heading ("## Title") outside fenced code. A
// section that is longer than a chunk is cut further as by [Sentences].
func Headings(o *HeadingsOptions) Splitter {
	h := headings{runes: 3000, level: 6}
	if o != nil {
		h.runes = positive(o.Runes, h.runes)
		h.level = min(positive(o.Level, h.level), 6)
	}
	return h
}

type headings struct{ runes, level int }

func (h headings) Name() string { return fmt.Sprintf("headings/1 runes=%d level=%d", h.runes, h.level) }

func (h headings) Split(text string) []Chunk {
	var out []Chunk
	start, fence := 0, ""
	section := func(end int) {
		if end > start {
			out = pack(out, text, start, end, sentenceEnds(text[start:end]), h.runes)
			start = end
		}
	}
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := strings.TrimRight(text[at:end], "\r\n")
		if body := strings.TrimLeft(line, " "); len(line)-len(body) <= 3 {
			switch f := fenceOf(body); {
			case fence == "" && f != "":
				fence = f
			case fence != "" && f != "" && f[0] == fence[0] && len(f) >= len(fence) && strings.Trim(body, f[:1]+" \t") == "":
				fence = ""
			case fence == "":
				if n := HeadingLevel(line); n > 0 && n <= h.level {
					section(at)
				}
			}
		}
		at = end
	}
	section(len(text))
	return out
}

// fenceOf returns the run of back-ticks or tildes that opens or closes fenced code on this line.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if n := len(line) - len(rest); n >= 3 && (c == "~" || !strings.Contains(rest, "`")) {
			return line[:n]
		}
	}
	return ""
}

// HeadingLevel returns the level of an ATX heading line of Markdown, 1 to 6, and 0 for other lines
// (CommonMark 0.31, section 4.2). The caller knows whether the line is within fenced code.
func HeadingLevel(line string) int {
	body := strings.TrimLeft(line, " ")
	if len(line)-len(body) > 3 {
		return 0
	}
	rest := strings.TrimLeft(body, "#")
	n := len(body) - len(rest)
	if n == 0 || n > 6 || rest != "" && !strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, "\t") && !strings.HasPrefix(rest, "\r") && !strings.HasPrefix(rest, "\n") {
		return 0
	}
	return n
}

// pack appends the chunks of text[start:end] to out. ends are the offsets, from start, after which a cut is welcome; the
// last is the length.
func pack(out []Chunk, text string, start, end int, ends []int, runes int) []Chunk {
	from, n := start, 0 // the chunk being filled and its runes
	cut := func(to int) {
		if to > from {
			out = append(out, Chunk{from, to, text[from:to]})
			from, n = to, 0
		}
	}
	at := start
	for _, e := range ends {
		e += start
		size := utf8.RuneCountInString(text[at:e])
		if n+size > runes {
			cut(at)
		}
		for size > runes {
			to := softCut(text[from:e], runes) + from
			size -= utf8.RuneCountInString(text[from:to])
			cut(to)
		}
		n += size
		at = e
	}
	cut(end)
	return out
}

// softCut returns the offset of a cut in s after at most n runes: after the last white space in the second half of them,
// or hard.
func softCut(s string, n int) int {
	best, count := 0, 0
	for i, r := range s {
		if count == n {
			if best > 0 {
				return best
			}
			return i
		}
		count++
		if unicode.IsSpace(r) && count > n/2 {
			best = i + utf8.RuneLen(r)
		}
	}
	return len(s)
}

// sentenceEnds returns the offsets at which sentences of s end, white space after them included; the last is len(s).
func sentenceEnds(s string) []int {
	var ends []int
	add := func(i int) {
		if i > 0 && i < len(s) && (len(ends) == 0 || ends[len(ends)-1] < i) {
			ends = append(ends, i)
		}
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		next := i + n
		switch r {
		case '。', '！', '？':
			add(next)
		case '.', '!', '?':
			j := next
			for j < len(s) && strings.IndexByte(`.!?)"']`, s[j]) >= 0 {
				j++
			}
			if k := skipSpace(s, j); k > j && (r != '.' || !abbreviation(s[:i])) {
				if c, _ := utf8.DecodeRuneInString(s[k:]); k == len(s) || !unicode.IsLower(c) {
					add(k)
				}
			}
			next = j
		case '\n':
			if k := skipSpace(s, next); strings.IndexByte(s[next:k], '\n') >= 0 {
				add(k)
				next = k
			}
		}
		i = next
	}
	if len(s) > 0 {
		ends = append(ends, len(s))
	}
	return ends
}

func skipSpace(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsSpace(r) {
			break
		}
		i += n
	}
	return i
}

// abbreviation reports whether the text before a full stop ends in a word that a full stop does not end a sentence after.
func abbreviation(before string) bool {
	i := len(before)
	for i > 0 && len(before)-i < 8 && (before[i-1] == '.' || before[i-1]|0x20 >= 'a' && before[i-1]|0x20 <= 'z') {
		i--
	}
	switch strings.ToLower(before[i:]) {
	case "e.g", "i.e", "cf", "fig", "figs", "eq", "eqs", "sec", "tab", "vs", "al", "dr", "prof", "mr", "mrs", "st", "no", "vol", "pp", "ref", "refs", "ca", "approx":
		return true
	}
	return len(before)-i == 1 && before[i] >= 'A' && before[i] <= 'Z' // an initial
}

func positive(v, def int) int {
	if v > 0 {
		return v
	}
	return def
}

// SentenceEnds returns the offsets at which sentences of a text end, white space after them included; the last is its length. An end of a
// paragraph ends a sentence.
func SentenceEnds(text string) []int { return sentenceEnds(text) }
