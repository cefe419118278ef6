package entail

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// The words of a sentence that is wrong stand somewhere on nearly any page. Long evidence is therefore judged by what of it is nearest to the claim: a run of sentences, or
// a table with the line above it, and a second one for what the first does not have, as sums of two passages need.
//
// The sizes were chosen with the pairs of docs/bench/proof that rules are fitted on, widened by 1,500 bytes.
const (
	longEvidence = 180  // words; shorter pieces are judged whole, as a paragraph or a table is
	runLength    = 2    // sentences
	secondShare  = 0.15 // of the weight of what the evidence has of the claim, that a second run must add
	secondTerms  = 2    // and how many words
	surelyNamed  = 1.5  // names and numbers weigh more
	maxSought    = 64   // words of the claim that are looked for
	referringIn  = 6    // first words of a run that may refer to the sentence before it
	quotedRun    = 5    // sentences that a quotation may go through
	maxQuoted    = 8    // quotations that are looked for
)

// A stretch is a part of a long piece of evidence: a sentence, a heading, or a table.
type stretch struct {
	piece, from, to int    // which text, and bytes of it
	has             uint64 // what it has of the claim, a bit for each of sought
	table, heading  bool
}

// nearby cuts what is long in the evidence down to what is near to the claim.
func (j *judge) nearby(texts []string) (out []string) {
	var all []stretch
	sought := j.sought()
	for i, e := range texts {
		if countWords(e) <= longEvidence {
			out = append(out, e)
			continue
		}
		all = append(all, j.stretches(i, e, sought)...)
	}
	if len(all) == 0 {
		return texts
	}
	weights := j.rarity(sought, all)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	taken := make([]bool, len(all))
	have := j.takeQuoted(texts, all, taken)
	for n := range 2 {
		from, to, gain, set := nearestRun(all, have, weights)
		if to == 0 || (n > 0 || have != 0) && (gain < secondShare*total || bits.OnesCount64(set&^have) < secondTerms) {
			break
		}
		from -= standsBefore(all, from, texts)
		for k := from; k < to; k++ {
			taken[k] = true
			have |= all[k].has
		}
	}
	for a := 0; a < len(all); a++ {
		if !taken[a] {
			continue
		}
		s := all[a]
		for a+1 < len(all) && taken[a+1] && all[a+1].piece == s.piece {
			a++
			s.to = all[a].to
		}
		out = append(out, s.of(texts))
	}
	if len(out) == 0 { // it has no word of the claim
		return texts
	}
	return out
}

// elsewhere mends a reason that speaks of what was looked at as if it were the whole evidence: a word that is missing there may stand in another place.
func (said *Judgement) elsewhere(looked, whole []string) {
	if said.Verdict == Supported || slices.Equal(looked, whole) || !strings.Contains(said.Reason, "not in the evidence") && !strings.Contains(said.Reason, "nothing of this part is in the evidence") {
		return
	}
	var found []string
	for _, w := range said.Words {
		if slices.ContainsFunc(whole, func(e string) bool { return hasWord(e, w) }) {
			found = append(found, fmt.Sprintf("%q", w))
		}
	}
	is := "is"
	switch len(found) {
	case 0:
		return
	case 1:
	default:
		is = "are"
	}
	said.Reason = fmt.Sprintf("%s %s in the evidence, but not where that is nearest to the sentence", strings.Join(found, ", "), is)
}

// hasWord reports whether a text has a word, or a number with its unit, as it stands.
func hasWord(text, w string) bool {
	text, w = small(text), small(w)
	for at := 0; ; {
		i := strings.Index(text[at:], w)
		if i < 0 || w == "" {
			return false
		}
		at += i + len(w)
		if before, _ := utf8.DecodeLastRuneInString(text[:at-len(w)]); !wordRune(before) && !nextWord(text[at:]) {
			return true
		}
	}
}

// countWords counts the words and numbers of a text; the lines of a table are none.
func countWords(s string) (n int) {
	for w := range strings.FieldsSeq(s) {
		if strings.ContainsFunc(w, wordRune) {
			n++
		}
	}
	return n
}

func (s stretch) of(texts []string) string { return texts[s.piece][s.from:s.to] }

// nearestRun is the run of sentences, or the table, that adds most to what is had of the claim.
func nearestRun(all []stretch, have uint64, weights []float64) (from, to int, gain float64, set uint64) {
	for a := range all {
		got := uint64(0)
		for b := a; b < min(a+runLength, len(all)) && all[b].piece == all[a].piece; b++ {
			if b > a && (all[a].table || all[b].table) {
				break
			}
			got |= all[b].has
			w := 0.0
			for left := got &^ have; left != 0; left &= left - 1 {
				w += weights[bits.TrailingZeros64(left)]
			}
			if w > gain {
				from, to, gain, set = a, b+1, w, got
			}
		}
	}
	return from, to, gain, set
}

// rarity weighs what is sought by how few stretches have it.
func (j *judge) rarity(sought []int, all []stretch) []float64 {
	weights := make([]float64, len(sought))
	for n, i := range sought {
		in := 0
		for _, s := range all {
			in += int(s.has >> n & 1)
		}
		if in == 0 {
			continue
		}
		weights[n] = math.Log(1 + float64(len(all))/float64(in))
		if j.claim.toks[i].kind == name || j.claim.toks[i].quantity >= 0 {
			weights[n] *= surelyNamed
		}
	}
	return weights
}

// takeQuoted takes the stretches where the quotations of the claim stand, which are looked up to the letter.
func (j *judge) takeQuoted(texts []string, all []stretch, taken []bool) (have uint64) {
	for _, m := range quoted.FindAllStringSubmatch(j.claim.text, maxQuoted) {
		parts := gap.Split(small(flat(m[1]+m[2])), -1)
		if len(strings.Fields(m[1]+m[2])) < 2 {
			continue
		}
		for n := 1; n <= quotedRun; n++ {
			found := false
			for a := 0; a+n <= len(all) && !found; a++ {
				s := all[a]
				if s.to = all[a+n-1].to; all[a+n-1].piece != s.piece {
					continue
				}
				text := small(flat(s.of(texts)))
				found = true
				for _, part := range parts {
					_, text, found = strings.Cut(text, strings.Trim(part, " .,;:"))
					if !found {
						break
					}
				}
				for k := a; found && k < a+n; k++ {
					taken[k] = true
					have |= all[k].has
				}
			}
			if found {
				break
			}
		}
	}
	return have
}

var referring = lazy("it its this these those they them their he she his her such both that then there here former latter same one others another")

// refers reports whether a sentence seems to need the one before it.
func refers(s string) bool {
	for n, t := range tokenize(s[:min(len(s), 100)]) {
		if n >= referringIn {
			break
		}
		if referring()[t.low] {
			return true
		}
	}
	return false
}

// standsBefore is how many stretches before one belong to it: the line above a table that tells what it is, which may be of two sentences ("Table 1. Cables"), and what "it"
// stands for.
func standsBefore(all []stretch, at int, texts []string) int {
	for n := 1; n <= 2 && at-n >= 0 && all[at-n].piece == all[at].piece && !all[at-n].table; n++ {
		s := strings.TrimSpace(all[at-n].of(texts))
		switch {
		case !all[at].table:
			if !all[at].heading && refers(all[at].of(texts)) {
				return 1
			}
			return 0
		case strings.HasPrefix(s, "Table") || n == 1 && strings.HasSuffix(s, ":"):
			return n
		}
	}
	return 0
}

// sought are the tokens of the claim that say what it is about, each word once, and its numbers.
func (j *judge) sought() (out []int) {
	seen := map[string]bool{}
	for i, t := range j.claim.toks {
		if number := t.quantity >= 0 && j.claim.nums[t.quantity].at == i; !number && (!j.claim.content(i) || seen[t.low]) || len(out) == maxSought {
			continue
		}
		seen[t.low] = true
		out = append(out, i)
	}
	return out
}

// stretches are the parts of a text, with what each has of the claim.
func (j *judge) stretches(piece int, e string, sought []int) []stretch {
	r := j.reader.read(e)
	out := slices.Clone(r.parts)
	known := map[string]uint64{}
	k := 0
	for i := range out {
		s := &out[i]
		s.piece = piece
		if cells := r.cells[i]; cells != nil {
			for k := range cells.toks {
				s.has |= j.seeks(sought, cells, k, known)
			}
			continue
		}
		for ; k < len(r.toks) && r.toks[k].start < s.to; k++ {
			if r.toks[k].start >= s.from {
				s.has |= j.seeks(sought, r.passage, k, known)
			}
		}
	}
	return out
}

// seeks tells which of what is sought a token of the evidence is; known are the words that were looked at.
func (j *judge) seeks(sought []int, p *passage, k int, known map[string]uint64) (has uint64) {
	x := p.toks[k]
	if x.kind == sign || x.quantity < 0 && lex().stop[x.low] || x.quantity >= 0 && p.nums[x.quantity].at != k {
		return 0
	}
	if x.quantity < 0 {
		if has, ok := known[x.raw]; ok {
			return has
		}
		defer func() { known[x.raw] = has }()
	}
	for n, i := range sought {
		t := j.claim.toks[i]
		if t.quantity >= 0 && x.quantity >= 0 && same(j.claim.nums[t.quantity], p.nums[x.quantity]) || t.quantity < 0 && x.quantity < 0 && (lex().like(t, x) || lex().opposite[t.low][x.low]) {
			has |= 1 << n
		}
	}
	return has
}
