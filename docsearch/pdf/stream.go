package pdf

import (
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// chains reads the areas between successive horizontal rules of equal extent, as booktabs sets tables.
func (v *view) chains(h []rule) {
	var hs []rule
	for _, r := range h {
		if r.hi-r.lo > 5*v.em && !v.isUsed(rect{r.lo, r.pos - 1, r.hi, r.pos + 1}) {
			hs = append(hs, r)
		}
	}
	sort.SliceStable(hs, func(i, j int) bool { return hs[i].pos < hs[j].pos })
	if len(hs) > 500 {
		return
	}
	spent := make([]bool, len(hs))
	for i := range hs {
		if spent[i] {
			continue
		}
		chain := []int{i}
		for j := i + 1; j < len(hs); j++ {
			last := hs[chain[len(chain)-1]]
			if spent[j] || math.Abs(hs[j].lo-hs[i].lo) > 8 || math.Abs(hs[j].hi-hs[i].hi) > 8 {
				continue
			}
			if hs[j].pos-last.pos < 2 {
				chain[len(chain)-1] = j
				continue
			}
			area := rect{hs[i].lo - 2, last.pos, hs[i].hi + 2, hs[j].pos}
			if v.tabular(area) < .4 && !(len(chain) <= 2 && len(rows(inArea(v.words, area))) <= 2) || v.crossesCaption(area) {
				break
			}
			chain = append(chain, j)
		}
		if len(chain) < 2 {
			continue
		}
		b := rect{hs[i].lo, hs[i].pos, hs[i].hi, hs[chain[len(chain)-1]].pos}
		inner := []float64{}
		for _, k := range chain[1 : len(chain)-1] {
			inner = append(inner, hs[k].pos)
		}
		if v.aligned(b, inner, true) {
			for _, k := range chain {
				spent[k] = true
			}
		}
	}
}

func (v *view) isUsed(b rect) bool {
	for _, u := range v.used {
		if u.overlaps(b) {
			return true
		}
	}
	return false
}

func (v *view) crossesCaption(a rect) bool {
	for i := range v.captions {
		if a.has(v.captions[i].box.midX(), v.captions[i].box.midY()) {
			return true
		}
	}
	return false
}

// tabular is the share of rows in an area that have several pieces.
func (v *view) tabular(a rect) float64 {
	rs := rows(inArea(v.words, a))
	if len(rs) == 0 {
		return 1
	}
	n := 0
	for i := range rs {
		if len(rs[i].pieces(1)) >= 2 {
			n++
		}
	}
	return float64(n) / float64(len(rs))
}

// gutters returns the column boundaries of rows: places that at most few rows cross.
func gutters(rs []row, b rect, em float64) []float64 {
	var body []*row
	num := 0
	for i := range rs {
		if p := rs[i].pieces(.9); len(p) >= 2 {
			body = append(body, &rs[i])
		}
	}
	var numericRows []*row
	for _, r := range body {
		for _, p := range r.pieces(.9)[1:] {
			if numeric(p.text) {
				numericRows = append(numericRows, r)
				num++
				break
			}
		}
	}
	if len(body) > 0 && float64(len(numericRows)) >= .3*float64(len(body)) && len(numericRows) >= 2 {
		body = numericRows
	}
	if len(body) == 0 {
		return nil
	}
	const step = .5
	n := int(b.w()/step) + 2
	if n > 8000 || n < 4 {
		return nil
	}
	cover := make([]int, n)
	for _, r := range body {
		for _, p := range r.pieces(.45) {
			lo, hi := int((p.box.x0-b.x0)/step), int((p.box.x1-b.x0)/step)
			for k := max(lo, 0); k <= hi && k < n; k++ {
				cover[k]++
			}
		}
	}
	limit := int(.04 * float64(len(body)))
	var cuts []float64
	for k := 0; k < n; {
		if cover[k] > limit {
			k++
			continue
		}
		j := k
		for j < n && cover[j] <= limit {
			j++
		}
		if k > 0 && j < n && float64(j-k)*step >= .5*em {
			cuts = append(cuts, b.x0+float64(k+j)/2*step)
		}
		k = j
	}
	return cuts
}

// aligned reads an area as a table by its columns. inner are full rules inside it; ruled says that rules enclose it.
func (v *view) aligned(b rect, inner []float64, ruled bool) bool {
	words := inArea(v.words, rect{b.x0 - 3, b.y0, b.x1 + 3, b.y1})
	if len(words) < 4 {
		return false
	}
	rs := rows(words)
	cap := v.captionFor(b, false) != nil
	cuts := gutters(rs, b, v.em)
	if len(cuts) == 0 || len(cuts) > 60 || len(rs) < 2 {
		return false
	}
	t := table{box: b, cols: len(cuts) + 1, ruled: ruled}
	column := func(x float64) int { return sort.SearchFloat64s(cuts, x) }
	var filled, num, tabular, long, cellsTotal, wordsTotal int
	type built struct {
		cells []tcell
		row   *row
	}
	var list []built
	for i := range rs {
		r := &rs[i]
		var bt built
		bt.row = r
		ps := r.pieces(.45)
		// A piece that crosses gutters is cut where a word gap lies on the gutter, else it spans.
		for _, p := range ps {
			c0, c1 := column(p.box.x0+.5), column(p.box.x1-.5)
			bt.cells = append(bt.cells, tcell{c: c0, cs: c1 - c0 + 1, rs: 1, text: p.text})
		}
		bt.cells = mergeSameColumn(bt.cells)
		if len(bt.cells) >= 2 {
			tabular++
		}
		for k, c := range bt.cells {
			filled++
			cellsTotal++
			wordsTotal += len(strings.Fields(c.text))
			if numeric(c.text) {
				num++
			}
			if k > 0 && alphaWords(c.text) >= 5 || alphaWords(c.text) >= 10 {
				long++
			}
		}
		list = append(list, bt)
	}
	n := len(list)
	density := float64(filled) / float64(n*t.cols)
	numShare := float64(num) / math.Max(1, float64(filled))
	perCell := float64(wordsTotal) / math.Max(1, float64(cellsTotal))
	if tabular < 2 || float64(tabular) < .4*float64(n) {
		return false
	}
	if v.figureNear(b) && !cap || looksLikeCode(words) {
		return false
	}
	if v.oblique(b) >= 12+filled/2 || !cap && (symbols(words) || !ruled && contents(rs)) {
		return false
	}
	if ruled {
		if !cap && numShare < .2 && (t.cols < 3 || perCell > 5) {
			return false
		}
	} else {
		if n < 4 && !cap || float64(long) > .3*float64(n) || density < .35 {
			return false
		}
		ok := numShare >= .4 || t.cols >= 3 && perCell <= 4 && density > .6 && n >= 4 && numShare >= .1 || cap && perCell < 8 && density > .5
		if !ok || t.cols == 2 && numShare < .45 && !cap {
			return false
		}
	}
	// Rows: a line each; a line without a first column and without numbers continues the one above when no rule is between.
	ruleBetween := func(y0, y1 float64) bool {
		for _, y := range inner {
			if y > y0 && y < y1 {
				return true
			}
		}
		return false
	}
	bands := len(inner) >= 3 && float64(len(inner)) >= .4*float64(n)
	var merged []built
	for i := range list {
		cur := list[i]
		if m := len(merged); m > 0 {
			prev := &merged[m-1]
			step := cur.row.base - prev.row.base
			tight := step <= 1.45*math.Max(cur.row.size, v.em*.8)
			if !ruleBetween(prev.row.base-.3*prev.row.size, cur.row.base-.3*cur.row.size) && (bands || tight && continues(prev.cells, cur.cells)) {
				prev.cells = mergeDown(prev.cells, cur.cells)
				prev.row = cur.row
				continue
			}
		}
		merged = append(merged, cur)
	}
	for i, bt := range merged {
		for _, c := range bt.cells {
			c.r = i
			t.cells = append(t.cells, c)
		}
	}
	t.rows = len(merged)
	if t.rows < 2 {
		return false
	}
	v.add(t)
	return true
}

// symbols reports whether an area is a formula or a plot: few of its words hold a letter or digit, or they are pieces of
// tall brackets.
func symbols(words []word) bool {
	plain, tall := 0, 0
	for i := range words {
		if strings.ContainsFunc(words[i].text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			plain++
		}
		if strings.ContainsFunc(words[i].text, func(r rune) bool {
			return r >= 0x239B && r <= 0x23B3 || r == '=' || r == '√' || r == '∑' || r == '∫'
		}) {
			tall++
		}
	}
	return float64(plain) < .5*float64(len(words)) || float64(tall) > .06*float64(len(words))
}

// contents reports a list of contents: rows that end in page numbers which never fall.
func contents(rs []row) bool {
	last, n := -1, 0
	for i := range rs {
		p := rs[i].pieces(1)
		v, err := strconv.Atoi(p[len(p)-1].text)
		if err != nil {
			continue
		}
		if v < last || v > 3000 {
			return false
		}
		last = v
		if alphaWords(p[0].text) > 0 || len(p) > 1 && alphaWords(p[1].text) > 0 {
			n++
		}
	}
	return n >= 4 && float64(n) >= .6*float64(len(rs))
}

func mergeSameColumn(cs []tcell) []tcell {
	var out []tcell
	for _, c := range cs {
		if n := len(out); n > 0 && out[n-1].c+out[n-1].cs > c.c {
			end := max(out[n-1].c+out[n-1].cs, c.c+c.cs)
			out[n-1].text += " " + c.text
			out[n-1].cs = end - out[n-1].c
			continue
		}
		out = append(out, c)
	}
	return out
}

// continues reports whether a line goes on with the cells of the row above: nothing in the first column, no numbers,
// each of its cells beneath one that is there.
func continues(prev, cur []tcell) bool {
	for _, c := range cur {
		if c.c == 0 || numeric(c.text) {
			return false
		}
		beneath := false
		for _, p := range prev {
			if p.c == c.c && p.cs == c.cs {
				beneath = true
			}
		}
		if !beneath {
			return false
		}
	}
	return len(cur) > 0
}

func mergeDown(prev, cur []tcell) []tcell {
	for _, c := range cur {
		placed := false
		for i := range prev {
			if prev[i].c <= c.c && c.c < prev[i].c+prev[i].cs {
				prev[i].text = joinLines(prev[i].text, c.text)
				placed = true
				break
			}
		}
		if !placed {
			prev = append(prev, c)
		}
	}
	sort.SliceStable(prev, func(i, j int) bool { return prev[i].c < prev[j].c })
	return prev
}

func alphaWords(s string) int {
	n := 0
	for w := range strings.FieldsSeq(s) {
		for _, r := range w {
			if unicode.IsLetter(r) {
				n++
				break
			}
		}
	}
	return n
}

// looksLikeCode reports program text: marks that tables do not have.
func looksLikeCode(words []word) bool {
	marks := 0
	for i := range words {
		t := words[i].text
		if strings.ContainsAny(t, "{};") || strings.Contains(t, ":=") || strings.Contains(t, "==") || strings.Contains(t, "->") || strings.HasSuffix(t, "()") {
			marks++
		}
	}
	mono := 0
	for i := range words {
		if words[i].font != nil && words[i].font.mono {
			mono++
		}
	}
	return float64(marks) > .15*float64(len(words)) || float64(mono) > .8*float64(len(words)) && float64(marks) > .05*float64(len(words))
}

// streams finds tables without rules.
func (v *view) streams() {
	for _, area := range v.columns() {
		var words []word
		for i := range v.words {
			w := &v.words[i]
			if area.has(w.box.midX(), w.box.midY()) && !v.isUsed(w.box) {
				words = append(words, *w)
			}
		}
		rs := rows(words)
		for i := 0; i < len(rs); {
			j, tab := i, 0
			single := 0
			for k := i; k < len(rs); k++ {
				if k > i && rs[k].base-rs[k-1].base > 3.2*v.em {
					break
				}
				box := rs[k].box()
				if v.crossesCaption(box) {
					break
				}
				if len(rs[k].pieces(1)) >= 2 {
					tab++
					single = 0
					j = k + 1
				} else if single++; single > 2 || box.w() > .75*area.w() || k == i {
					break
				}
			}
			if tab >= 3 && j > i {
				b := emptyRect
				for k := i; k < j; k++ {
					b = b.union(rs[k].box())
				}
				v.aligned(rect{b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1}, nil, false)
				i = j
				continue
			}
			i++
		}
	}
}

// columns returns the text columns of the page: two when a gutter near the middle has prose on both sides.
func (v *view) columns() []rect {
	full := rect{0, 0, v.c.w, v.c.h}
	rs := rows(v.words)
	if len(rs) < 8 {
		return []rect{full}
	}
	// Where the fewest rows have a word is the only place a gutter can be.
	least, bestX, run := len(rs)+1, 0.0, 0
	for x := .4 * v.c.w; x < .6*v.c.w; x += 2 {
		cross := 0
		for i := range rs {
			for k := range rs[i].words {
				if b := rs[i].words[k].box; b.x0 < x+.3*v.em && b.x1 > x-.3*v.em {
					cross++
					break
				}
			}
		}
		switch {
		case cross < least:
			least, bestX, run = cross, x, 1
		case cross == least && x-bestX < 2*float64(run)+1: // the middle of a wide gutter
			run++
		}
	}
	bestX += float64(run-1) / 2 * 2
	left, right, cross := 0, 0, 0
	for i := range rs {
		var l, r []word
		crossed := false
		for _, w := range rs[i].words {
			switch {
			case w.box.x1 < bestX:
				l = append(l, w)
			case w.box.x0 > bestX:
				r = append(r, w)
			default:
				crossed = true
			}
		}
		if crossed {
			cross++
			continue
		}
		if len(l) >= 4 && len((&row{words: l, size: rs[i].size}).pieces(1.3)) == 1 {
			left++
		}
		if len(r) >= 4 && len((&row{words: r, size: rs[i].size}).pieces(1.3)) == 1 {
			right++
		}
	}
	if max(left, right) < 8 || left+right <= cross {
		return []rect{full}
	}
	return []rect{{0, 0, bestX, v.c.h}, {bestX, 0, v.c.w, v.c.h}}
}
