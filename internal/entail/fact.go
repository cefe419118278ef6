package entail

import (
	"fmt"
	"slices"
)

// A fact is a number of the evidence with the words that tell what it is of: those around it in its sentence, or the label of its row and the head of its column.
type fact struct {
	quantity
	about    []weighted
	in       *passage // nil for a cell of a table
	table    int      // which table
	row, col int
	text     string // as it stands
}

// A weighted token counts the more the nearer it stands to the number.
type weighted struct {
	token
	weight float64
}

const maxFacts = 400

// facts are those of the whole evidence.
func (j *judge) facts() []fact {
	if j.told != nil {
		return j.told
	}
	j.told = []fact{}
	tables := 0
	for _, e := range j.evidence {
		for _, q := range e.nums {
			if q.weak {
				continue
			}
			f := fact{quantity: q, in: e, text: flat(e.text[q.start:q.end])}
			for k, t := range e.toks {
				if (e.content(k) || t.kind == number && k != q.at) && e.sentenceAt(k) == e.sentenceAt(q.at) {
					f.about = append(f.about, weighted{t, e.nearness(k, q.at)})
				}
			}
			j.told = append(j.told, f)
		}
		for _, t := range e.tables {
			tables++
			name := t.names()
			for r, row := range t.rows {
				for c, text := range row {
					if c == name || len(j.told) > maxFacts {
						continue
					}
					about := append(tokens(row[name]), tokens(t.head[c])...)
					for _, q := range rowNumbers(t, row, c, name) {
						j.told = append(j.told, fact{quantity: q, about: about, table: tables, row: r, col: c, text: text})
					}
				}
			}
		}
	}
	return j.told
}

// tokens are those of a label or a head, which weigh the same.
func tokens(text string) (out []weighted) {
	if head := headOf(text); head != "" {
		text = head
	}
	for _, t := range tokenize(text) {
		if _, unit := unitOf(t.raw); t.kind != sign && !unit && !lex().stop[t.low] {
			out = append(out, weighted{t, 1})
		}
	}
	return out
}

// nearness is the weight of a word at a distance from its number; what joins parts lies between.
func (p *passage) nearness(i, k int) float64 {
	w := 1 / (1 + float64(p.apart(i, k))/8)
	if p.joined(min(i, k), max(i, k)) && i > p.firstNumber(k) { // what stands before the first number is said of all
		w *= otherPart
	}
	return w
}

// firstNumber is the first number of a token's sentence.
func (p *passage) firstNumber(i int) int {
	for _, q := range p.nums {
		if !q.weak && p.sentenceAt(q.at) == p.sentenceAt(i) {
			return q.at
		}
	}
	return i
}

// joined reports whether two tokens stand in parts that are joined by a comma or a word such as "and".
func (p *passage) joined(from, to int) bool {
	return slices.ContainsFunc(p.toks[from:to], func(t token) bool {
		return t.low == "and" || t.low == "," || t.low == ";" || t.low == "but" || t.low == "or" || t.low == "while" || t.low == "whereas"
	})
}

// context is what the claim says around a number: in its clause, and less so in the others, where a table is asked.
func (j *judge) context(q quantity, table bool) (out []weighted) {
	at := j.claim.clauseOf(q.at)
	if at < 0 {
		return nil
	}
	c := j.claim.clauses[at]
	for i, t := range j.claim.toks {
		inside := c.from <= i && i < c.to
		if t.quantity >= 0 && j.claim.nums[t.quantity].at == q.at || t.kind == sign || lex().stop[t.low] || bounding()[t.low] || !table && (!inside || t.quantity >= 0 || len(t.low) < 2) {
			continue
		}
		if t.quantity >= 0 && t.kind != number {
			continue
		}
		w := j.claim.nearness(i, q.at)
		if table {
			w = 1 / (1 + float64(j.claim.apart(i, q.at))/16)
		}
		if t.kind == name {
			w *= 1.5
		}
		if !inside {
			w *= otherClause
		}
		out = append(out, weighted{t, w})
	}
	return out
}

// Words in another part of the sentence count less: behind a comma or "and", and in another clause.
const (
	otherPart   = 0.4
	otherClause = 0.3
)

var plainNegators = lazy("not no never neither nor none cannot don't doesn't didn't isn't aren't wasn't weren't can't")

// fits is how near a fact has a word.
func (f *fact) fits(t token) (w float64) {
	for _, x := range f.about {
		if x.weight > w && (t.low == x.low || t.kind != number && x.kind != number && lex().like(t, x.token)) {
			w = x.weight
		}
	}
	return w
}

// named reports whether the claim has most of the words that tell a cell from another.
func (f *fact) named(g *fact, context []weighted) bool {
	n, have := 0, 0
	for _, x := range f.about {
		if g.fits(x.token) > 0 {
			continue
		}
		n++
		if slices.ContainsFunc(context, func(t weighted) bool {
			return t.low == x.low || t.kind != number && x.kind != number && lex().like(t.token, x.token)
		}) {
			have++
		}
	}
	return have > 0 && have*4 >= n*3
}

// nearer is how much better a context fits one fact than another.
func (f *fact) nearer(g *fact, context []weighted) (d float64) {
	for _, t := range context {
		d += t.weight * (f.fits(t.token) - g.fits(t.token))
	}
	return d
}

// rivals reports whether a fact may be meant where another is said: in the same sentence, or in the same row or column.
func (f *fact) rivals(g *fact) bool {
	if f.in != nil {
		return f.in == g.in && f.base == g.base && (f.bound == exactly) == (g.bound == exactly) && f.in.sentenceAt(f.at) == f.in.sentenceAt(g.at)
	}
	return g.in == nil && f.table == g.table && (f.row == g.row) != (f.col == g.col) && (f.base == g.base || f.base == "" || g.base == "") && !(f.col == g.col && f.base != g.base)
}

// belongs looks whether the words around a number of the claim stand around another number in the evidence.
func (j *judge) belongs() *Judgement {
	gap, raw, other, run := j.rival()
	if gap > surelyOther && !run {
		return bad(fmt.Sprintf("%q: what is said of it has %q in the evidence", raw, other), raw)
	}
	if gap > maybeOther {
		return open(fmt.Sprintf("%q: what is said of it may have %q in the evidence", raw, other), raw)
	}
	return nil
}

const surelyOther, maybeOther = 0.2, 0.15

// rival is the number of the claim whose words fit another number of the evidence best, as it stands, that other number, and by how much better they fit it; run tells that
// they stand in a run of numbers, such as a table that was read as a sentence, where what is nearest says little.
func (j *judge) rival() (gap float64, raw, other string, run bool) {
	if len(j.claim.nums) > maxNumbers {
		return 0, "", "", false
	}
	facts := j.facts()
	for _, q := range j.claim.nums {
		c := j.claim.clauseOf(q.at)
		if q.weak || c < 0 || j.claim.holds(j.claim.clauses[c], plainNegators()) || q.at+1 < len(j.claim.toks) && j.claim.toks[q.at+1].low == "times" {
			continue
		}
		if j.inLabel(q) {
			continue
		}
		least, what := 0.0, ""
		found, inRun := false, false
		for o := range facts { // the best place of the number: that with the least rival
			own := &facts[o]
			if !same(q, own.quantity) {
				continue
			}
			if own.in == nil && q.words && q.value < 12 {
				found, least = true, 0
				break
			}
			context := j.context(q, own.in == nil)
			most, text := 0.0, ""
			for k := range facts {
				f := &facts[k]
				if k == o || !own.rivals(f) || same(q, f.quantity) || f.in == nil && !f.named(own, context) {
					continue
				}
				g := f.nearer(own, context)
				if i := slices.IndexFunc(j.claim.nums, func(r quantity) bool { return same(r, f.quantity) }); i >= 0 { // both are in the claim: exchanged?
					g = min(g, own.nearer(f, j.context(j.claim.nums[i], own.in == nil)))
				}
				if own.in != nil {
					g /= 2
				}
				if g > most {
					most, text = g, f.text
				}
			}
			if !found || most < least {
				found, least, what, inRun = true, most, text, own.in != nil && own.in.run(own.at)
			}
		}
		if least > gap {
			gap, raw, other, run = least, j.claim.text[q.start:q.end], what, inRun
		}
	}
	return gap, raw, other, run
}

// run reports whether the sentence of a token is a run of numbers.
func (p *passage) run(i int) bool {
	n := 0
	for _, q := range p.nums {
		if p.sentenceAt(q.at) == p.sentenceAt(i) {
			n++
		}
	}
	return n > manyOfSentence
}

// inPlace looks for a number of the claim whose sentence the evidence has with another number of its kind.
func (j *judge) inPlace() *Judgement {
	for _, c := range j.claim.clauses {
		for n, q := range j.claim.nums {
			if q.at < c.from || q.at >= c.to || q.weak || q.base == "" && q.words || j.claim.holds(c, plainNegators()) {
				continue
			}
			a, with := j.alignWithout(c, n)
			if !a.found || a.share < mostOfIt || with >= a.share-0.25 {
				continue
			}
			other, has := "", false
			for _, x := range a.p.nums {
				if x.at < a.c.from || x.at >= a.c.to {
					continue
				}
				has = has || same(q, x)
				if x.base == q.base && !x.weak && !slices.ContainsFunc(j.claim.nums, func(r quantity) bool { return same(r, x) }) {
					other = a.p.text[x.start:x.end]
				}
			}
			if has || other == "" || !j.hasNumber(q) {
				continue
			}
			raw := j.claim.text[q.start:q.end]
			return bad(fmt.Sprintf("%q: the evidence has %q there: %s", raw, other, a.text()), raw)
		}
	}
	return nil
}

const mostOfIt = 0.8

// alignWithout aligns a clause with a sentence, one of its numbers left out; with is the share of the best sentence that has the number.
func (j *judge) alignWithout(c clause, n int) (best alignment, with float64) {
	for _, e := range j.evidence {
		last := -1
		for _, x := range e.clauses {
			if x.sentence == last {
				continue
			}
			last = x.sentence
			x = e.sentence(x)
			all, have := 0.0, 0.0
			for _, i := range j.claim.terms(c) {
				if j.claim.toks[i].quantity == n {
					continue
				}
				all++
				for k := x.from; k < x.to; k++ {
					if j.alike(i, e, k) {
						have++
						break
					}
				}
			}
			if all < 1 || all < 2 && len(j.claim.terms(clause{to: len(j.claim.toks)})) > 2 {
				return best, with
			}
			if have/all > best.share {
				best = alignment{e, x, have / all, true}
			}
			if slices.ContainsFunc(e.nums, func(r quantity) bool { return x.from <= r.at && r.at < x.to && same(j.claim.nums[n], r) }) {
				with = max(with, have/all)
			}
		}
	}
	return best, with
}

// inLabel reports whether a number stands in the label of a row or in a head, as "stage 4" does.
func (j *judge) inLabel(q quantity) bool {
	for _, e := range j.evidence {
		for _, t := range e.tables {
			name := t.names()
			texts := slices.Clone(t.head)
			for _, row := range t.rows {
				texts = append(texts, row[name])
			}
			for _, text := range texts {
				if slices.ContainsFunc(quantities(text, tokenize(text)), func(x quantity) bool { return x.written == q.written && x.base == q.base }) {
					return true
				}
			}
		}
	}
	return false
}
