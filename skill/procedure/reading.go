package procedure

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Kind is what a step tells one to do.
type Kind string

// The kinds of steps.
const (
	SearchDocs Kind = "search_docs" // look something up in documents
	SearchCode Kind = "search_code" // find code by text
	Callers    Kind = "callers"     // callers, references, definitions, dependents
	ReadOne    Kind = "read"        // open one thing that was found or is given
	Plan       Kind = "plan"        // write a plan, an outline, a design, a proposal
	Approve    Kind = "approve"     // have a person confirm or choose
	Write      Kind = "write"       // write or change code and files
	Run        Kind = "run"         // run tests, commands, programs
	Check      Kind = "check"       // compare, verify; a condition that must hold
	Answer     Kind = "answer"      // the final text
	Stop       Kind = "stop"        // end under a condition
	Other      Kind = "other"       // anything else
)

// A Step is something that the text tells one to do, in the order of the text.
type Step struct {
	Line      int    // of the file, from 1, on which its sentence or list item begins
	Text      string // the clause, on one line
	Sentence  string // the whole sentence, on one line
	Kind      Kind
	Condition string // under which it is to be done, as written: "the log is empty"; empty: always
	Loop      bool   // it is to be repeated: for each of something, or until something holds

	title string // of its section
	origin
}

// An origin is where a clause stands.
type origin struct {
	at, index, of                        int  // its sentence in the text, its place there, and the clauses there
	number                               int  // of the item or title, as written; 0: none
	listed, item, heading, ordered, asks bool // as its sentence is
	orders                               bool // it begins with a verb
	topic                                bool // as its sentence is
	told                                 telling
}

// A Guard is a prohibition: what is not to be done until something has been.
type Guard struct {
	Line  int
	Text  string // the sentence, on one line
	Act   string // what is not to be done, as written
	Deny  []Kind // each once
	Until []Kind // each once; never empty

	at                        int // its sentence in the text
	sure                      float64
	cond                      string // what lifts it, as written
	denyNumbers, untilNumbers []int  // of steps that the sentence names: their kinds are known at the end (resolve)
}

// A Reading is what a text tells.
type Reading struct {
	Steps  []Step
	Guards []Guard
	Unread []Doubt // in order

	papers  bool // the text is about documents more than about code
	measure measure
}

// What a text may have at most; the rest of it is one step for a model or a person.
const (
	maxText      = 1 << 18 // bytes
	maxSentences = 2000
	maxSentence  = 2000 // bytes
	maxClauses   = 2000
	maxSteps     = 120
	maxGuards    = 40
)

// Read reads a Markdown text that begins on the given line of its file. It never fails: a text without a procedure has no steps. Of a text of more than 256 KB or 2,000 sentences, and of more
// than 120 steps, the rest is one step of kind [Other]; what is forbidden behind the 120th step holds.
func Read(text string, first int) *Reading {
	return readWith(text, first, shipped())
}

func readWith(text string, first int, m *model) *Reading {
	r := &Reading{}
	whole := len(text) <= maxText
	all, end := r.candidates(text[:min(len(text), maxText)], m)
	r.decide(all, m)
	if len(r.Steps) > maxSteps {
		end = r.Steps[maxSteps].at
		r.Steps = r.Steps[:maxSteps]
	}
	rest := r.measure.beyond // the line from which on nothing was read for steps; 0: all was read
	switch {
	case end < len(r.measure.lineOf):
		rest = r.measure.lineOf[end]
	case rest == 0 && !whole:
		rest = r.measure.all
	}
	r.resolve(m)
	r.count(end)
	if !r.isProcedure() {
		r.doubtMore()
	}
	for i := range r.Steps {
		r.Steps[i].Line += first - 1
	}
	for i := range r.Guards {
		r.Guards[i].Line += first - 1
	}
	for i := range r.Unread {
		r.Unread[i].Line += first - 1
	}
	if rest != 0 {
		r.Steps = append(r.Steps, Step{Line: rest + first - 1, Text: "Follow the rest of the text, which is too long to be read as steps.", Sentence: "Follow the rest of the text, which is too long to be read as steps.", Kind: Other})
	}
	return r
}

// doubtMore makes doubts of guards: a text that tells no procedure has more sentences that only look as if they forbade something.
func (r *Reading) doubtMore() {
	var sure []Guard
	for _, g := range r.Guards {
		if g.sure >= forbidding+elsewhere {
			sure = append(sure, g)
		} else {
			r.Unread = append(r.Unread, Doubt{Line: g.Line, Text: g.Text, acts: g.Deny, sure: g.sure})
		}
	}
	r.Guards = sure
	r.Unread = slices.DeleteFunc(r.Unread, func(d Doubt) bool { return d.sure < namedThere })
	slices.SortStableFunc(r.Unread, func(a, b Doubt) int { return cmp.Compare(a.Line, b.Line) })
}

// candidates reads what a text forbids, and gives the clauses that may be steps, in order: those of the sentences before end, where there are too many.
func (r *Reading) candidates(text string, m *model) (out []Step, end int) {
	end = maxSentences
	code, docs := tally(strings.ToLower(text))
	r.papers = code < docs && !strings.Contains(text, "`")
	for at, s := range short(sentences(text, &r.measure)) {
		s.place = at
		r.measure.lineOf = append(r.measure.lineOf, s.line)
		guards, doubt, doubtful := guardsOf(&s, m)
		if len(out) >= maxClauses || len(r.Guards)+len(guards) > maxGuards || doubtful && len(r.Unread) == maxGuards {
			end = min(end, at)
		}
		switch {
		case len(guards) > 0:
			r.Guards = append(r.Guards, guards[:min(len(guards), maxGuards-len(r.Guards))]...)
			if s.orders == "" {
				continue
			}
			s.text = s.orders
		case doubtful && len(r.Unread) < maxGuards:
			r.Unread = append(r.Unread, doubt)
		}
		if at < end {
			out = append(out, clausesOf(s)...)
		}
	}
	return out, min(end, len(r.measure.lineOf))
}

// short cuts sentences that are too long between words.
func short(all []sentence) (out []sentence) {
	for _, s := range all {
		for len(s.text) > maxSentence {
			head := s
			at := strings.LastIndexByte(s.text[:maxSentence], ' ')
			if at <= 0 {
				at = strings.LastIndexFunc(s.text[:maxSentence], func(r rune) bool { return r != utf8.RuneError })
			}
			if at <= 0 {
				at = maxSentence
			}
			head.text, s.text = s.text[:at], strings.TrimSpace(s.text[at:])
			out = append(out, head)
		}
		out = append(out, s)
	}
	return out
}

// repeats is a step that does what the one before does.
var repeats = lazyregexp.New(`(?i)^(?:do (?:the same|likewise|so) (?:for|with|on)|repeat (?:it |this )?(?:with|for|on) (?:one|each|every|the other|all other|other|different))\b`)

// tally counts the words of code and of documents.
func tally(low string) (code, docs int) {
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !(r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
		switch {
		case codeWords()[w]:
			code++
		case docWords()[w] && w != "file" && w != "files" && w != "source":
			docs++
		}
	}
	return code, docs
}

func mentions(low string, set map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !(r == '-' || r >= 'a' && r <= 'z') }) {
		if set[w] {
			return true
		}
	}
	return false
}

// withoutTitles leaves out titles of steps below which a step stands: it says what is to be done. What only may be a title, and orders something of its own, stays.
func withoutTitles(steps []Step) (out []Step) {
	for i, st := range steps {
		said := false
		own := st.topic && st.orders && (st.Kind != Other || strings.Contains(st.Text, " ") && startsWithVerb2(st.Text))
		for j := i + 1; st.heading && j < len(steps) && !steps[j].heading; j++ {
			said = said || steps[j].Kind == st.Kind || !own && (st.Kind == Other || steps[j].Kind != Approve && steps[j].Kind != Stop && steps[j].Kind != Other)
		}
		if !said {
			out = append(out, st)
		}
	}
	return out
}
