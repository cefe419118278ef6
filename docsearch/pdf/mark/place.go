package mark

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/visible"
)

// upright returns the boxes of a place. Where a line is set aslant its box would cover other lines, so that its characters are taken
// one by one.
func upright(p *extract.Page, at *extract.Place) []extract.Box {
	aslant := func(b extract.Box) bool {
		var w, h []float64
		for i, r := range at.Text {
			for _, c := range p.Locate(at.Start+i, at.Start+i+len(string(r))) {
				if c.X0 >= b.X0-.1 && c.X1 <= b.X1+.1 && c.Y0 >= b.Y0-.1 && c.Y1 <= b.Y1+.1 {
					w, h = append(w, c.X1-c.X0), append(h, c.Y1-c.Y0)
				}
			}
		}
		return len(w) > 2 && b.X1-b.X0 > 3*geometry.Median(w, 1) && b.Y1-b.Y0 > 3*geometry.Median(h, 1)
	}
	if !slices.ContainsFunc(at.Boxes, func(b extract.Box) bool { return b.Y1-b.Y0 > 20 && b.X1-b.X0 > 20 && aslant(b) }) {
		return at.Boxes
	}
	var out []extract.Box
	for i, r := range at.Text {
		out = append(out, p.Locate(at.Start+i, at.Start+i+len(string(r)))...)
	}
	return out
}

// annotations puts what was found on the pages of the file.
func (t *content) annotations(ctx context.Context, pages []catalog.Page, marks []Mark, rep *Report) ([]annotation, error) {
	if len(pages) != t.pages {
		return nil, fmt.Errorf("%w: %d pages, and %d of them can be marked", errs.Format, t.pages, len(pages))
	}
	var out []annotation
	for i := range rep.Marks {
		f := &rep.Marks[i]
		m := &marks[f.mark]
		last := 0
		for k := range f.Places {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			place := &f.Places[k]
			page := &pages[place.Page-1]
			if page.Object() == 0 {
				return nil, fmt.Errorf("page %d: %w: it is no object of its own, so that nothing can be added to it", place.Page, errs.Unsupported)
			}
			quads := toPage(page, place.Boxes)
			if len(quads) == 0 {
				continue
			}
			if !m.All && last == place.Page { // two columns of one page
				a := &out[len(out)-1]
				a.quads = append(a.quads, quads...)
				a.popup = beside(page, a.quads)
				continue
			}
			last = place.Page
			name := fmt.Sprintf("findspot-%d-%d", f.mark+1, k+1)
			subject := "Marked text"
			if m.Key != "" {
				subject = "Evidence " + m.Key
			}
			out = append(out, annotation{
				page: place.Page, object: page.Object(), name: name, subject: visible.Text(subject), contents: contents(m), faint: m.Faint,
				quads: quads, popup: beside(page, quads),
			})
		}
	}
	return out, nil
}

// contents is the note of a mark.
func contents(m *Mark) string {
	note := strings.TrimSpace(m.Note)
	if m.Key != "" {
		note = strings.TrimSpace("[" + m.Key + "] " + note)
	}
	if note == "" {
		note = strings.Join(strings.Fields(m.Text), " ")
	}
	return visible.Text(clip(note, maxNote))
}

// toPage maps boxes of the page as shown into its user space: turned, and from its lower left corner.
func toPage(page *catalog.Page, boxes []extract.Box) []quad {
	m, _, _ := page.ToPage()
	back, ok := m.Inverse()
	if !ok {
		return nil
	}
	var out []quad
	for _, b := range boxes {
		if !(b.X1 > b.X0 && b.Y1 > b.Y0) {
			continue
		}
		var q quad
		for i, c := range [4][2]float64{{b.X0, b.Y0}, {b.X1, b.Y0}, {b.X0, b.Y1}, {b.X1, b.Y1}} { // y runs down
			q[i][0], q[i][1] = back.Apply(c[0], c[1])
		}
		out = append(out, q)
	}
	return out
}

// beside is where the note pops up: in the margin right of the text as shown, at its height.
func beside(page *catalog.Page, quads []quad) [4]float64 {
	m, w, h := page.ToPage()
	back, ok := m.Inverse()
	if !ok {
		return [4]float64{}
	}
	b := bounds(quads)
	shown := m.Box(b[0], b[1], b[2], b[3])
	width, height := min(200, w), min(120, h)
	y := min(max(shown.Y0, 0), h-height)
	r := back.Box(w-width, y, w, y+height)
	return [4]float64{r.X0, r.Y0, r.X1, r.Y1}
}
