package entail

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
)

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
	compares := j.has(set("than against compared versus while whereas more less fewer above below ahead behind between"))
	switch {
	case len(labels) == 0 && !compares:
		if bad := j.oneRow(t, name); bad != nil {
			return bad
		}
	case len(labels) > 0 && !compares:
		if found := j.rows(t, name, labels); found != nil {
			return found
		}
	}
	return j.extremes(t, labels)
}

// rows looks whether what the claim has out of cells is in a row that it names.
func (j *judge) rows(t table, name int, labels map[int][]int) (doubt *Judgement) {
	for _, q := range j.claim.nums {
		if q.weak || q.words && q.value < 12 || j.inText(q) || j.inLabel(q) {
			continue
		}
		other := -1
		for r, row := range t.rows {
			for c := range row {
				if slices.ContainsFunc(rowNumbers(t, row, c, name), func(x quantity) bool { return same(q, x) }) {
					if other = r; labels[r] != nil {
						other = len(t.rows)
						break
					}
				}
			}
			if other == len(t.rows) {
				break
			}
		}
		if other < 0 || other == len(t.rows) {
			continue
		}
		if _, says := j.derived(q); says || !j.labelNear(q, labels) {
			continue
		}
		raw := j.claim.text[q.start:q.end]
		reason := fmt.Sprintf("%q is in the row %q", raw, t.rows[other][name])
		if len(labels) == 1 {
			return bad(reason, raw)
		}
		doubt = open(reason, raw)
	}
	// Words that other rows have in a column, and the row of the claim has not.
	if len(labels) != 1 || j.claim.holds(clause{from: 0, to: len(j.claim.toks)}, plainNegators()) {
		return doubt
	}
	for row := range labels {
		for c := range t.head {
			if c == name || len(cellNumbers(t, c, t.rows[row][c])) > 0 {
				continue
			}
			for i, x := range j.claim.toks {
				whole := slices.ContainsFunc(t.rows, func(other []string) bool { return strings.EqualFold(other[c], x.raw) })
				if x.quantity >= 0 || !j.claim.content(i) && !(whole && len(x.raw) > 3) || slices.ContainsFunc(labels[row], func(k int) bool { return k == i }) {
					continue
				}
				in := func(text string) bool {
					return slices.ContainsFunc(tokenize(text), func(y token) bool { return y.kind != sign && (y.stem == x.stem || y.low == x.low) })
				}
				if slices.ContainsFunc(t.head, in) || slices.ContainsFunc(t.rows[row], in) || slices.ContainsFunc(j.evidence, func(e *passage) bool { return in(e.text) }) {
					continue
				}
				if r := slices.IndexFunc(t.rows, func(other []string) bool { return in(other[c]) }); r >= 0 {
					return bad(fmt.Sprintf("%q is in the row %q", x.raw, t.rows[r][name]), x.raw)
				}
			}
		}
	}
	return doubt
}

// labelNear reports whether the clause of a number names a row.
func (j *judge) labelNear(q quantity, labels map[int][]int) bool {
	for _, at := range labels {
		if slices.ContainsFunc(at, func(i int) bool { return j.claim.clauseOf(i) == j.claim.clauseOf(q.at) }) {
			return true
		}
	}
	return false
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

// A degree is a word of more or less, of most or least, and what it measures.
type degree struct {
	up       bool // more of it
	most     bool
	measures []string // what heads of columns say
	inverse  []string // heads that say the opposite of it
}

// degrees are by their words.
var degrees = sync.OnceValue(func() map[string]degree {
	m := map[string]degree{}
	for _, line := range strings.Split(`more higher larger greater bigger highest largest greatest biggest maximum=+==
less fewer lower smaller fewest lowest smallest minimum=-==
faster quicker fastest quickest=+=speed rate throughput velocity=time latency duration delay
slower slowest=-=speed rate throughput velocity=time latency duration delay
longer longest=+=length duration time distance=
shorter shortest=-=length duration time distance=
heavier heaviest=+=weight mass=
lighter lightest=-=weight mass density=
dearer costlier dearest=+=price cost fee=
cheaper cheapest=-=price cost fee=
hotter warmer hottest warmest=+=temperature=
colder cooler coldest coolest=-=temperature=
taller tallest=+=height=
deeper deepest=+=depth=
shallower shallowest=-=depth=
wider widest=+=width=
narrower narrowest=-=width=
older oldest=+=age=
younger youngest=-=age=`, "\n") {
		parts := strings.Split(line, "=")
		for w := range strings.FieldsSeq(parts[0]) {
			m[w] = degree{parts[1] == "+", strings.HasSuffix(w, "st") || strings.HasSuffix(w, "mum"), strings.Fields(parts[2]), strings.Fields(parts[3])}
		}
	}
	return m
})

// column is the column that a word of degree is about, and whether it has more of it where there is less: that whose head has what it measures, or words behind it.
func (j *judge) column(t table, i int, d degree) (col int, inverse bool) {
	best, most := -1, 0
	for c, head := range t.head {
		n := 0
		for _, x := range tokenize(head) {
			if x.kind == sign || lex().stop[x.low] {
				continue
			}
			if slices.Contains(d.measures, x.low) {
				n += 2
			}
			if slices.Contains(d.inverse, x.low) {
				n += 2
				inverse = true
			}
			for k := i + 1; k < min(i+4, len(j.claim.toks)); k++ {
				if j.claim.toks[k].kind != sign && j.claim.toks[k].quantity < 0 && j.claim.toks[k].stem == x.stem {
					n++
				}
			}
		}
		if n > most {
			best, most = c, n
		}
	}
	if best >= 0 {
		inverse = slices.ContainsFunc(tokenize(t.head[best]), func(x token) bool { return slices.Contains(d.inverse, x.low) })
	}
	return best, inverse
}

// extremes looks whether a row that the claim names has the most of all, or more than another, as the claim says.
func (j *judge) extremes(t table, labels map[int][]int) *Judgement {
	for i, tok := range j.claim.toks {
		d, ok := degrees()[tok.low]
		if !ok || j.claim.quantityNear(i) || j.claim.negatedAt(i) {
			continue
		}
		col, inverse := j.column(t, i, d)
		if col < 0 || strings.Contains(strings.ToLower(t.head[col]), tok.low) {
			continue
		}
		up := d.up != inverse
		value := func(r int) (float64, bool) {
			nums := cellNumbers(t, col, t.rows[r][col])
			if len(nums) == 0 {
				return 0, false
			}
			return nums[0].value, true
		}
		mine, than := j.rowsAround(labels, i)
		v, ok := value(max(mine, 0))
		if mine < 0 || !ok {
			continue
		}
		for r := range t.rows {
			w, ok := value(r)
			if !ok || r == mine || !d.most && r != than || d.most && len(labels) > 1 {
				continue
			}
			if up && w > v || !up && w < v || !d.most && w == v {
				return bad(fmt.Sprintf("%q: under %q the row %q has %s, and %q has %s", tok.raw, t.head[col], t.rows[mine][t.names()], t.rows[mine][col], t.rows[r][t.names()], t.rows[r][col]), tok.raw)
			}
		}
	}
	return nil
}

// rowsAround are the rows that a word of degree compares: that before it, or the only one, and that behind "than".
func (j *judge) rowsAround(labels map[int][]int, i int) (mine, than int) {
	mine, than = -1, -1
	for k := i + 1; k < len(j.claim.toks); k++ {
		if j.claim.toks[k].low != "than" {
			continue
		}
		for _, r := range slices.Sorted(maps.Keys(labels)) { // of several, the nearest
			switch at := labels[r]; {
			case slices.Min(at) > k && (than < 0 || slices.Min(at) < slices.Min(labels[than])):
				than = r
			case slices.Max(at) < i && (mine < 0 || slices.Max(at) > slices.Max(labels[mine])):
				mine = r
			}
		}
		return mine, than
	}
	if len(labels) == 1 {
		for r, at := range labels {
			if j.claim.clauseOf(at[0]) == j.claim.clauseOf(i) {
				mine = r
			}
		}
	}
	return mine, than
}

// quantityNear reports whether a bound such as "at least 5" follows.
func (p *passage) quantityNear(i int) bool {
	return i > 0 && p.toks[i-1].low == "at" || i+1 < len(p.toks) && p.toks[i+1].quantity >= 0
}
