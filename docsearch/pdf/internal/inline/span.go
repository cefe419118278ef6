package inline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/internal/hyphen"
	"golang.org/x/text/unicode/norm"
)

// A Face is how a stretch of text is set.
type Face uint8

const (
	Bold Face = 1 << iota
	Italic
	Mono
	Math
	Superscript
	Subscript
)

// A Span is a stretch of text in one face. A blank in it separates words.
type Span struct {
	Text string
	Face Face
}

// Body is how most of a document's text is set: what all of it has says nothing.
type Body struct{ Bold, Mono bool }

// faceOf is the face of a glyph on a line.
func (b Body) faceOf(g *content.Glyph, l *layout.Line) Face {
	var f Face
	if ft := g.Font; ft != nil {
		if ft.Bold && !b.Bold {
			f |= Bold
		}
		if ft.Italic {
			f |= Italic
		}
		if ft.Mono && !b.Mono {
			f |= Mono
		}
		if ft.Math {
			f = f&^Italic | Math
		}
	}
	if r, _ := utf8.DecodeRuneInString(g.Text); r >= 0x1D400 && r <= 0x1D7FF {
		f = f&^Italic | Math
	}
	if g.Size < ScriptSize*l.Size && l.Dx > .99 {
		switch off := layout.Baseline(l) - g.Y; {
		case off > .15*l.Size:
			f |= Superscript
		case off < -.06*l.Size:
			f |= Subscript
		}
	}
	return f
}

// Spans cuts a line into stretches of one face.
func (b Body) Spans(l *layout.Line) []Span {
	var buf [512]byte
	text := buf[:0] // of all spans, one after the other
	var starts [32]int
	ends := starts[:0]
	var out []Span
	open := func(f Face) {
		if n := len(out); n == 0 || out[n-1].Face != f {
			if n > 0 {
				ends = append(ends, len(text))
			}
			out = append(out, Span{Face: f})
		}
	}
	blank := func() {
		if r, _ := utf8.DecodeLastRune(text); len(text) > 0 && !unicode.IsSpace(r) {
			text = append(text, ' ')
		}
	}
	over := "" // an arrow or a stroke that the next sign has
	for i := range l.Segs {
		s := &l.Segs[i]
		if i > 0 && !layout.StartsSpace(s.Text) && over == "" {
			blank()
		}
		if reordered(s) {
			if s.Text != "" {
				open(b.faceOf(&s.Glyphs[0], l) &^ (Superscript | Subscript | Math))
				text = append(text, s.Text...)
			}
			continue
		}
		next := 0
		var plain *content.Glyph // the last one opened, if it is of ASCII and neither raised nor lowered
		for k := range s.Glyphs {
			g := &s.Glyphs[k]
			if next < len(s.Spaces) && s.Spaces[next] == k {
				if over == "" && !raisedBeside(s, k, l) {
					blank()
				}
				next++
			}
			t := g.Text
			if t == VecAccent || t == Stroke {
				over = t
				continue
			}
			if len(t) == 1 && t[0] > ' ' && t[0] < 0x7F {
				if plain == nil || g.Font != plain.Font || g.Size < .86*l.Size {
					open(b.faceOf(g, l))
					if plain = g; g.Size < .86*l.Size {
						plain = nil
					}
				}
				text = append(text, t[0])
				if over != "" {
					text = append(text[:len(text)-1], norm.NFC.String(t+over)...)
					over = ""
				}
				continue
			}
			plain = nil
			t = strings.Map(func(r rune) rune {
				switch {
				case r == '\n' || r == '\r' || r == '\t':
					return ' '
				case r < 0x20 || r == 0x7F:
					return -1
				}
				return r
			}, t)
			if strings.TrimSpace(t) == "" {
				if t != "" {
					blank()
				}
				continue
			}
			open(b.faceOf(g, l))
			if over != "" {
				t, over = norm.NFC.String(t+over), ""
			}
			text = append(text, ligatures.Replace(t)...)
		}
	}
	if len(out) > 0 {
		s := string(text)
		from := 0
		for i, end := range append(ends, len(s)) {
			out[i].Text = s[from:end]
			from = end
		}
		last := &out[len(out)-1]
		last.Text = strings.TrimRight(last.Text, " ")
	}
	return out
}

// raisedBeside reports whether glyph k is raised or lowered at the mathematical letter before it. Slanted letters reach
// over their width, and what is raised stands off; by its own size the gap is a blank.
func raisedBeside(s *layout.Segment, k int, l *layout.Line) bool {
	if k == 0 || l.Dx < .99 {
		return false
	}
	g, before := &s.Glyphs[k], &s.Glyphs[k-1]
	return g.Size < ScriptSize*l.Size && before.Font != nil && before.Font.Math && before.Size > g.Size && g.X-before.EndX < .2*l.Size && scriptAt(g, layout.Baseline(l), l.Size) != 0
}

// ligatures are written out in the view; the raw text keeps them.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// reordered reports whether the text of a segment is not its glyphs in their order.
func reordered(s *layout.Segment) bool {
	for i := range s.Glyphs {
		if layout.IsRTLGlyph(&s.Glyphs[i]) {
			return true
		}
	}
	return false
}

// Join appends the spans of the next line to those of a paragraph.
func Join(words *hyphen.Vocabulary, para, next []Span) []Span {
	if len(para) == 0 || len(next) == 0 {
		return append(para, next...)
	}
	last := &para[len(para)-1]
	r, size := utf8.DecodeLastRuneInString(last.Text)
	if strings.ContainsRune(hyphen.Signs, r) && utf8.RuneCountInString(last.Text) > 1 {
		before := Text(para)
		before = before[:len(before)-size]
		prev, _ := utf8.DecodeLastRuneInString(before)
		switch {
		case r == '\u00ad' || words.Divided(before, Text(next)):
			last.Text = last.Text[:len(last.Text)-size]
			return append(para, next...)
		case unicode.IsLetter(prev) || unicode.IsDigit(prev):
			return append(para, next...) // the hyphen stays, and so does the word
		}
	}
	if hyphen.EndsCJK(last.Text) && hyphen.StartsCJK(next[0].Text) {
		return append(para, next...)
	}
	last.Text += " "
	return append(para, next...)
}

// Text is what the spans say, whatever they look like.
func Text(spans []Span) string {
	if len(spans) == 1 {
		return spans[0].Text
	}
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// SpellLigatures writes ligatures out.
func SpellLigatures(s string) string { return ligatures.Replace(s) }
