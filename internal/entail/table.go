package entail

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A cell is one of a table with the numbers in it.
type cell struct{ row, col int }

// tableCells looks the numbers of the claim up in the tables: they must stand in a row that the claim names, and under the head that it names.
func (j *judge) tableCells() (doubt *Judgement) {
	for _, e := range j.evidence {
		for _, t := range e.tables {
			found := j.table(t)
			if found != nil && found.Verdict == Unsupported {
				return found
			}
			if doubt == nil {
				doubt = found
			}
		}
	}
	return doubt
}

func (j *judge) table(t table) (doubt *Judgement) {
	if len(t.rows) == 0 {
		return nil
	}
	name := t.names()
	labels := j.labels(t, name)
	compares := j.has(set("than against compared versus while whereas more less fewer above below ahead behind"))
	for _, q := range j.claim.nums {
		if q.weak {
			continue
		}
		var cells []cell
		label := false
		for r, row := range t.rows {
			for c, text := range row {
				if !slices.ContainsFunc(cellNumbers(t, c, text), func(x quantity) bool { return same(q, x) }) {
					continue
				}
				if c <= name {
					label = true
				} else {
					cells = append(cells, cell{r, c})
				}
			}
		}
		if label || len(cells) == 0 {
			continue
		}
		raw := j.claim.text[q.start:q.end]
		inRow := cells
		if len(labels) > 0 {
			inRow = slices.DeleteFunc(slices.Clone(cells), func(c cell) bool { return labels[c.row] == nil })
			if len(inRow) == 0 {
				if derived, _ := j.derived(q); compares || derived || q.words && q.value < 10 || j.inText(q) {
					doubt = open(fmt.Sprintf("%q is in the row %q", raw, t.rows[cells[0].row][name]), raw)
					continue
				}
				return bad(fmt.Sprintf("%q is in the row %q", raw, t.rows[cells[0].row][name]), raw)
			}
			if len(labels) > 1 {
				if own := nearestLabel(labels, q.at, j.claim); own >= 0 && !slices.ContainsFunc(inRow, func(c cell) bool { return c.row == own }) {
					if !j.order(t, labels) && !compares {
						return bad(fmt.Sprintf("%q is in the row %q", raw, t.rows[inRow[0].row][name]), raw)
					}
				}
			}
		}
		scores := j.headScores(t, q)
		best := slices.MaxFunc(inRow, func(a, b cell) int { return scores[a.col] - scores[b.col] })
		if q.words && q.value < 10 || j.inText(q) {
			continue
		}
		for c := name + 1; c < len(t.head); c++ {
			if c == best.col || slices.ContainsFunc(inRow, func(x cell) bool { return x.col == c }) {
				continue
			}
			nums := cellNumbers(t, c, t.rows[best.row][c])
			if mine, other := j.tells(t, best.col, c, q), j.tells(t, c, best.col, q); len(nums) > 0 && other > mine && mine == 0 && !j.mentions(nums) &&
				slices.ContainsFunc(nums, func(x quantity) bool { return x.base == q.base || q.base == "" || x.base == "" && q.base != "ratio" }) {
				return bad(fmt.Sprintf("%q stands under %q, and %q under %q", raw, t.head[best.col], t.rows[best.row][c], t.head[c]), raw)
			}
		}
	}
	if len(labels) == 0 && !compares {
		if bad := j.oneRow(t, name); bad != nil {
			return bad
		}
	}
	if bad := j.extremes(t, labels); bad != nil {
		return bad
	}
	return doubt
}

// tells counts the words and numbers of a head that the other head does not have and that stand near a number in the claim.
func (j *judge) tells(t table, c, other int, q quantity) (n int) {
	at := j.claim.clauseOf(q.at)
	if at < 0 {
		return 0
	}
	mine, theirs := tokenize(t.head[c]), tokenize(t.head[other])
	for _, x := range mine {
		if _, unit := unitOf(x.raw); x.kind == sign || unit || x.kind == word && lex().stop[x.low] || slices.ContainsFunc(theirs, func(y token) bool { return x.low == y.low }) {
			continue
		}
		for i := j.claim.clauses[at].from; i < j.claim.clauses[at].to; i++ {
			if y := j.claim.toks[i]; i != q.at && (x.low == y.low || x.kind != number && y.kind != number && lex().like(y, x)) {
				n++
				break
			}
		}
	}
	return n
}

// oneRow looks whether two numbers of a sentence that names no row stand in one.
func (j *judge) oneRow(t table, name int) *Judgement {
	in := func(q quantity) (rows []int) {
		for r, row := range t.rows {
			for c, text := range row {
				if c != name && slices.ContainsFunc(cellNumbers(t, c, text), func(x quantity) bool { return same(q, x) }) {
					rows = append(rows, r)
				}
			}
		}
		return rows
	}
	if len(j.claim.nums) != 2 {
		return nil
	}
	a, b := in(j.claim.nums[0]), in(j.claim.nums[1])
	if len(a) == 1 && len(b) == 1 && a[0] != b[0] {
		raw := j.claim.text[j.claim.nums[1].start:j.claim.nums[1].end]
		return open(fmt.Sprintf("%q stands in another row than the number before it", raw), raw)
	}
	return nil
}

// names is the column that names the rows: the first one with letters in most rows.
func (t table) names() int {
	for c := range t.head {
		n := 0
		for _, row := range t.rows {
			if strings.ContainsFunc(row[c], unicode.IsLetter) && len(cellNumbers(t, c, row[c])) == 0 {
				n++
			}
		}
		if n*2 > len(t.rows) {
			return c
		}
	}
	return 0
}

// inText reports whether a quantity stands in the prose of the evidence.
func (j *judge) inText(q quantity) bool {
	return slices.ContainsFunc(j.evidence, func(e *passage) bool {
		return slices.ContainsFunc(e.nums, func(x quantity) bool { return same(q, x) })
	})
}

// mentions reports whether the claim has one of some quantities.
func (j *judge) mentions(nums []quantity) bool {
	return slices.ContainsFunc(nums, func(x quantity) bool {
		return slices.ContainsFunc(j.claim.nums, func(q quantity) bool { return same(q, x) })
	})
}

// labels are the rows that the claim names, with the tokens where.
func (j *judge) labels(t table, col int) map[int][]int {
	out, size := map[int][]int{}, map[int]int{}
	heads := map[string]int{} // of names, before a comma or bracket
	for _, row := range t.rows {
		heads[headOf(row[col])]++
	}
	for r, row := range t.rows {
		label := row[col]
		if heads[headOf(label)] == 1 {
			label = headOf(label)
		}
		toks := tokenize(label)
		nums := quantities(label, toks)
		var at []int
		n, ok := 0, true
		for k, x := range toks {
			if _, unit := unitOf(x.raw); x.kind == sign || x.quantity < 0 && (unit || lex().stop[x.low] && x.kind == word) || x.quantity >= 0 && nums[x.quantity].at != k {
				continue
			}
			n++
			i := slices.IndexFunc(j.claim.toks, func(c token) bool {
				if x.quantity >= 0 {
					return c.quantity >= 0 && j.claim.nums[c.quantity].value == nums[x.quantity].value && j.claim.nums[c.quantity].base == nums[x.quantity].base
				}
				return c.quantity < 0 && (c.stem == x.stem || c.kind == name && x.kind == name && c.low == x.low)
			})
			if i < 0 {
				ok = false
				break
			}
			at = append(at, i)
		}
		if ok && n > 0 {
			out[r], size[r] = at, n
		}
	}
	for r, at := range out { // "Gift card" and not "Card"
		for s, other := range out {
			if size[s] > size[r] && !slices.ContainsFunc(at, func(i int) bool { return !slices.Contains(other, i) }) {
				delete(out, r)
				break
			}
		}
	}
	return out
}

// headOf is a name without what follows a comma or stands in brackets.
func headOf(s string) string {
	if i := strings.IndexAny(s, ",("); i > 0 {
		s = s[:i]
	}
	return strings.TrimSpace(s)
}

// nearestLabel is the row whose label stands nearest to a token in its clause, -1 for none.
func nearestLabel(labels map[int][]int, at int, p *passage) int {
	best, dist := -1, 1000
	for r, where := range labels {
		for _, i := range where {
			d := max(i-at, at-i)
			if p.clauseOf(i) != p.clauseOf(at) {
				d += 20
			}
			if d < dist {
				best, dist = r, d
			}
		}
	}
	return best
}

// order reports whether the numbers fit the labels when each belongs to the label behind it, or to that before it.
func (j *judge) order(t table, labels map[int][]int) bool {
	type place struct{ row, at int }
	var places []place
	for r, where := range labels {
		places = append(places, place{r, slices.Max(where)})
	}
	slices.SortFunc(places, func(a, b place) int { return a.at - b.at })
	fits := func(pick func(at int) int) bool {
		for _, q := range j.claim.nums {
			r := pick(q.at)
			if r < 0 {
				continue
			}
			var rows []int
			for k, row := range t.rows {
				for c, text := range row {
					if c > 0 && slices.ContainsFunc(cellNumbers(t, c, text), func(x quantity) bool { return same(q, x) }) {
						rows = append(rows, k)
					}
				}
			}
			if len(rows) > 0 && !slices.Contains(rows, r) {
				return false
			}
		}
		return true
	}
	return fits(func(at int) int {
		r := -1
		for _, p := range places {
			if p.at < at {
				r = p.row
			}
		}
		return r
	}) || fits(func(at int) int {
		for _, p := range places {
			if p.at > at {
				return p.row
			}
		}
		return -1
	})
}

// headScores says how many words of each head stand near a number in the claim.
func (j *judge) headScores(t table, q quantity) []int {
	out := make([]int, len(t.head))
	c := j.claim.clauseOf(q.at)
	if c < 0 {
		return out
	}
	for k, head := range t.head {
		for _, x := range quantities(head, tokenize(head)) {
			for i := range j.claim.nums {
				if n := j.claim.nums[i]; n.base != "" && n.base == x.base && equal(n.value, x.value) && j.claim.clauseOf(n.at) == c {
					out[k] += 3
				}
			}
		}
		for _, x := range tokenize(head) {
			if x.kind == sign || x.kind == word && lex().stop[x.low] || x.kind == number {
				continue
			}
			if _, unit := unitOf(x.raw); unit && len(x.raw) < 4 {
				continue
			}
			for i := j.claim.clauses[c].from; i < j.claim.clauses[c].to; i++ {
				if lex().like(j.claim.toks[i], x) {
					out[k] += 2
					if max(i-q.at, q.at-i) <= 4 {
						out[k]++
					}
					break
				}
			}
		}
	}
	return out
}

var (
	highest = lazy("highest largest most longest greatest biggest fastest heaviest widest maximum strongest")
	lowest  = lazy("lowest smallest fewest least shortest slowest lightest narrowest minimum weakest")
)

// extremes looks whether what the claim calls the most of all rows is that.
func (j *judge) extremes(t table, labels map[int][]int) *Judgement {
	if len(labels) != 1 {
		return nil
	}
	row := -1
	for r := range labels {
		row = r
	}
	for i, tok := range j.claim.toks {
		up, down := highest()[tok.low], lowest()[tok.low]
		if !up && !down || j.claim.quantityNear(i) {
			continue
		}
		best, most := 0, 0
		for c := range t.head {
			n := 0
			for _, x := range tokenize(t.head[c]) {
				for k := i + 1; k < min(i+4, len(j.claim.toks)); k++ {
					if x.kind != sign && !lex().stop[x.low] && j.claim.toks[k].stem == x.stem {
						n++
					}
				}
			}
			if n > most {
				best, most = c, n
			}
		}
		if best == 0 || best >= len(t.rows[row]) || strings.Contains(strings.ToLower(t.head[best]), tok.low) {
			continue
		}
		mine := cellNumbers(t, best, t.rows[row][best])
		if len(mine) == 0 {
			continue
		}
		least, greatest := true, true
		for _, other := range t.rows {
			if best < len(other) {
				for _, x := range cellNumbers(t, best, other[best]) {
					least, greatest = least && mine[0].value <= x.value, greatest && mine[0].value >= x.value
				}
			}
		}
		if fast := strings.HasPrefix(tok.low, "fast") || strings.HasPrefix(tok.low, "slow"); fast && (least || greatest) {
			continue
		}
		if up && !greatest || down && !least {
			return bad(fmt.Sprintf("%q: another row has more or less under %q", tok.raw, t.head[best]), tok.raw)
		}
	}
	return nil
}

// quantityNear reports whether a bound such as "at least 5" follows.
func (p *passage) quantityNear(i int) bool {
	return i > 0 && p.toks[i-1].low == "at" || i+1 < len(p.toks) && p.toks[i+1].quantity >= 0
}
