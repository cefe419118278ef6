package entail

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// numbers looks for each quantity of the claim.
func (j *judge) numbers() *Judgement {
	var soft *Judgement
	for _, q := range j.claim.nums {
		raw := j.claim.text[q.start:q.end]
		if q.weak || j.hasNumber(q) {
			continue
		}
		if is, says := j.derived(q); is {
			if !says && !q.words {
				soft = open(fmt.Sprintf("%q can be worked out of numbers of the evidence, which does not give it", raw), raw)
			}
			continue
		}
		near := j.nearest(q)
		if q.words && q.value <= 3 {
			continue
		}
		if q.at > 0 && numbered()[j.claim.toks[q.at-1].low] {
			soft = open(fmt.Sprintf("%q is not in the evidence", raw), raw)
			continue
		}
		if q.words && q.value <= 20 || q.base == "ratio" && q.words || q.base == "" && q.value <= 12 || j.within(q) {
			soft = open(fmt.Sprintf("%q is not in the evidence as it is written", raw), raw)
			continue
		}
		if j.inName(raw) {
			soft = open(fmt.Sprintf("%q is not in the evidence as it is written", raw), raw)
			continue
		}
		if q.base == "" && q.value >= 1900 && q.value <= 2100 && !j.hasYear() {
			soft = open(fmt.Sprintf("%q is not in the evidence", raw), raw)
			continue
		}
		if as := j.inThousands(q); as != "" {
			soft = open(fmt.Sprintf("%q is in the evidence as %q, which may be meant", raw, as), raw)
			continue
		}
		if near != "" {
			return bad(fmt.Sprintf("%q is not in the evidence, which has %q", raw, near), raw)
		}
		return bad(fmt.Sprintf("%q is not in the evidence", raw), raw)
	}
	return soft
}

// nearest is the number of the evidence that may be meant by one of the claim that it does not have, as it stands: of the same kind, and with the claim's words around it.
func (j *judge) nearest(q quantity) (text string) {
	most := -1.0
	facts := j.facts()
	for k := range facts {
		f := &facts[k]
		if f.base != q.base && !equal(f.value, q.value) {
			continue
		}
		w := 0.0
		for _, t := range j.context(q, f.in == nil) {
			w += t.weight * f.fits(t.token)
		}
		if equal(f.value, q.value) {
			w += 1
		}
		if w > most {
			most, text = w, f.text
		}
	}
	return text
}

// unitOfTable tells that the numbers of a table, or of a page, are in thousands.
var unitOfTable = lazyregexp.New(`(?i)[\[(]in (thousand|million|billion)s\b`)

// inThousands is a number of the evidence that is one of the claim in thousands or millions, as the evidence says of its numbers.
func (j *judge) inThousands(q quantity) string {
	for n, e := range j.evidence {
		m := unitOfTable.FindStringSubmatch(j.raw[n])
		if m == nil {
			continue
		}
		for _, x := range e.nums {
			x.value *= scales[strings.ToLower(m[1])]
			if q.base == x.base && equal(q.value, x.value) {
				return flat(e.text[x.start:x.end])
			}
		}
	}
	return ""
}

// hasYear reports whether the evidence has a year.
func (j *judge) hasYear() bool {
	return slices.ContainsFunc(j.evidence, func(e *passage) bool {
		return slices.ContainsFunc(e.nums, func(x quantity) bool {
			return x.base == "date" && x.value > 10000 || x.base == "" && x.value >= 1900 && x.value <= 2100
		})
	})
}

// numbered are words behind which a number names something.
var numbered = lazy("rule issue table figure clause section article chapter version part phase step class no number room site train line bridge edition paragraph page item annex level group team release firmware")

// inName reports whether the digits of a quantity are a part of a name of the evidence.
func (j *judge) inName(raw string) bool {
	digits := strings.TrimRight(strings.SplitN(raw, " ", 2)[0], "%")
	return slices.ContainsFunc(j.evidence, func(e *passage) bool {
		return slices.ContainsFunc(e.toks, func(t token) bool { return t.kind == name && t.raw == digits })
	})
}

// within reports whether a quantity lies within a bound of the evidence: what holds up to 5 holds for 3.
func (j *judge) within(q quantity) bool {
	for _, e := range j.evidence {
		for _, x := range e.nums {
			if x.base == q.base && q.bound == exactly && (x.bound.down() && q.value < x.value || x.bound.up() && q.value > x.value) {
				return true
			}
		}
	}
	return false
}

// hasNumber reports whether the evidence has a quantity, in a table too.
func (j *judge) hasNumber(q quantity) bool {
	for _, e := range j.evidence {
		for _, x := range e.nums {
			if same(q, x) || implied(q, x) {
				return true
			}
		}
		for _, t := range e.tables {
			name := t.names()
			for _, cells := range append([][]string{t.head}, t.rows...) {
				for c := range cells {
					for _, x := range rowNumbers(t, cells, c, name) {
						if same(q, x) {
							return true
						}
					}
				}
			}
		}
		for _, t := range e.toks { // 16-bit, and KR-240 where the claim speaks of KR
			at := strings.Index(t.raw, j.claim.text[q.start:q.end])
			if t.kind == name && at >= 0 && strings.Contains(strings.ToLower(j.claim.text), strings.ToLower(strings.Trim(t.raw[:at], "-"))) {
				return true
			}
		}
	}
	return false
}

// implied reports whether a number of the evidence lies just within a bound of the claim: 529 is more than 500.
func implied(claim, ev quantity) bool {
	if claim.bound == exactly || ev.bound != exactly || claim.base != ev.base || claim.value <= 0 || ev.digits <= claim.digits {
		return false
	}
	if claim.bound.up() {
		return ev.value >= claim.value && ev.value <= claim.value*1.25
	}
	return ev.value <= claim.value && ev.value >= claim.value*0.8
}

// rowNumbers reads a cell with the unit that its column's head, its row's label or a column of units names.
func rowNumbers(t table, row []string, c, label int) []quantity {
	nums := cellNumbers(t, c, row[c])
	for k, head := range t.head {
		text := ""
		if low := strings.ToLower(head); low == "unit" || low == "units" {
			text = "(" + row[k] + ")"
		} else if k == label {
			text = row[k]
		}
		open := max(strings.LastIndexByte(text, '('), strings.LastIndexByte(text, ','))
		if open < 0 {
			continue
		}
		u, ok := unitOf(strings.Trim(text[open+1:], " )"))
		if !ok {
			continue
		}
		if u.base == "%" {
			u = unit{"ratio", u.factor / 100}
		}
		for i := range nums {
			if nums[i].base == "" {
				nums[i].base, nums[i].factor, nums[i].value = u.base, u.factor, nums[i].value*u.factor
			}
		}
	}
	return nums
}

// cellNumbers reads a cell with the unit that its column's head names.
func cellNumbers(t table, c int, cell string) []quantity {
	toks := tokenize(cell)
	nums := quantities(cell, toks)
	if c >= len(t.head) {
		return nums
	}
	for word, scale := range scales { // in millions
		if strings.Contains(strings.ToLower(t.head[c]), word) {
			for _, n := range nums {
				n.value *= scale
				n.written *= scale
				nums = append(nums, n)
			}
			break
		}
	}
	for _, open := range []string{"(", ","} {
		if i := strings.LastIndex(t.head[c], open); i >= 0 {
			if u, ok := unitOf(strings.Trim(t.head[c][i+1:], " )")); ok {
				for k := range nums {
					if nums[k].base == "" {
						base, factor := u.base, u.factor
						if base == "%" {
							base, factor = "ratio", factor/100
						}
						nums[k].base, nums[k].factor, nums[k].value = base, factor, nums[k].value*factor
					}
				}
			}
		}
	}
	if strings.Contains(t.head[c], "%") {
		for k := range nums {
			if nums[k].base == "" {
				nums[k].base, nums[k].factor, nums[k].value = "ratio", 0.01, nums[k].value/100
			}
		}
	}
	return nums
}

const (
	manyNumbers    = 20 // of evidence
	manyOfSentence = 10
)

// derived reports whether a quantity is the sum, the difference or the ratio of two of the evidence, where the claim's words say so: "times" speaks of a ratio alone.
func (j *judge) derived(q quantity) (is, says bool) {
	ratio := false
	for i := max(0, q.at-8); i < min(len(j.claim.toks), q.at+9); i++ {
		switch j.claim.toks[i].low {
		case "more", "less", "fewer", "exceeds": // "exceeds 17" is a bound, "exceeds it by 17" a difference
			says = says || q.bound == exactly
		case "higher", "lower", "total", "together", "sum", "share", "rise", "rose", "fell", "increase", "decrease", "remaining", "rest", "gap", "cheaper", "dearer", "warmer", "colder", "heavier", "lighter", "larger", "smaller", "wider", "deeper", "apart", "remain", "remains", "remained", "saving", "lead", "third", "quarter", "double", "longer", "shorter", "later", "earlier", "combined", "twice", "saves", "saved", "extra", "ahead", "behind":
			says = true
		case "half": // "half a subcarrier" is a number like another
			says = says || i+1 == len(j.claim.toks) || j.claim.toks[i+1].low != "a" && j.claim.toks[i+1].low != "an"
		case "times":
			ratio = true
		}
	}
	ratio = ratio || says
	var all []quantity
	var in []string // the sentence or table of each
	count := map[string]int{}
	for n, e := range j.evidence {
		for _, x := range e.nums {
			where := fmt.Sprintf("%d.%d", n, e.sentenceAt(x.at))
			all, in = append(all, x), append(in, where)
			count[where]++
		}
		for k, t := range e.tables {
			for _, cells := range t.rows {
				for c, cell := range cells {
					for _, x := range cellNumbers(t, c, cell) {
						all, in = append(all, x), append(in, fmt.Sprintf("%d table %d", n, k))
					}
				}
			}
		}
	}
	many := len(all) > manyNumbers
	// together reports whether two numbers may be meant: where there are many, those of a table or a sentence, but not of a table that was read as a sentence.
	together := func(i, k int) bool { return !many || in[i] == in[k] && count[in[i]] <= manyOfSentence }
	if many && !ratio { // a sum or difference is found by chance
		return false, false
	}
	if len(all) > 60 {
		all = all[:60]
	}
	for i, a := range all {
		for k, b := range all {
			if i == k {
				continue
			}
			if a.base == "date" && b.base == "date" {
				if q.base == "s" && equal(q.value, days(a.value, b.value)*86400) { // nine days earlier
					return true, true
				}
				continue
			}
			values := []float64{a.value + b.value, math.Abs(a.value - b.value), 2 * a.value}
			if b.base == "ratio" && a.base == q.base && a.base != "ratio" { // 40 % of it, and what is left
				x := a
				for _, v := range []float64{a.value * b.value, a.value * (1 - b.value)} {
					x.value, x.written, x.digits = v, v/a.factor, 9
					if same(q, x) {
						return true, true
					}
				}
			}
			for _, v := range values {
				x := a
				x.value, x.written, x.digits = v, v/a.factor, 9
				if a.base == b.base && (a.base == q.base || a.base == "" || q.base == "") && same(q, x) {
					if is = true; together(i, k) {
						return true, says
					}
				}
			}
			if b.value != 0 && a.base == b.base {
				x := quantity{value: a.value / b.value, written: 100 * a.value / b.value, base: "ratio", factor: 0.01, digits: 9}
				if q.base == "ratio" && same(q, x) {
					if is = true; together(i, k) {
						return true, ratio
					}
				}
				x.base, x.written = "", x.value
				if q.base == "" && same(q, x) && a.value > b.value {
					if is = true; together(i, k) {
						return true, ratio
					}
				}
			}
		}
	}
	return is, says && !is
}

// sides compares what stands at a number: at most for at least.
func (j *judge) sides() (doubt *Judgement) {
	for _, q := range j.claim.nums {
		c := j.claim.clauseOf(q.at)
		if q.bound == exactly || c < 0 || j.claim.denied(j.claim.clauses[c]) {
			continue
		}
		agree, against := 0.0, 0.0
		for _, e := range j.evidence {
			for _, x := range e.nums {
				at := e.clauseOf(x.at)
				if !same(q, x) || at < 0 || e.denied(e.clauses[at]) {
					continue
				}
				near := 0.1 + j.overlap(j.claim.clauses[c], e, e.clauses[at])
				if x.bound == exactly {
					agree = max(agree, near*0.8)
				} else if q.bound.up() == x.bound.up() {
					agree = max(agree, near)
				} else {
					against = max(against, near)
				}
			}
		}
		if against <= agree {
			continue
		}
		raw := j.claim.text[q.start:q.end]
		reason := fmt.Sprintf("%q has another side in the evidence: at most for at least, or above for below", raw)
		if against < 0.5 || q.base == "" && q.value < 2 {
			doubt = open(reason, raw)
			continue
		}
		return bad(reason, raw)
	}
	return doubt
}

// besideNumber reports whether a token may tell the bound of a number, which is compared elsewhere.
func (p *passage) besideNumber(i int) bool {
	low := p.toks[i].low
	if (low == "least" || low == "most") && i > 0 && p.toks[i-1].low == "at" || (low == "earlier" || low == "later") && i > 0 && p.toks[i-1].quantity >= 0 {
		return true
	}
	if !bounding()[low] && !strings.HasPrefix(low, "exceed") && low != "after" && low != "before" {
		return false
	}
	if i > 1 && p.toks[i-1].low == "or" && p.toks[i-2].quantity >= 0 { // 5 or more
		return true
	}
	for k := i + 1; k < min(len(p.toks), i+4); k++ {
		if p.toks[k].quantity >= 0 {
			return true
		}
	}
	return false
}
