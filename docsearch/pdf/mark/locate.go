package mark

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill/evidence"
)

const (
	maxGap      = 6000    // bytes between two parts of a quote: a footer, a header, footnotes, a figure
	minPart     = 6       // folded bytes of a part
	maxParts    = 4       // of a quote
	maxNearest  = 4 << 20 // bytes of text in which the nearest to a quote is looked for, as package evidence has it
	maxSaid     = 20      // texts of a call whose nearest is looked for
	maxWork     = 1 << 30 // bytes of text that one call searches: a second or two
	searchAhead = 2       // pages around the one that a mark names that are searched first
)

// A content is the text of an opened document: its pages in a row, as the raw text of a document is.
type content struct {
	doc   extract.Doc
	full  extract.Doc // with tables and figures; nil until they are needed
	open  func(plain bool) (extract.Doc, error)
	pages int
	raw   string
	base  []int         // offset of each page in raw, and the length of raw
	lines []int         // of the document before each page
	apart map[int][]int // lines of pages that stand apart from the running text
	exact *folded
	plain *folded
	kept  map[int]*extract.Page // pages that were read again, for the places of their characters
	bad   []error
	work  int // bytes that may still be searched
	said  int // texts whose nearest was looked for
}

func readText(ctx context.Context, r io.ReaderAt, size int64, o *Options) (*content, error) {
	t := &content{kept: map[int]*extract.Page{}, apart: map[int][]int{}, work: maxWork}
	t.open = func(plain bool) (extract.Doc, error) {
		return pdf.New(&pdf.Options{Password: o.Password, MaxFile: o.MaxFile, OCR: o.OCR, Plain: plain, Logger: o.Logger}).Open(ctx, r, size)
	}
	var err error
	if t.doc, err = t.open(true); err != nil {
		return nil, err
	}
	var b strings.Builder
	for page, err := range t.doc.Pages(ctx, 1, 0) {
		if ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), t.doc.Close())
		}
		if err != nil {
			t.bad = append(t.bad, err)
		}
		if n := len(t.base); n > 0 {
			t.lines = append(t.lines, t.lines[n-1]+strings.Count(b.String()[t.base[n-1]:], "\n"))
		} else {
			t.lines = []int{0}
		}
		t.base = append(t.base, b.Len())
		t.pages++
		if page != nil {
			b.WriteString(page.Text)
		}
		if s := b.String(); !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
	}
	t.raw = b.String()
	t.base = append(t.base, len(t.raw))
	return t, nil
}

func (t *content) close() {
	t.doc.Close()
	if t.full != nil {
		t.full.Close()
	}
}

// locate finds the marks.
func (t *content) locate(ctx context.Context, marks []Mark) (*Report, error) {
	rep := &Report{Pages: t.pages, Marks: make([]Found, 0, len(marks))}
	for i := range marks {
		m := &marks[i]
		f := Found{Key: m.Key, Text: m.Text, Places: []extract.Place{}, mark: i}
		places, err := t.find(ctx, m)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("mark %d: %w", i+1, err)
		}
		if len(places) == 0 && m.Optional {
			continue
		}
		if f.Places = append(f.Places, places...); len(f.Places) == 0 {
			f.Missing = t.nearest(ctx, m)
		}
		rep.Marks = append(rep.Marks, f)
	}
	return rep, nil
}

// find returns the places of a mark, one for each page that it is on.
func (t *content) find(ctx context.Context, m *Mark) ([]extract.Place, error) {
	if !hasWord(m.Text) {
		return nil, fmt.Errorf("text %q: %w: it contains no word", m.Text, errs.Unsupported)
	}
	if m.All {
		return t.findAll(ctx, m)
	}
	if m.Table {
		return t.findTable(ctx, m)
	}
	spans := t.best(m)
	if spans == nil && m.Page > 0 {
		return t.area(ctx, m)
	}
	return t.places(ctx, spans)
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// findAll returns every place, as extract.Page.Find has them, and those that go over the end of a page.
func (t *content) findAll(ctx context.Context, m *Mark) ([]extract.Place, error) {
	var out []extract.Place
	for page, err := range t.doc.Pages(ctx, 1, 0) {
		if ctx.Err() != nil || err != nil && page == nil {
			continue
		}
		if !t.within(page) {
			continue
		}
		places, err := page.Find(m.Text)
		if err != nil {
			return nil, err
		}
		for _, p := range places {
			p.Line += t.lines[page.Number-1]
			if out = append(out, p); len(out) > maxPlaces {
				return nil, fmt.Errorf("%q: %w: it is there more than %d times", clip(m.Text, 80), errs.TooLarge, maxPlaces)
			}
		}
	}
	if len(out) > 0 {
		return out, ctx.Err()
	}
	// Not within a page: perhaps over the end of one, or of a column, with something between its parts.
	q := fold(m.Text, true)
	hay := t.folded(true)
	spans := t.parted(hay, &q, m.Text, 0, len(hay.s), maxParts)
	if spans == nil {
		for i := range hay.all(q.s, 0, len(hay.s), &t.work) {
			if s := hay.span(i, i+len(q.s)); whole(t.raw, s) {
				spans = []span{s}
				break
			}
		}
	}
	return t.places(ctx, spans)
}

// within reports whether a page that was read again has the text that it had.
func (t *content) within(p *extract.Page) bool {
	return p.Number >= 1 && p.Number <= t.pages && strings.HasPrefix(t.raw[t.base[p.Number-1]:t.base[p.Number]], p.Text)
}

func (t *content) folded(plain bool) *folded {
	p := &t.exact
	if plain {
		p = &t.plain
	}
	if *p == nil {
		f := fold(t.raw, plain)
		*p = &f
	}
	return *p
}

// best returns the stretches of the text that a mark means, nil when there are none: first as it is written, then in parts.
func (t *content) best(m *Mark) []span {
	for _, plain := range []bool{false, true} {
		q := fold(m.Text, plain)
		if q.s == "" {
			return nil
		}
		hay := t.folded(plain)
		if s, ok := t.nearestSpan(hay, q.s, m); ok {
			return []span{s}
		}
		lo, hi := t.around(hay, m)
		if spans := t.parted(hay, &q, m.Text, lo, hi, maxParts); spans != nil {
			return spans
		}
	}
	return nil
}

// around is the part of the folded text that a quote in parts is looked for in: near the page that the mark names.
func (t *content) around(f *folded, m *Mark) (lo, hi int) {
	if m.Page <= 0 || m.Page > t.pages {
		return 0, len(f.s)
	}
	from, to := t.base[max(m.Page-1-searchAhead, 0)], t.base[min(m.Page+searchAhead, t.pages)]
	lo = sort.Search(len(f.from), func(i int) bool { return int(f.from[i]) >= from })
	hi = sort.Search(len(f.from), func(i int) bool { return int(f.from[i]) >= to })
	return lo, hi
}

// nearestSpan returns the place of a folded text that is nearest to where the mark says; places that cut no word come first.
func (t *content) nearestSpan(f *folded, q string, m *Mark) (best span, ok bool) {
	var least [3]int
	n, line, counted := 0, 1, 0
	for i := range f.all(q, 0, len(f.s), &t.work) {
		s := f.span(i, i+len(q))
		line += strings.Count(t.raw[counted:s.start], "\n")
		counted = s.start
		d := [3]int{0, 0, 0}
		if !whole(t.raw, s) {
			d[0] = 1
		}
		page := t.page(s.start)
		if m.Page > 0 {
			d[1] = abs(page - m.Page)
		}
		if m.Line > 0 {
			d[2] = abs(line - m.Line)
		}
		if !ok || slices.Compare(d[:], least[:]) < 0 {
			best, least, ok = s, d, true
		}
		if n++; n > maxPlaces {
			break
		}
	}
	return best, ok
}

func abs(n int) int { return max(n, -n) }

// page is the number of the page that holds a byte of the text.
func (t *content) page(at int) int {
	return max(1, sort.Search(t.pages, func(i int) bool { return t.base[i] > at }))
}

// parted looks for a quote with something between its parts: each part but the last ends a line, and the next one begins one, as where a
// page or column ends. The end of the first one may divide a word. orig is the text that q was folded from.
func (t *content) parted(f *folded, q *folded, orig string, lo, hi, most int) []span {
	cuts := cuts(orig, q)
	if len(cuts) == 0 || most <= 1 {
		return nil
	}
	// The longest beginning that is there at all bounds where the first part may end.
	window := f.s[lo:hi]
	n := sort.Search(len(cuts), func(i int) bool {
		t.work -= len(window)
		return !strings.Contains(window, q.s[:cuts[i]])
	})
	// That beginning ends in a word, which the end of a page may divide.
	from, to := minPart, len(q.s)-minPart+1
	if n > 0 {
		from = cuts[n-1] + 1
	}
	if n < len(cuts) {
		to = cuts[n]
	}
	for k := to - 1; k >= from; k-- {
		if q.from[k] < q.to[k-1] { // within a character
			continue
		}
		if spans := t.cutAt(f, q, orig, lo, hi, k, most, t.hyphenated); spans != nil {
			return spans
		}
	}
	for _, k := range slices.Backward(cuts[:n]) {
		if spans := t.cutAt(f, q, orig, lo, hi, k, most, t.endsLine); spans != nil {
			return spans
		}
	}
	return nil
}

// cutAt looks for a quote whose first part is the folded bytes before k.
func (t *content) cutAt(f *folded, q *folded, orig string, lo, hi, k, most int, ends func(at int) bool) []span {
	for at := range f.all(q.s[:k], lo, hi, &t.work) {
		first := f.span(at, at+k)
		if !whole(t.raw, first) || !ends(first.end) {
			continue
		}
		if rest := t.rest(f, q, orig, k, at+k, most-1); rest != nil {
			return append([]span{first}, rest...)
		}
	}
	return nil
}

// rest finds what follows the first part, within what may lie between.
func (t *content) rest(f *folded, q *folded, orig string, k, at, most int) []span {
	hi := at + sort.Search(len(f.from)-at, func(i int) bool { return int(f.from[at+i]) > int(f.to[at-1])+maxGap })
	tail := q.s[k:]
	for i := range f.all(tail, at, hi+len(tail), &t.work) {
		if s := f.span(i, i+len(tail)); whole(t.raw, s) && t.beginsLine(s.start) {
			return []span{s}
		}
	}
	if most <= 1 {
		return nil
	}
	sub := folded{s: tail, from: q.from[k:], to: q.to[k:]}
	for _, c := range slices.Backward(cuts(orig, &sub)) {
		for i := range f.all(tail[:c], at, hi+c, &t.work) {
			s := f.span(i, i+c)
			if !whole(t.raw, s) || !t.beginsLine(s.start) || !t.endsLine(s.end) {
				continue
			}
			if rest := t.rest(f, &sub, orig, c, i+c, most-1); rest != nil {
				return append([]span{s}, rest...)
			}
		}
	}
	return nil
}

// cuts are the folded offsets at which a text may be cut in two: where white space or a hyphen parts it.
func cuts(orig string, q *folded) (out []int) {
	for i := minPart; i+minPart <= len(q.s); i++ {
		if q.from[i] > q.to[i-1] && strings.ContainsFunc(orig[q.to[i-1]:q.from[i]], dropped) {
			out = append(out, i)
		}
	}
	return out
}

func (t *content) endsLine(at int) bool {
	rest := strings.TrimLeftFunc(t.raw[at:], func(r rune) bool { return r != '\n' && dropped(r) })
	return rest == "" || rest[0] == '\n'
}

// hyphenated reports whether a line ends at a hyphen.
func (t *content) hyphenated(at int) bool {
	r, _ := utf8.DecodeRuneInString(t.raw[at:])
	return isHyphen(r) && t.endsLine(at)
}

func (t *content) beginsLine(at int) bool {
	before := strings.TrimRight(t.raw[:at], " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// findTable returns the rows of a table that stand in lines of the page, else the table.
func (t *content) findTable(ctx context.Context, m *Mark) ([]extract.Place, error) {
	var spans []span
	rows := 0
	for line := range strings.Lines(m.Text) {
		line = strings.ReplaceAll(strings.TrimSpace(line), " | ", " ")
		if strings.Trim(line, "| ") == "" {
			continue
		}
		rows++
		row := Mark{Text: strings.ReplaceAll(line, "|", " "), Page: m.Page}
		q := fold(row.Text, false)
		if s, ok := t.nearestSpan(t.folded(false), q.s, &row); ok && (m.Page == 0 || t.page(s.start) == m.Page) {
			spans = append(spans, s)
		}
	}
	if 2*len(spans) < rows || rows == 0 {
		if places, err := t.area(ctx, m); len(places) > 0 || err != nil {
			return places, err
		}
	}
	return t.places(ctx, spans)
}

// area returns the box of the table or figure of the mark's page that holds most of its words, and at least half of them.
func (t *content) area(ctx context.Context, m *Mark) ([]extract.Place, error) {
	if m.Page <= 0 || m.Page > t.pages {
		return nil, nil
	}
	if err := t.openFull(); err != nil {
		return nil, err
	}
	want := words(m.Text)
	var best extract.Box
	most := 0
	consider := func(text string, b extract.Box) {
		have := map[string]bool{}
		for _, w := range words(text) {
			have[w] = true
		}
		n := 0
		for _, w := range want {
			if have[w] {
				n++
			}
		}
		if n > most {
			best, most = b, n
		}
	}
	for page, err := range t.full.Pages(ctx, m.Page, m.Page) {
		if page == nil || ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
		for i := range page.Tables {
			var b strings.Builder
			b.WriteString(page.Tables[i].Caption)
			for _, row := range page.Tables[i].Rows {
				b.WriteString("\n" + strings.Join(row, " "))
			}
			consider(b.String(), page.Tables[i].BBox)
		}
		for i := range page.Figures {
			consider(page.Figures[i].Caption+"\n"+page.Figures[i].OCR, page.Figures[i].BBox)
		}
	}
	if 2*most < len(want) || most == 0 {
		return nil, nil
	}
	return []extract.Place{{Page: m.Page, Line: 1 + t.lines[m.Page-1], Text: m.Text, Boxes: []extract.Box{best}}}, nil
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !inWord(r) })
}

// places turns stretches of the text into places, one for each page and stretch, without what stands
// between the running texts of two pages.
func (t *content) places(ctx context.Context, spans []span) ([]extract.Place, error) {
	var out []extract.Place
	for _, s := range spans {
		for n := t.page(s.start); n <= t.pages && t.base[n-1] < s.end; n++ {
			page, err := t.readPage(ctx, n)
			if err != nil {
				return nil, err
			}
			from, to := max(s.start-t.base[n-1], 0), min(s.end-t.base[n-1], len(page.Text))
			if before, after := s.start < t.base[n-1], n < t.pages && s.end > t.base[n]; before || after {
				if from, to, err = t.between(ctx, page, from, to, before, after); err != nil {
					return nil, err
				}
			}
			p := page.Place(from, to)
			p.Boxes = upright(page, &p)
			if p.Line += t.lines[n-1]; p.End > p.Start && len(p.Boxes) > 0 {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// between takes the lines that stand apart off the beginning of a stretch of a page, where it goes on from the page before, and off its end, where it goes on over that.
func (t *content) between(ctx context.Context, page *extract.Page, from, to int, before, after bool) (int, int, error) {
	apart, ok := t.apart[page.Number]
	if !ok {
		if err := t.openFull(); err != nil {
			return 0, 0, err
		}
		for p, err := range t.full.Pages(ctx, page.Number, page.Number) {
			if ctx.Err() != nil {
				return 0, 0, ctx.Err()
			}
			if err == nil && p.Text == page.Text {
				apart = p.Apart
			}
		}
		t.apart[page.Number] = apart
	}
	first, last := -1, from // the running text of the stretch
	line, at := 0, 0
	for s := range strings.Lines(page.Text) {
		line++
		start, end := max(at, from), min(at+len(s), to)
		at += len(s)
		if _, aside := slices.BinarySearch(apart, line); aside || start >= end {
			continue
		}
		if last = end; first < 0 {
			first = start
		}
	}
	if first < 0 {
		return from, from, nil
	}
	if before {
		from = first
	}
	if after {
		to = last
	}
	return from, to, nil
}

// openFull opens the document again, with tables and figures.
func (t *content) openFull() (err error) {
	if t.full == nil {
		t.full, err = t.open(false)
	}
	return err
}

// readPage reads a page again, with the places of its characters.
func (t *content) readPage(ctx context.Context, n int) (*extract.Page, error) {
	if p := t.kept[n]; p != nil {
		return p, nil
	}
	for page, err := range t.doc.Pages(ctx, n, n) {
		if page == nil || ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
		if len(t.kept) >= 16 {
			clear(t.kept)
		}
		t.kept[n] = page
		return page, nil
	}
	return nil, fmt.Errorf("page %d: %w", n, errs.NotFound)
}

// nearest says how a text that is not there differs from the nearest that is.
func (t *content) nearest(ctx context.Context, m *Mark) string {
	if t.said++; t.said > maxSaid {
		return "it is not there"
	}
	raw := t.raw
	if len(raw) > maxNearest {
		from, to := 0, min(t.pages, 200)
		if m.Page > 0 && m.Page <= t.pages {
			from, to = max(m.Page-20, 0), min(m.Page+20, t.pages)
		}
		raw = raw[t.base[from]:t.base[to]]
		raw = raw[:min(len(raw), maxNearest)]
	}
	at := evidence.Place{Doc: "document", Page: m.Page}
	err := evidence.VerifyQuote(ctx, aSource(strings.ToValidUTF8(raw, "\uFFFD")), evidence.Item{Key: m.Key, At: at}, m.Text)
	if q, ok := errors.AsType[*evidence.QuoteError](err); ok {
		return q.Reason
	}
	if len(t.bad) > 0 {
		return fmt.Sprintf("it is not in what could be read (%v)", t.bad[0])
	}
	if err != nil {
		return err.Error()
	}
	return "its characters have no place on a page"
}

// aSource is a text that all places are in.
type aSource string

func (s aSource) Text(context.Context, evidence.Place) (string, error) { return string(s), nil }

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "..."
	}
	return s
}
