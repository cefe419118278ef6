package structure

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/hyphen"
)

// A Style is how a document is set, as a few of its pages show: what its text looks like, what repeats on every page, and
// which looks its headings have. It is not changed once it is made, so that workers share it.
type Style struct {
	inline.Body

	family   string                     // of the font of most of the text
	BodySize float64                    // letter size of most of the text
	running  []runningLine              // headers and footers
	levels   map[look]int               // level of headings of each look
	Marks    map[int][]catalog.Bookmark // the outline, by page
	Words    *hyphen.Vocabulary         // of the sampled pages
	Title    string                     // as found on the first page
	Titled   []int                      // lines of the first page that are the title
	People   int                        // last line of the first page that names the authors, in the order of lines with text
	rich     bool                       // the outline is long: a bold line that it leaves out is a term
	noisy    bool                       // sizes change from line to line, as they do in what OCR leaves
	Slides   bool                       // pages are wide and hold little text
	Asides   map[string]bool            // text at the margin that pages repeat, digits folded
}

// A look is the size and face of a line, coarse enough to be the same for all headings of a kind.
type look struct {
	size int // half points
	bold bool
	caps bool
}

func lookOf(l *layout.Line) look {
	return look{int(math.Round(l.Size * 2)), layout.IsBold(l), allCaps(l.Text)}
}

// weight orders looks: what is heavier heads what is lighter.
func (k look) weight() int {
	w := k.size * 4
	if k.bold {
		w += 3
	}
	if k.caps {
		w++
	}
	return w
}

// A runningLine is a header or footer: its text with digits folded, and where it stands.
type runningLine struct {
	text string
	base float64
	size float64
}

// samplePages are read to learn the style of a long document; of a short one all are.
const samplePages = 8

// sample chooses the pages that show the style: the first ones, and neighbours in the middle, so that left and right pages are there.
func sample(pages int) []int {
	var out []int
	if pages <= samplePages {
		for n := 1; n <= pages; n++ {
			out = append(out, n)
		}
		return out
	}
	third := pages / 3
	out = []int{1, 2, third, third + 1, third + 2, 2 * third, 2*third + 1, 2*third + 2}
	slices.Sort(out)
	return slices.Compact(out)
}

// ReadStyle samples the pages of a document; marks is its outline. It never fails: what cannot be read shows nothing.
func ReadStyle(marks []catalog.Bookmark, fr *Front, reader Pages) *Style {
	st := &Style{BodySize: 10, levels: map[look]int{}, Words: hyphen.NewVocabulary()}
	st.rich = len(marks) >= 12 && len(marks)*3 > reader.Count
	if len(marks) > 0 {
		st.Marks = map[int][]catalog.Bookmark{}
		for _, m := range marks {
			st.Marks[m.Page] = append(st.Marks[m.Page], m)
		}
	}
	st.Title, st.Titled, st.People = fr.title, fr.lines, fr.last
	st.Asides = map[string]bool{}
	type sampled struct {
		n int
		*Page
	}
	var pages []sampled
	for _, n := range sample(reader.Count) {
		if c := reader.Read(n); c != nil {
			pages = append(pages, sampled{n, c})
		}
	}
	sizes := map[int]int{}
	families := map[string]int{}
	all, bold, mono := 0, 0, 0
	for _, p := range pages {
		for i := range p.Lines {
			l := &p.Lines[i]
			n := len(l.Text)
			sizes[int(math.Round(l.Size*4))] += n
			families[family(l.Font)] += n
			all += n
			if layout.IsBold(l) {
				bold += n
			}
			if layout.IsMono(l) {
				mono += n
			}
			st.Words.Learn(l.Text)
		}
	}
	for name, n := range families {
		if n > families[st.family] || n == families[st.family] && name < st.family {
			st.family = name
		}
	}
	best := 0
	for size, n := range sizes {
		if n > best || n == best && float64(size)/4 < st.BodySize {
			best, st.BodySize = n, float64(size)/4
		}
	}
	st.BodySize = math.Max(st.BodySize, 1)
	st.Bold, st.Mono = bold*2 > all, mono*2 > all
	chars, wide := 0, 0
	margin := map[string]int{}
	for _, p := range pages {
		if p.Width > 1.2*p.Height {
			wide++
		}
		for i := range p.Lines {
			chars += len(p.Lines[i].Text)
			if p.Lines[i].Dx < .99 {
				if t := FoldDigits(p.Lines[i].Text); margin[t] > 0 {
					st.Asides[t] = true
				} else {
					margin[t]++
				}
			}
		}
	}
	st.Slides = wide*2 > len(pages) && chars < 1300*len(pages)
	seen := map[string][]runningLine{} // folded text: where it stands, once a page
	for _, p := range pages {
		for _, r := range edgeLines(p.Lines, p.Height) {
			seen[r.text] = append(seen[r.text], r)
		}
	}
	for text, rs := range seen {
		need := 2
		if len(pages) >= 6 {
			need = 3
		}
		if strings.Trim(text, "#ivxlc .-–—|/") == "" {
			need = 2
		}
		if st.Slides { // the title of a slide stays while its text is uncovered
			need = max(3, (len(pages)+1)/2)
		}
		slices.SortFunc(rs, func(a, b runningLine) int { return cmp.Compare(a.base, b.base) })
		for i := 0; i < len(rs); {
			j := i
			for j < len(rs) && rs[j].base-rs[i].base < 4 {
				j++
			}
			if len(st.running) >= maxRunning {
				break
			}
			if j-i >= need || !st.Slides && j-i >= max(2, len(pages)-1) {
				st.running = append(st.running, rs[i])
			}
			i = j
		}
	}
	slices.SortFunc(st.running, func(a, b runningLine) int {
		return cmp.Or(cmp.Compare(a.base, b.base), strings.Compare(a.text, b.text))
	})
	lines, shaped := 0, 0
	for _, p := range pages {
		for i := range p.Lines {
			if text := strings.TrimSpace(p.Lines[i].Text); LetterCount(text) > 2 {
				lines++
				if st.HeadingShape(&p.Lines[i], text) {
					shaped++
				}
			}
		}
	}
	st.noisy = !st.Slides && lines > 60 && shaped*5 > lines
	st.learnLevels(func(yield func(l *layout.Line, text string) bool) {
		for _, p := range pages {
			for i := range p.Lines {
				l := &p.Lines[i]
				text := strings.TrimSpace(l.Text)
				if p.n == 1 && slices.Contains(st.Titled, i) || st.IsRunning(l, p.Height) || !st.HeadingShape(l, text) {
					continue
				}
				if !yield(l, text) {
					return
				}
			}
		}
	})
	return st
}

// family is the name of a font without its subset, weight and slant.
func family(ft *font.Font) string {
	if ft == nil {
		return ""
	}
	n := ft.Name
	if len(n) > 7 && n[6] == '+' {
		n = n[7:]
	}
	if i := strings.IndexAny(n, "-,"); i > 0 {
		n = n[:i]
	}
	return strings.TrimRight(strings.TrimSuffix(n, "MT"), "0123456789")
}

// maxRunning bounds the headers and footers that are known of a document; it is several times what one has.
const maxRunning = 100

// edgeShare is the part of a page's height, above and below, in which headers and footers stand.
const edgeShare = .14

// edgeLines returns what may be headers and footers of a page.
func edgeLines(lines []layout.Line, h float64) []runningLine {
	var out []runningLine
	seen := map[string]bool{}
	for i := range lines {
		l := &lines[i]
		if l.Dx < .99 || l.Base > edgeShare*h && l.Base < (1-edgeShare)*h {
			continue
		}
		if t := FoldDigits(l.Text); t != "" && !seen[t] && len(t) < 200 {
			seen[t] = true
			out = append(out, runningLine{t, l.Base, l.Size})
		}
	}
	return out
}

// FoldDigits writes every number as "#" and drops the white space, so that a header is the same on each page.
func FoldDigits(s string) string {
	var b strings.Builder
	number := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			continue
		case unicode.IsDigit(r):
			if !number {
				b.WriteByte('#')
			}
			number = true
			continue
		}
		number = false
		b.WriteRune(r)
	}
	t := b.String()
	if strings.Trim(strings.ToLower(t), "ivxlc") == "" {
		return strings.Repeat("#", min(1, len(t)))
	}
	return t
}

// IsRunning reports whether a line is a header or footer that other pages have too.
func (st *Style) IsRunning(l *layout.Line, h float64) bool {
	if l.Dx < .99 || l.Base > edgeShare*h && l.Base < (1-edgeShare)*h {
		return false
	}
	t := FoldDigits(l.Text)
	for _, r := range st.running {
		if math.Abs(r.base-l.Base) > 4 {
			continue
		}
		if r.text == t {
			return true
		}
		// The name of the chapter beside the page number changes: the place and the size stay.
		if math.Abs(r.size-l.Size) < .3 && math.Abs(r.base-l.Base) < 1 && strings.Contains(t, "#") && strings.HasPrefix(r.text, "#") == strings.HasPrefix(t, "#") &&
			(r.size < .97*st.BodySize || l.Base < edgeShare*h/2) {
			return true
		}
	}
	return false
}

// learnLevels ranks the looks of headings. Numbered headings say how deep their look is; the others come between them by weight.
func (st *Style) learnLevels(lines func(func(l *layout.Line, text string) bool)) {
	depths := map[look]map[int]int{}
	count := map[look]int{}
	for l, text := range lines {
		k := lookOf(l)
		count[k]++
		if n, _, ok := clause.Parse(text); ok && n.Kind != clause.Letter {
			if depths[k] == nil {
				depths[k] = map[int]int{}
			}
			depths[k][n.Depth]++
		}
	}
	keys := make([]look, 0, len(count))
	for k := range count {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b look) int {
		return cmp.Or(b.weight()-a.weight(), cmp.Compare(b.size, a.size))
	})
	above, rank := 0, 0
	for _, k := range keys {
		if ds := depths[k]; ds != nil {
			best := 0
			for d, n := range ds {
				if best == 0 || n > ds[best] || n == ds[best] && d < best {
					best = d
				}
			}
			st.levels[k] = best
			above = max(above, best)
			continue
		}
		rank++
		if above > 0 {
			st.levels[k] = min(above+1, 5)
		} else {
			st.levels[k] = min(rank, 4)
		}
	}
}
