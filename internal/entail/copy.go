package entail

import (
	"slices"
	"strings"
)

// leavesOut looks for words that a sentence which is otherwise a copy of the evidence leaves out of its middle: they may narrow what is said.
func (j *judge) leavesOut() *Judgement {
	if j.quoted {
		return nil
	}
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || a.share < nearCopy*0.8 {
			continue
		}
		a = a.sentenceOf()
		mine, theirs := j.claim.terms(c), a.p.terms(a.c)
		if len(mine) < 4 {
			continue
		}
		pairs := j.common(mine, a.p, theirs)
		if float64(len(pairs)) < nearCopy*float64(len(mine)) {
			continue
		}
		for n := 1; n < len(pairs); n++ {
			if pairs[n][0] != pairs[n-1][0]+1 {
				continue // something stands in its place
			}
			var left []string
			for y := pairs[n-1][1] + 1; y < pairs[n][1]; y++ {
				if k := theirs[y]; !j.claimHas(a.p, k) && !a.p.verbal(k) {
					left = append(left, a.p.toks[k].raw)
				}
			}
			if len(left) > 0 && !a.p.setOff(theirs[pairs[n-1][1]], theirs[pairs[n][1]]) {
				return open("it leaves words out that stand between: "+strings.Join(left, ", "), j.words(c)...)
			}
		}
	}
	return nil
}

const nearCopy = 0.8

// reordered looks for a sentence of the evidence that has the same words in another order: who does what to whom may be exchanged.
func (j *judge) reordered() *Judgement {
	if j.quoted {
		return nil
	}
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || j.claim.contentsOf(c) < 4 || j.claim.passive(c) != a.p.passive(a.c) {
			continue
		}
		a = a.sentenceOf()
		mine, theirs := j.claim.terms(c), a.p.terms(a.c)
		hit := 0
		for _, i := range mine {
			if slices.ContainsFunc(theirs, func(k int) bool { return j.alike(i, a.p, k) }) {
				hit++
			}
		}
		turned := 1 - float64(len(j.common(mine, a.p, theirs)))/float64(max(1, hit))
		if float64(hit) >= 0.9*float64(len(mine)) && turned > mostTurned {
			return open("the evidence has its words in another order: "+a.text(), j.words(c)...)
		}
	}
	return nil
}

const mostTurned = 0.1

// copied reports whether each sentence of the claim is one of the evidence, or whole clauses of one, in its own words: all of them in their order, with none between.
func (j *judge) copied() bool {
	last := -1
	for _, c := range j.claim.clauses {
		if c.sentence == last {
			continue
		}
		last, c = c.sentence, j.claim.sentence(c)
		a := j.align(c)
		if !a.found {
			return false
		}
		a = a.sentenceOf()
		mine, theirs := j.claim.terms(c), a.p.terms(a.c)
		pairs := j.common(mine, a.p, theirs)
		if j.exact(c, a) < 1 || len(pairs) < len(mine) || pairs[len(pairs)-1][1]-pairs[0][1] != len(pairs)-1 {
			return false
		}
		from, to := theirs[pairs[0][1]], theirs[pairs[len(pairs)-1][1]]
		for _, x := range a.p.clauses {
			if x.from <= to && from < x.to && slices.ContainsFunc(a.p.terms(x), func(k int) bool { return k < from || k > to }) {
				return false
			}
		}
	}
	return last >= 0
}

// terms are the words of content and the numbers of a part.
func (p *passage) terms(c clause) (out []int) {
	for i := c.from; i < c.to; i++ {
		if p.content(i) || p.toks[i].quantity >= 0 && p.nums[p.toks[i].quantity].at == i {
			out = append(out, i)
		}
	}
	return out
}

// common is the longest common subsequence of two lists of terms, as pairs of their indexes.
func (j *judge) common(mine []int, p *passage, theirs []int) (pairs [][2]int) {
	most := make([][]int, len(mine)+1)
	for x := range most {
		most[x] = make([]int, len(theirs)+1)
	}
	for x := len(mine) - 1; x >= 0; x-- {
		for y := len(theirs) - 1; y >= 0; y-- {
			if j.alike(mine[x], p, theirs[y]) {
				most[x][y] = most[x+1][y+1] + 1
			} else {
				most[x][y] = max(most[x+1][y], most[x][y+1])
			}
		}
	}
	for x, y := 0, 0; x < len(mine) && y < len(theirs); {
		switch {
		case j.alike(mine[x], p, theirs[y]):
			pairs = append(pairs, [2]int{x, y})
			x, y = x+1, y+1
		case most[x+1][y] >= most[x][y+1]:
			x++
		default:
			y++
		}
	}
	return pairs
}

// claimHas reports whether the claim has a term of the evidence.
func (j *judge) claimHas(p *passage, k int) bool {
	for i := range j.claim.toks {
		if j.claim.toks[i].kind != sign && j.alike(i, p, k) {
			return true
		}
	}
	return false
}

// setOff reports whether what stands between two tokens is set off by commas or brackets, joined by "and", or has a verb of its own.
func (p *passage) setOff(from, to int) bool {
	return slices.ContainsFunc(p.toks[from+1:to], func(t token) bool {
		return t.kind == sign && strings.ContainsAny(t.raw, ",;:()–—") || t.low == "and" || t.low == "or" || heads()[t.low] || beings()[t.low]
	})
}

// verbal reports whether a word has the ending of a verb, which other words may stand for.
func (p *passage) verbal(i int) bool {
	t := p.toks[i]
	return t.kind == word && (strings.HasSuffix(t.low, "ed") || strings.HasSuffix(t.low, "ing") || strings.HasSuffix(t.low, "s") && len(lex().groups(t)) > 0 || i > 0 && auxiliaries()[p.toks[i-1].low])
}
