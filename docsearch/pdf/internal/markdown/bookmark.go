package markdown

import (
	"math"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/structure"
	"github.com/findspot/findspot/internal/clause"
)

// maxPageMarks bounds the entries of the outline that are looked for on one page.
const maxPageMarks = 300

// matchBookmarks finds the lines that the entries of the outline for this page mean. Several lines may make up a heading.
func (w *writer) matchBookmarks(marks []catalog.Bookmark) {
	const maxLines = 4
	if len(marks) > maxPageMarks {
		marks = marks[:maxPageMarks]
	}
	if len(marks) == 0 {
		return
	}
	squashed := make([]string, len(w.lines))
	for i := range w.lines {
		squashed[i] = structure.Squash(w.lines[i].text)
	}
	for _, m := range marks {
		want := structure.Squash(m.Title)
		best, bestN, bestCost := -1, 0, math.Inf(1)
		if want != "" {
			number, title, numbered := clause.Parse(m.Title)
			bare, digits := structure.Squash(title), structure.Squash(number.Text)
			end := want
			if numbered && bare != "" {
				end = bare
			}
			for i := range w.lines {
				if w.lines[i].kind == kindRunning && math.IsNaN(m.Y) || w.lines[i].l.Dx < .99 {
					continue
				}
				size := 0
				for n := 1; n <= maxLines && i+n <= len(w.lines); n++ {
					if n > 1 && w.lines[i+n-1].l.Base < w.lines[i+n-2].l.Base-1 {
						break
					}
					last := squashed[i+n-1]
					if size += len(last); size > len(want)+40 {
						break
					}
					// Nearly all lines fail here: the title stands at the end, or the number does somewhere.
					if size < len(end) || !strings.HasSuffix(last, end) && !strings.HasSuffix(end, last) {
						if size != len(want) && !(n == 1 && numbered && strings.Contains(last, digits)) {
							continue
						}
					}
					got := last
					if n > 1 {
						got = strings.Join(squashed[i:i+n], "")
					}
					cost := 0.0
					switch {
					case got == want:
					case !numbered && strings.HasSuffix(got, want) && numberedOnly(w.join(i, n), m.Title):
						cost = 1
					case numbered && bare != "" && got == bare:
						cost = 3
					case numbered && bare != "":
						// The number may be written in another way, or a sign of the title lost.
						own, rest, ok := clause.Parse(w.join(i, n))
						switch {
						case ok && structure.Squash(rest) == bare:
							cost = 1
						case ok && own.Text == number.Text && n == 1 && w.st.HeadingShape(w.lines[i].l, w.lines[i].text):
							cost = 4
						default:
							continue
						}
					default:
						continue
					}
					l := w.lines[i].l
					if !math.IsNaN(m.Y) {
						cost += math.Abs(l.Box.Y0-m.Y) / (6 * math.Max(l.Size, 1))
					}
					if structure.Leaders.MatchString(w.join(i, n)) {
						cost += 20
					}
					if l.Size < .9*w.st.BodySize || w.lines[i].kind == kindRunning {
						cost += 4
					}
					if !w.st.HeadingShape(l, w.lines[i].text) {
						cost += 2
					}
					if cost < bestCost {
						best, bestN, bestCost = i, n, cost
					}
				}
			}
		}
		text := m.Title
		if best < 0 || w.lines[best].heading && bestN == w.lines[best].span {
			w.orphans = append(w.orphans, m) // placed by its height alone
			continue
		}
		if full := w.join(best, bestN); structure.Squash(full) != want {
			if _, _, numbered := clause.Parse(m.Title); !numbered {
				text = full // the page has the number
			}
		}
		ln := &w.lines[best]
		ln.heading, ln.level, ln.span, ln.title, ln.marked = true, m.Level, bestN, text, true
		for k := best; k < best+bestN; k++ {
			if w.lines[k].kind == kindTitle {
				continue // written as the title
			}
			w.lines[k].kind = kindHeading
			if k > best {
				w.lines[k].kind = kindTaken
			}
		}
		w.chapter(best)
	}
}

// numberedOnly reports whether full is title with a number before it.
func numberedOnly(full, title string) bool {
	_, rest, ok := clause.Parse(full)
	return ok && structure.Squash(rest) == structure.Squash(title)
}

// lineAt returns the line that stands first at or below the height y, -1 when there is none.
func (w *writer) lineAt(y float64) int {
	best := -1
	for i := range w.lines {
		l := &w.lines[i]
		if l.kind == kindRunning || l.l.Dx < .99 {
			continue
		}
		if math.IsNaN(y) {
			return i
		}
		if l.l.Base >= y-1 && (best < 0 || l.l.Base < w.lines[best].l.Base-1) {
			best = i
		}
	}
	if best < 0 && len(w.lines) > 0 {
		return len(w.lines) - 1
	}
	return best
}
