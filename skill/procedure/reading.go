package procedure

import (
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/bayes"
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

	made  bool   // it writes a text, which is the answer only if nothing comes after it
	weak  bool   // its kind holds at the end of a text alone (settle)
	title string // of its section
	origin
}

// An origin is where a clause stands.
type origin struct {
	at, index, of                        int  // its sentence in the text, its place there, and the clauses there
	number                               int  // of the item or title, as written; 0: none
	listed, item, heading, ordered, asks bool // as its sentence is
}

// A place is where a clause stands: its sentence in the text, its place there.
type place struct{ at, index int }

func (o *origin) place() place { return place{o.at, o.index} }

// A Guard is a prohibition: what is not to be done until something has been.
type Guard struct {
	Line  int
	Text  string // the sentence, on one line
	Act   string // what is not to be done, as written
	Deny  []Kind // each once
	Until []Kind // each once; never empty

	cond                      string  // what lifts it, as written
	denyNumbers, untilNumbers []int   // of steps that the sentence names: their kinds are known at the end (resolve)
	untilSteps                []place // of those that it names otherwise: "until then"
}

// A Reading is what a text tells.
type Reading struct {
	Steps  []Step
	Guards []Guard
	Unread []Doubt // in order

	papers  bool   // the text is about documents more than about code
	open    []Step // clauses that the rules read no order in
	measure measure
}

// What a text may have at most; the rest of it is one step for a model or a person.
const (
	maxText      = 1 << 18 // bytes
	maxSentences = 2000
	maxSentence  = 2000 // bytes
	maxSteps     = 120
	maxGuards    = 40
)

// Read reads a Markdown text that begins on the given line of its file. It never fails: a text without a procedure has no steps. Of a text of more than 256 KB, and of more
// than 120 steps, the rest is one step of kind [Other]; what is forbidden behind the 120th step holds.
func Read(text string, first int) *Reading {
	return readWith(text, first, shippedKinds(), shippedBans())
}

// readWith reads with learned kinds, nil: with the rules alone, and learned prohibitions.
func readWith(text string, first int, kinds *bayes.Model, bans *banModel) *Reading {
	r := &Reading{}
	rest := 0
	lists := false // the last step stands in a list
	if len(text) > maxText {
		text = text[:maxText]
		rest = -1
	}
	for at, s := range sentences(text, &r.measure) {
		if len(s.text) > maxSentence {
			s.text = s.text[:maxSentence]
		}
		if rest <= 0 {
			r.measure.sentences++
		}
		guards, doubt, doubtful := r.guardsOf(&s, bans)
		if len(guards) > 0 {
			for _, g := range guards {
				if len(r.Guards) < maxGuards {
					r.Guards = append(r.Guards, g)
				}
			}
			if s.orders == "" && rest <= 0 {
				r.measure.telling++
				continue
			}
			s.text = s.orders
		} else if doubtful && len(r.Unread) < maxGuards {
			r.Unread = append(r.Unread, doubt)
		}
		if rest > 0 {
			continue // what is forbidden behind the last step holds, too
		}
		s.place = at
		steps, more := stepsOf(s)
		if len(r.open) < maxSteps {
			r.open = append(r.open, more...)
		}
		if len(steps) > 0 {
			r.measure.telling++
		}
		for _, st := range steps {
			if s.ordered || sequence.MatchString(s.text) {
				r.measure.ordered++
			}
			if len(r.Steps) == maxSteps {
				rest = s.line
				break
			}
			if st.Kind == Check && st.weak && (len(r.Steps) == 0 || lists) {
				continue // a remark before or after the procedure
			}
			if n := len(r.Steps); repeats.MatchString(st.Text) && n > 0 {
				st.Kind, st.Loop = r.Steps[n-1].Kind, true
			}
			if n := len(r.Steps); n > 0 && st.Kind == Approve && r.Steps[n-1].Line == st.Line {
				switch before := &r.Steps[n-1]; {
				case before.Kind == Approve && (awaits(st) || !startsWithVerb(st.Text)): // "I look at it. Wait for my OK."
					before.weak = before.weak && st.weak
					continue
				case before.Kind == Answer && (before.Sentence == st.Sentence && (awaits(st) || firstIs(before.Text, "present", "show", "list", "send", "give", "explain")) || shown.MatchString(before.Text) && !startsWithVerb(st.Text)): // "post it on the list and wait for consent"
					before.Kind, before.weak = Approve, false
					continue
				}
			}
			lists = s.listed && !s.heading
			r.Steps = append(r.Steps, st)
		}
	}
	r.settle(text)
	r.Steps = withoutTitles(r.Steps)
	if kinds != nil {
		decide(r, kinds)
	}
	r.resolve()
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
		line := max(rest, 1) + first - 1
		r.Steps = append(r.Steps, Step{Line: line, Text: "Follow the rest of the text, which is too long to be read as steps.", Sentence: "Follow the rest of the text, which is too long to be read as steps.", Kind: Other})
	}
	return r
}

// repeats is a step that does what the one before does.
var repeats = lazyregexp.New(`(?i)^(?:do (?:the same|likewise|so) (?:for|with|on)|repeat (?:it |this )?(?:with|for|on) (?:one|each|every|the other|all other|other|different))\b`)

// awaits reports the second half of an approval, behind what is shown.
func awaits(st Step) bool {
	return firstIs(st.Text, "wait", "await", "get", "obtain", "collect", "seek")
}

// shown is something that is shown for a decision.
var shown = lazyregexp.New(`(?i)^(?:present|show|send|submit|hand|give|post|circulate|put)\b.*\b(?:it|them|plan|design|draft|proposal|outline|concept)\b`)

// withoutTitles leaves out titles of steps below which a step stands: it says what is to be done.
func withoutTitles(steps []Step) (out []Step) {
	for i, st := range steps {
		said := false
		for j := i + 1; st.heading && j < len(steps) && !steps[j].heading; j++ {
			said = said || steps[j].Kind == st.Kind || st.Kind == Other || steps[j].Kind != Approve && steps[j].Kind != Stop && steps[j].Kind != Other
		}
		if !said {
			out = append(out, st)
		}
	}
	return out
}
