package chunk

import (
	"fmt"
	"unicode/utf8"
)

// A Mark is the place of a heading in a text.
type Mark struct {
	Start int // byte offset at which the heading begins
	Level int // of the heading, from 1; higher numbers lie within lower ones
}

// A SectionSplitter is a [Splitter] that can be told where the sections of a text begin. Only the caller may know: the
// headings of a PDF are told by their looks and by its outline.
type SectionSplitter interface {
	Splitter
	// SplitSections cuts a text with these headings, in order of Start. A mark that is out of order, outside the text or
	// within a UTF-8 sequence is left out. Split does the same without any.
	SplitSections(text string, marks []Mark) []Chunk
}

// SectionsOptions sets the sizes of [Sections].
type SectionsOptions struct {
	Runes   int // most runes of a chunk; 0 means 1500
	Overlap int // most runes of the chunk before that are repeated, in whole sentences; 0 means 200, negative none; at most half of Runes
	Min     int // a section of fewer runes goes with the one after it; 0 means 200, negative 1; at most Runes
	Level   int // deepest heading that begins a chunk; 0 means any
}

// Sections returns a splitter that begins a chunk at each heading it is told of. A section that is longer than a chunk is cut at ends of
// sentences into parts of about one size, each of which begins with the last sentences of the part before it. A
// heading with little text below it, such as that of a chapter just before that of its first section, goes with what follows.
//
// Without headings the whole text is one section.
func Sections(o *SectionsOptions) SectionSplitter {
	s := sections{runes: 1500, overlap: 200, min: 200}
	if o != nil {
		s.runes = positive(o.Runes, s.runes)
		if o.Overlap != 0 {
			s.overlap = max(o.Overlap, 0)
		}
		if o.Min != 0 {
			s.min = max(o.Min, 1)
		}
		s.level = max(o.Level, 0)
	}
	s.overlap, s.min = min(s.overlap, s.runes/2), min(s.min, s.runes)
	return s
}

type sections struct{ runes, overlap, min, level int }

func (s sections) Name() string {
	return fmt.Sprintf("sections/1 runes=%d overlap=%d min=%d level=%d", s.runes, s.overlap, s.min, s.level)
}

func (s sections) Split(text string) []Chunk { return s.SplitSections(text, nil) }

func (s sections) SplitSections(text string, marks []Mark) []Chunk {
	var out []Chunk
	start, heading := 0, 0
	section := func(end int) {
		if end <= start {
			return
		}
		// What precedes the heading may be a section too short to stand alone.
		if end < len(text) && utf8.RuneCountInString(text[start:end]) < s.min {
			return
		}
		out = s.section(out, text, start, end)
		start = end
	}
	for _, m := range marks {
		if m.Start <= heading || m.Start >= len(text) || !utf8.RuneStart(text[m.Start]) || s.level > 0 && m.Level > s.level {
			continue
		}
		heading = m.Start
		section(m.Start)
	}
	section(len(text))
	return out
}

// A unit is a sentence, or a piece of one that is too long.
type unit struct{ start, end, runes int }

// section appends the chunks of text[start:end].
func (s sections) section(out []Chunk, text string, start, end int) []Chunk {
	total := utf8.RuneCountInString(text[start:end])
	if total <= s.runes {
		return append(out, Chunk{start, end, text[start:end]})
	}
	var units []unit
	at := start
	for _, e := range sentenceEnds(text[start:end]) {
		for e += start; at < e; {
			to := at + softCut(text[at:e], max(1, s.runes-s.overlap))
			units = append(units, unit{at, to, utf8.RuneCountInString(text[at:to])})
			at = to
		}
	}
	parts := (total - s.overlap + s.runes - s.overlap - 1) / (s.runes - s.overlap)
	target := (total + (parts-1)*s.overlap + parts - 1) / parts
	for i := 0; i < len(units); {
		size, j := 0, i
		for j < len(units) && size < target && size+units[j].runes <= s.runes {
			size += units[j].runes
			j++
		}
		out = append(out, Chunk{units[i].start, units[j-1].end, text[units[i].start:units[j-1].end]})
		if j == len(units) {
			break
		}
		next := j
		for again := 0; next > i+1 && again+units[next-1].runes <= s.overlap && again+units[next-1].runes+units[j].runes <= s.runes; {
			next--
			again += units[next].runes
		}
		i = next
	}
	return out
}
