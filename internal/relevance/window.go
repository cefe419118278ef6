package relevance

import (
	"math"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Setting is what is known of a text from where it stands.
type Setting struct {
	Title  Mask    // terms in the title and name of what holds it
	Heads  Mask    // in the headings over it
	Named  bool    // the question names what holds it, by its number
	Rank   float64 // how well the room that brings it ranks it, the best 1
	Within float64 // the same for the best of its document or file

	Vectors bool    // vectors took part
	Meaning float64 // how near its vector is to the question's, from 0 to 1 for the nearest
}

// A Window is a piece of a text, of whole sentences where it can be.
type Window struct {
	Text       int // index of its text
	Start, End int // bytes of the text, half-open
	Score      float64
	Signals    Signals
	Terms      Mask
}

// The signals of a piece, each from 0 to 1. Their order is that of their weights.
const (
	Local       = iota // share of the question in the piece, by rarity in its document
	Nearness           // how near the words stand to one another
	Around             // share in the text around it as well
	Heading            // share in the headings over it as well
	Rank               // the room's own rank of the place
	Within             // the room's own rank of the document or file
	Named              // the question names what holds it, by its number
	Lead               // the words stand at its beginning, with what follows behind them
	AnswersKind        // it looks like what is asked for
	Meaning            // its vector is near, where there are vectors
	numSignals
)

// Signals are what a piece is judged by.
type Signals [numSignals]float64

// signalNames are in the order of the signals.
var signalNames = [numSignals]string{"local", "nearness", "around", "heading", "rank", "document rank", "named", "lead", "kind", "meaning"}

// weights are how much each signal counts; docs/bench/ask.md says how they were fitted, and what each is worth.
var weights = Signals{Local: 1.2, Nearness: 2.2, Around: 1.15, Heading: 1.7, Rank: 2.3, Within: .85, Named: 2, Lead: 1, AnswersKind: 2.3, Meaning: .7}

// Score is the weighted mean, from about 0 to 1; more where the question names what holds the piece. vectors says that they took part.
func (s *Signals) Score(vectors bool) float64 {
	sum, all := 0., 0.
	for i, w := range weights {
		sum += w * s[i]
		if w > 0 && i != Named && (i != Meaning || vectors) {
			all += w
		}
	}
	return sum / all
}

// around is how far the text around a piece reaches, in bytes on either side.
const around = 700

// A Text is to be judged.
type Text struct {
	Text string
	Ends []int // where its sentences end, the last its length
	From int   // where what it was found by begins; before it stands what leads there
	At   Setting
}

// Windows judges the pieces of the texts of one document, or of other texts that belong together: runs of whole sentences of at most size bytes that hold a
// word of the question, or of a text that holds none and is near by its vector, its beginning. The pieces overlap; they come in the order of the texts.
func (q *Question) Windows(texts []Text, size int) []Window {
	scans := make([]*scan, len(texts))
	count, n := make([]int, len(q.Terms)), 0
	for i, t := range texts {
		sc := q.scan(t.Text)
		sc.sentences = sentences(t.Text, t.Ends, size)
		h := 0
		for _, u := range sc.sentences {
			var m Mask
			for ; h < len(sc.hits) && sc.hits[h].start < u[1]; h++ {
				if sc.hits[h].start >= u[0] {
					m |= 1 << sc.hits[h].term
				}
			}
			for ; m != 0; m &= m - 1 {
				count[bits.TrailingZeros64(uint64(m))]++
			}
		}
		n += len(sc.sentences)
		scans[i] = sc
	}
	var title Mask
	if len(texts) > 0 {
		title = texts[0].At.Title
	}
	local := q.locally(count, n, title)
	var out []Window
	for k, sc := range scans {
		lastEnd := 0
		for i := range sc.sentences {
			j := i
			for j+1 < len(sc.sentences) && sc.sentences[j+1][1]-sc.sentences[i][0] <= size {
				j++
			}
			start, end := sc.sentences[i][0], sc.sentences[j][1]
			if end == lastEnd { // a part of the piece before
				continue
			}
			lastEnd = end
			if w, ok := q.window(texts[k].Text, sc, start, end, texts[k].At, local); ok {
				w.Text = k
				out = append(out, w)
			}
		}
		if texts[k].At.Meaning > 0 && (len(out) == 0 || out[len(out)-1].Text != k) {
			if w, ok := beginning(&texts[k], sc.sentences, size); ok {
				w.Text = k
				out = append(out, w)
			}
		}
	}
	return out
}

// beginning is the piece of a text that holds no word of the question and is near by its vector.
func beginning(t *Text, sentences [][2]int, size int) (w Window, ok bool) {
	for _, u := range sentences {
		switch {
		case u[1] <= t.From:
			continue
		case !ok:
			w.Start = u[0]
		case u[1]-w.Start > size:
			return w, true
		}
		w.End, ok = u[1], true
		w.Signals[Rank], w.Signals[Within], w.Signals[Meaning] = t.At.Rank, t.At.Within, t.At.Meaning
		w.Score = w.Signals.Score(t.At.Vectors)
	}
	return w, ok
}

// locally gives what share of the question each term makes up among n sentences of one document, by rarity there: most of them hold the word that the document
// is about. Terms that none holds are left out.
func (q *Question) locally(count []int, n int, title Mask) []float64 {
	out := make([]float64, len(count))
	sum := 0.
	for i, c := range count {
		if c > 0 {
			out[i] = math.Log(1 + (float64(n-c)+.5)/(float64(c)+.5))
			if title&(1<<i) != 0 {
				out[i] *= inTitle
			}
			sum += out[i]
		} else {
			sum += q.Terms[i].Rarity
		}
	}
	for i := range out {
		if sum > 0 {
			out[i] /= sum
		}
	}
	return out
}

// inTitle is what a word counts within a document whose title holds it: it says which document, not where in it.
const inTitle = .3

// Judge judges a text as one piece; ok is false where it holds no word of the question.
func (q *Question) Judge(txt string, at Setting) (w Window, ok bool) {
	even := make([]float64, len(q.Terms))
	for i, t := range q.Terms {
		if q.total > 0 {
			even[i] = t.Rarity / q.total
		}
	}
	return q.window(txt, q.scan(txt), 0, len(txt), at, even)
}

// window judges one piece.
func (q *Question) window(txt string, sc *scan, start, end int, at Setting, local []float64) (Window, bool) {
	hs := sc.hits
	w := Window{Start: start, End: end}
	first, last := -1, -1 // hits in the piece
	var wide Mask
	var near float64
	var pairs []pair
	prev := -1
	for i := range hs {
		h := &hs[i]
		if h.end < start-around || h.start > end+around {
			continue
		}
		wide |= 1 << h.term
		if h.start < start || h.end > end {
			continue
		}
		if w.Terms |= 1 << h.term; first < 0 {
			first = i
		}
		last = i
		if prev >= 0 && hs[prev].term != h.term {
			a, b := hs[prev].term, h.term
			if gap := float64(h.pos - hs[prev].pos); gap > 0 {
				pairs = nearest(pairs, pair{min(a, b), max(a, b), (q.within(a, at.Title) + q.within(b, at.Title)) / 2 / (1 + (gap-1)/3)})
			}
		}
		prev = i
	}
	if w.Terms == 0 {
		return w, false
	}
	for _, p := range pairs {
		near += p.near
	}
	s := &w.Signals
	for i := range q.Terms {
		if w.Terms&(1<<i) != 0 {
			s[Local] += local[i]
		}
	}
	if q.total > 0 {
		s[Nearness] = min(near/q.total, 1)
	}
	s[Around] = q.Coverage(wide | w.Terms)
	s[Heading] = q.Coverage(at.Heads | w.Terms)
	s[Rank], s[Within] = at.Rank, at.Within
	if s[Meaning] = at.Meaning; at.Named {
		s[Named] = 1
	}
	if all, where := 0., 0.; q.total > 0 {
		for _, h := range hs[first : last+1] {
			all += local[h.term]
			where += local[h.term] * float64(h.start-start) / float64(end-start)
		}
		if all > 0 {
			s[Lead] = 1 - where/all
		}
	}
	s[AnswersKind] = q.answersKind(sc, hs[first:last+1], start, end, txt[start:end])
	w.Score = s.Score(at.Vectors)
	return w, true
}

// within is the rarity of a term in a document of a title.
func (q *Question) within(term int, title Mask) float64 {
	if title&(1<<term) != 0 {
		return q.Terms[term].Rarity * inTitle
	}
	return q.Terms[term].Rarity
}

// A pair is two terms that stand beside each other, with what it is worth for how near they are.
type pair struct {
	a, b int
	near float64
}

// nearest adds a pair, or keeps the nearer of two of the same terms. The list keeps the order in which sums are the same every time.
func nearest(list []pair, p pair) []pair {
	for i := range list {
		if list[i].a == p.a && list[i].b == p.b {
			list[i].near = max(list[i].near, p.near)
			return list
		}
	}
	return append(list, p)
}

// answersKind says how much a piece looks like what is asked for, from 0 to 1: by the words that stand in such answers, and how near they are to words of
// the question.
func (q *Question) answersKind(sc *scan, hs []hit, start, end int, piece string) (best float64) {
	for _, c := range sc.cues {
		if c.start < start || c.start >= end {
			continue
		}
		if c.whole {
			best = max(best, c.weight)
			continue
		}
		gap := 1 << 20
		for _, h := range hs {
			if q.subject != 0 && q.subject&(1<<h.term) == 0 {
				continue
			}
			gap = min(gap, max(h.pos-c.pos, c.pos-h.pos))
		}
		near := .4 + .6/(1+max(float64(gap)-3, 0)/8)
		if q.subject != 0 { // "X is", "called X"
			near = .3 / (1 + max(float64(gap)-2, 0)/2)
		}
		best = max(best, c.weight*near)
	}
	switch {
	case q.Kind == List:
		n := strings.Count(piece, ",") + 2*strings.Count(piece, "\n- ") + 2*strings.Count(piece, "•") + 2*strings.Count(piece, "\n* ")
		best = best/2 + min(float64(n), 4)/8
	case len(q.beside) > 0 && best > 0:
		best *= .7
		for _, at := range sc.beside {
			if start <= at && at < end {
				best += .3
				break
			}
		}
	}
	return best
}

// sentences are those of a text, those that are longer than size cut at lines, else at blanks.
func sentences(txt string, ends []int, size int) [][2]int {
	var out [][2]int
	add := func(a, b int) {
		for a < b && isSpace(txt, a) {
			a++
		}
		for b > a && isSpace(txt, b-1) {
			b--
		}
		if b > a {
			out = append(out, [2]int{a, b})
		}
	}
	at := 0
	for _, e := range ends {
		for e-at > size {
			cut := at + size
			if i := strings.LastIndexByte(txt[at:cut], '\n'); i > size/4 {
				cut = at + i + 1
			} else if i := strings.LastIndexFunc(txt[at:cut], unicode.IsSpace); i > 0 {
				cut = at + i + 1
			} else {
				for cut > at && !utf8.RuneStart(txt[cut]) {
					cut--
				}
				if cut == at { // no UTF-8
					cut += size
				}
			}
			add(at, cut)
			at = cut
		}
		add(at, e)
		at = e
	}
	return out
}

func isSpace(s string, i int) bool { return s[i] == ' ' || '\t' <= s[i] && s[i] <= '\r' }

// Named are the signals by their names.
func (s *Signals) Named() map[string]float64 {
	out := make(map[string]float64, len(s))
	for i, n := range signalNames {
		out[n] = s[i]
	}
	return out
}

// Sure says from the signals of a piece how sure it is that it is about what is asked, from 0 to 1.
func Sure(signals map[string]float64) float64 {
	return max(signals[signalNames[Around]], signals[signalNames[Heading]])
}

// Near reports whether pieces, best first, are about what is asked: the words of the question stand around the best one, and beside one another in one of the first. What
// a question asks for may stand in other words, and where nothing answers, single words of it still stand somewhere. extra is what speaks for it besides.
func Near(pieces []map[string]float64, extra float64) bool {
	near := 0.
	for _, p := range pieces[:min(len(pieces), 3)] {
		near = max(near, p[signalNames[Nearness]])
	}
	return len(pieces) > 0 && pieces[0][signalNames[Around]]+near+extra >= nearEnough
}

// nearEnough was chosen so that 1 in 20 of the questions of docs/bench/ask that have an answer has less. Of those asked where the documents that answer are not, 9 in 10 have.
const nearEnough = .6
