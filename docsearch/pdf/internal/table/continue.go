package table

import (
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// Tables are read page by page. What a page knows of its first and its last table is enough to say, when pages come in
// order, that a table goes on from the page before.

// Ends says which tables of a page may go on from the page before and on the next.
type Ends struct{ first, last tableEnd }

// A tableEnd is a table at the top or at the foot of a page: nothing is between it and that end but running heads, notes
// and its own caption.
type tableEnd struct {
	ok     bool
	index  int           // in the page's list
	box    geometry.Rect // in the frame in which it was read
	shown  geometry.Rect
	turn   int
	em     float64
	number string // "Table 3" of its caption
}

// locate notes the place of the table with that box in the page's list.
func (e *Ends) locate(i int, shown geometry.Rect) {
	for _, t := range [2]*tableEnd{&e.first, &e.last} {
		if t.ok && t.shown == shown {
			t.index = i
		}
	}
}

// tableEnds finds the tables at the top and at the foot of the page.
func tableEnds(f *finder) (e Ends) {
	if len(f.found) == 0 {
		return e
	}
	first, last := &f.found[0], &f.found[0]
	for i := range f.found {
		t := &f.found[i]
		if t.box.Y0 < first.box.Y0 {
			first = t
		}
		if t.box.Y1 > last.box.Y1 {
			last = t
		}
	}
	end := func(t *Table) tableEnd {
		e := tableEnd{ok: true, box: t.box, shown: f.frame.Shown(t.box), turn: f.frame.Turn, em: f.em}
		if t.caption != nil {
			e.number = captionNumber(t.caption.Text)
		}
		return e
	}
	above, below := 0, 0
	for i := range f.rows {
		r := &f.rows[i]
		switch {
		case r.Base < first.box.Y0 && (above > 0 || !f.captionIn(r.Box()) && r.Base > .12*f.h && !continued.MatchString(r.Text())):
			above++
		case r.Base-.5*r.Size > last.box.Y1 && (below > 0 || r.Base < .9*f.h && !continued.MatchString(r.Text())):
			below++
		}
	}
	if above == 0 && first.box.Y0 < .4*f.h {
		e.first = end(first)
	}
	if below == 0 && last.box.Y1 > .5*f.h {
		e.last = end(last)
	}
	return e
}

var continued = lazyregexp.New(`(?i)\b(continued|continues|continuation|cont['’]?d|cont\.|fortsetzung|fortgesetzt|suite|continuación)`)

// captionNumber is the beginning of a table's caption, such as "Table 3", in lower case.
func captionNumber(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(caption.TableLabel(s)), " "))
}

// A Follower links the tables of pages that come in order.
type Follower struct {
	page int // the page seen last
	ends Ends
	rows [][]string
	head string // caption of the table that may go on
}

// Add links the first table of a page to the last of the page before, when it goes on from there.
func (w *Follower) Add(p *extract.Page, e Ends) {
	if p == nil {
		*w = Follower{}
		return
	}
	if a, b := &w.ends.last, &e.first; p.Number == w.page+1 && a.ok && b.ok && b.index < len(p.Tables) {
		t := &p.Tables[b.index]
		if repeated, ok := w.goesOn(t, a, b); ok {
			t.Continued, t.Repeated = true, repeated
			if t.Caption == "" {
				t.Caption = w.head
			}
		}
	}
	w.page, w.ends = p.Number, e
	if l := &e.last; l.ok && l.index < len(p.Tables) {
		w.rows, w.head = p.Tables[l.index].Rows, p.Tables[l.index].Caption
	}
}

// goesOn reports whether a table at the top of a page goes on from one at the foot of the page before, and how many of
// its rows repeat the head.
func (w *Follower) goesOn(t *extract.Table, a, b *tableEnd) (repeated int, ok bool) {
	if len(t.Rows) == 0 || len(w.rows) == 0 || len(t.Rows[0]) != len(w.rows[0]) || a.turn != b.turn {
		return 0, false
	}
	if t.Caption != "" && !continued.MatchString(t.Caption) && (b.number == "" || b.number != a.number) {
		return 0, false
	}
	for repeated < min(len(w.rows), len(t.Rows), 6) && slices.Equal(w.rows[repeated], t.Rows[repeated]) {
		repeated++
	}
	if repeated > 0 || t.Caption != "" {
		return repeated, true
	}
	// Columns at the same places: the same width, perhaps in another place on left and right pages.
	em := max(a.em, b.em)
	return 0, math.Abs(a.box.Width()-b.box.Width()) <= 2*em
}
