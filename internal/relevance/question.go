package relevance

import (
	"math"
	"math/bits"
	"strings"

	"github.com/findspot/findspot/internal/text"
)

// A Question is what a text asks for.
type Question struct {
	Text  string // as it was asked
	Terms []Term // words that say something of the subject, each once, in order; at most 64
	Kind  Kind

	subject Mask            // of a definition: the terms that are to be defined
	beside  map[string]bool // stems of words that stand beside the number that is asked for
	index   map[string]int  // of Terms, by stem
	total   float64         // rarity of all terms
}

// A Term is one word of a question.
type Term struct {
	Written string
	Stem    string
	Whole   bool    // it is an identifier of several parts, which are terms too
	Rarity  float64 // inverse document frequency
}

// maxTerms bounds the words of a question: a set of them is one number.
const maxTerms = 64

// A Mask is a set of terms of a question.
type Mask uint64

// Read takes a question apart. Every term is as rare as another until [Question.Weigh] is told otherwise.
func Read(s string) *Question {
	q := &Question{Text: s, index: map[string]int{}}
	var words []string
	var rest []text.Token
	for _, t := range text.Tokens(s) {
		words = append(words, t.Word)
		rest = append(rest, t)
	}
	kind, used := kindOf(words)
	q.Kind = kind
	for i, w := range words {
		if kind == Number && w == "how" && i+1 < len(words) {
			q.beside = stems(measures[words[i+1]])
		}
	}
	for strict := true; ; strict = false { // a question of asking words alone asks for these
		for i, t := range rest {
			if t.Stop || strict && (used[i] || asking[t.Word]) {
				continue
			}
			if t.Whole != "" && len(t.Parts) > 1 { // an identifier
				q.add(s[t.Start:t.End], t.Whole, true)
			}
			for _, p := range t.Parts {
				q.add(s[p.Start:p.End], p.Term, false)
			}
		}
		if len(q.Terms) > 0 || !strict {
			break
		}
	}
	q.total = float64(len(q.Terms))
	if kind == Definition {
		q.subject = q.subjectOf(words)
	}
	return q
}

func (q *Question) add(written, stem string, whole bool) {
	if _, ok := q.index[stem]; ok || len(q.Terms) == maxTerms {
		return
	}
	q.index[stem] = len(q.Terms)
	q.Terms = append(q.Terms, Term{Written: written, Stem: stem, Whole: whole, Rarity: 1})
}

// Accept lets another word, by its stem, count as a term, unless the question has it itself.
func (q *Question) Accept(i int, stem string) {
	if _, ok := q.index[stem]; !ok {
		q.index[stem] = i
	}
}

// subjectOf are the terms of "what is X when Y" and "what does X mean" that stand for X.
func (q *Question) subjectOf(words []string) (m Mask) {
	for i, w := range words {
		if w == "what" {
			words = words[i+1:]
			break
		}
	}
	for _, w := range words {
		part := q.Mask(w)
		if m != 0 && part == 0 && !articles[w] {
			break
		}
		m |= part
	}
	return m
}

var articles = set("a an the of and")

// Weigh sets the rarity of each term: df says how many of n documents hold it.
func (q *Question) Weigh(n int, df func(i int) int) {
	q.total = 0
	for i := range q.Terms {
		d := float64(df(i))
		q.Terms[i].Rarity = math.Log(1 + (float64(n)-d+.5)/(d+.5))
		q.total += q.Terms[i].Rarity
	}
}

// Coverage is the share of the question that a set of its terms makes up, by rarity, from 0 to 1.
func (q *Question) Coverage(m Mask) float64 {
	if q.total == 0 {
		return 0
	}
	return q.sum(m) / q.total
}

func (q *Question) sum(m Mask) (sum float64) {
	for ; m != 0; m &= m - 1 {
		sum += q.Terms[bits.TrailingZeros64(uint64(m))].Rarity
	}
	return sum
}

// Mask returns the terms that a text holds.
func (q *Question) Mask(s string) (m Mask) {
	memo := memos.Get()
	defer memos.Put(memo)
	memo.Each(s, func(t *text.Token, _ int) {
		if i, ok := q.index[t.Whole]; ok && t.Whole != "" {
			m |= 1 << i
		}
		for _, p := range t.Parts {
			if i, ok := q.index[p.Term]; ok {
				m |= 1 << i
			}
		}
	})
	return m
}

var memos text.Memos

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// asking are words that only ask, or are polite, and say nothing of the subject.
var asking = set(`please tell explain describe show find give list define name say state know understand want need like help look looking see let us
	many much mean means meant meaning happen happens happened work works working exactly actually really ever thing things something anything way ways kind kinds sort sorts
	question answer does doing done may might must shall cannot get gets got possible able difference differences differ compare compared comparison versus vs
	according say says said paper papers document documents documentation article articles manual spec specification book text page section chapter author authors
	called reason reasons main purpose example examples true there instead also still anyone somebody someone everything one ones`)

// Sentence reports whether a text is a question in a sentence and no list of words to search for: it begins with a word that asks, or it ends with a question mark, and it has
// four words or more.
func Sentence(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	if len(words) < 3 {
		return false
	}
	first := strings.Trim(words[0], ",.:;'\"")
	return strings.HasSuffix(strings.TrimSpace(s), "?") || opening[first]
}

var opening = set(`what which who whom whose where when why how is are was were do does did can could should would will has have had in explain describe list tell show compare name give`)

// A match of a term in a text.
type hit struct {
	term, pos  int // index of the term, and the number of the word in the text
	start, end int // bytes
}

// A scan is what a text holds of a question, in order.
type scan struct {
	sentences [][2]int
	hits      []hit
	cues      []cue
	beside    []int // where words stand that [Question.beside] has
}

// scan reads a text.
func (q *Question) scan(s string) *scan {
	out := &scan{}
	pos := 0
	memo := memos.Get()
	defer memos.Put(memo)
	var before, word string // the two words before
	var start, end, at0 int
	flush := func(after string) {
		if word == "" {
			return
		}
		var mark byte
		if end < len(s) {
			mark = s[end]
		}
		if w := q.cueOf(word, before, after, mark); w > 0 {
			out.cues = append(out.cues, cue{pos: at0, start: start, weight: w})
		}
	}
	memo.Each(s, func(t *text.Token, at int) {
		flush(t.Word)
		before, word, start, end, at0 = word, t.Word, at+t.Start, at+t.End, pos
		if t.Whole != "" {
			if i, ok := q.index[t.Whole]; ok {
				out.hits = append(out.hits, hit{i, pos, at + t.Start, at + t.End})
			}
		}
		for _, p := range t.Parts {
			if i, ok := q.index[p.Term]; ok {
				out.hits = append(out.hits, hit{i, pos, at + p.Start, at + p.End})
			}
			if q.beside[p.Term] {
				out.beside = append(out.beside, start)
			}
			pos++
		}
	})
	flush("")
	if q.subject != 0 {
		q.definitions(s, out)
	}
	return out
}

// stems are those of words, for sets to compare with.
func stems(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[text.Stem(w)] = true
	}
	return m
}
