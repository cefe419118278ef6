package procedure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/bayes"
)

// They were chosen by leaving authors out (TestQualityLabelled, TestQualityBans).
const (
	forbidding = 0.6  // probability from which on a sentence of a procedure forbids,
	mayForbid  = 0.5  // from which on a person is asked,
	elsewhere  = 0.25 // what a sentence must be surer of, to forbid in a text that tells no procedure,
	namedThere = 0.65 // and from which on it is in doubt there
	alsoKind   = 0.5  // probability from which on a kind is believed beside a likelier one,
	ofPart     = 0.55 // and that of a part of several that are joined by "and"
	ofSteps    = 1.6  // weight of the words that a part shares with a step
	maxPivots  = 24   // places at which a sentence is cut on trial
)

// isGuard is the class of a sentence that forbids something until something else.
const isGuard = "guard"

// oneGate leaves a plan out that is approved: the approval is the gate.
func oneGate(until []Kind) []Kind {
	if slices.Contains(until, Approve) {
		return slices.DeleteFunc(until, func(k Kind) bool { return k == Plan })
	}
	return until
}

// What the form of a sentence tells: whether it begins with a negation, has a word that ties a condition to an act, or "only" with one, and a negation beside its verb.
var (
	negated  = lazyregexp.New(`(?i)^(?:[\w-]+: )?(?:please |and |but )?(?:do not|don't|never|no|nothing|nobody|no one|not|none|neither|\w+ (?:no|nothing)|you (?:must|may|shall|should|can)(?: not|not|n't)|under no|on no)\b`)
	tied     = lazyregexp.New(`(?i)\b(?:before|until|till|unless|without|prior to|ahead of|pending|while|as long as|fewer than|less than)\b`)
	onlyTied = lazyregexp.New(`(?i)\bonly (?:once|after|when|if|with)\b`)
	required = lazyregexp.New(`(?i)\b(?:must|has to|have to|shall|needs?|requires?|required|(?:is|are) to be|presupposes?|precondition|prerequisite|condition)\b|^no [\w ]+[,:–-]+ ?no `)
	denied   = lazyregexp.New(`(?i)\b(?:must|may|shall|should|can|is|are|does|do|will)(?: not| never|n't|not)\b`)
)

// sentenceTerms are the words of a sentence and its form, which counts for five words (ofSentence).
func sentenceTerms(text string) []string {
	form := fmt.Sprintf("#%t%t%t%t%t", negated.MatchString(text), tied.MatchString(text), onlyTied.MatchString(text), denied.MatchString(text), required.MatchString(text))
	return append(kindTerms(text), form, form+"2", form+"3", form+"4", form+"5")
}

// partTerms are the words of a part, and what the lexicon knows of them: twice, so that all of their evidence counts (independent).
func partTerms(text string) []string {
	out := kindTerms(text)
	add := func(t string) {
		if !slices.Contains(out, t) {
			out = append(out, t, t+"2")
		}
	}
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		w = strings.Trim(w, ",.:;()\"'`")
		if k := verbs()[base(w)]; k != "" && k != Other {
			add("#" + string(k))
		}
		for _, c := range wordClasses {
			if c.words()[w] {
				add("#w:" + c.name)
			}
		}
	}
	return out
}

var wordClasses = []struct {
	name  string
	words func() map[string]bool
}{{"document", docWords}, {"code", codeWords}, {"plan", planWords}, {"person", personWords}, {"text", texts}, {"program", programs}, {"ware", wares}}

// pivot is where a part of a sentence may begin.
var pivot = lazyregexp.New(`(?i)(?:[,;:(]|\s[-–—])\s|\s(?:before|until|till?|unless|without|pending|once|only|while|whilst|prior|ahead|w/o|requires?|required|needs?|after|post|when|if|with|waits?|blocked|depends|first|no|may|can|shall|should|will|whose|which|that|for|on|from|in|is|are|as|nor|lacking|against|behind|than|precedes|follows|comes?|and|so|then)\s`)

// split cuts a sentence into what is forbidden and what lifts that, where its halves are most likely these. One that cannot be cut is both.
func (m *model) split(text string) (act, condition string, behind bool) {
	best := math.Inf(-1)
	act, condition = text, text
	for _, at := range pivot.Get().FindAllStringIndex(text, maxPivots) {
		left, right := strings.Trim(text[:at[0]], " ,;:-–—("), strings.Trim(text[at[0]:], " ,;:-–—(")
		if left == "" || right == "" {
			continue
		}
		l, r := m.roles.Of(kindTerms(left)), m.roles.Of(kindTerms(right))
		if p := math.Log(l[0]) + math.Log(r[1]); p > best { // the classes are sorted: act, condition
			best, act, condition, behind = p, left, right, false
		}
		if p := math.Log(l[1]) + math.Log(r[0]); p > best {
			best, act, condition, behind = p, right, left, true
		}
	}
	return act, condition, behind
}

// forbids gives how probable it is that a sentence forbids something until something else.
func (m *model) forbids(text string) float64 {
	at, ok := slices.BinarySearch(m.sentences.Classes, isGuard)
	if !ok || !mayBan(text) {
		return 0
	}
	return m.sentences.Of(sentenceTerms(text))[at]
}

// read tells what a sentence forbids that forbids something, and what lifts that. Of which kinds these are tells choose.
func (m *model) read(text string) Guard {
	act, condition, _ := m.split(text)
	return Guard{Act: act, cond: untied(condition)}
}

// choose decides the kinds of what is forbidden and of what lifts that: by their words, and by those that they share with a step of another line.
func (m *model) choose(g *Guard, near *nearness) {
	near.line = g.Line
	g.Deny, g.Until = kindsJoined(m.acts, g.Act, near), oneGate(kindsJoined(m.lifts, g.cond, near))
}

// A nearness tells how near a text is to steps: by the stems that they share, rare ones more than others.
type nearness struct {
	line  int // on which the text stands: the steps there do not count
	steps []Step
	stems []map[string]bool
	with  map[string]float64 // steps with a stem
}

func newNearness(steps []Step) *nearness {
	n := &nearness{steps: steps, with: map[string]float64{}}
	for _, st := range steps {
		all := stems(st.Text)
		for w := range all {
			n.with[w]++
		}
		n.stems = append(n.stems, all)
	}
	return n
}

// of gives how near the nearest step of each kind is: each shared stem counts as one over the steps that have it.
func (n *nearness) of(text string) map[Kind]float64 {
	wanted, out := stems(text), map[Kind]float64{}
	for i, st := range n.steps {
		if st.Line == n.line {
			continue
		}
		sum := 0.0
		for w := range n.stems[i] {
			if wanted[w] {
				sum += 1 / n.with[w]
			}
		}
		out[st.Kind] = max(out[st.Kind], sum)
	}
	return out
}

// probable gives how probable each kind is for a part of a sentence.
func probable(m *bayes.Linear, text string, near *nearness) []float64 {
	p, of, sum := m.Of(partTerms(text)), near.of(text), 0.0
	for i, c := range m.Classes {
		p[i] *= math.Exp(ofSteps * of[Kind(c)])
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// tie ties a condition to an act.
var tie = lazyregexp.New(`(?i)^(?:(?:and|but|only|as|on|not|before|until|till?|unless|without|pending|once|while|whilst|as long as|so long as|prior to|ahead of|after|when|if)\s+)+`)

func untied(condition string) string { return tie.Get().ReplaceAllString(condition, "") }

// likeliest are the most likely kind, and another that is nearly as likely.
func likeliest(m *bayes.Linear, text string, near *nearness) (out []Kind) {
	p := probable(m, text, near)
	for i, c := range m.Classes {
		if p[i] == slices.Max(p) || p[i] > alsoKind {
			out = append(out, Kind(c))
		}
	}
	return out
}

var joined = lazyregexp.New(`(?i),? (?:and|or|nor|plus|as well as|&|\+) |, `)

// kindsJoined are the kinds of the parts of a text, where at least two of them tell theirs surely; else those of all of it.
func kindsJoined(m *bayes.Linear, text string, near *nearness) (out []Kind) {
	if parts := joined.Get().Split(text, 4); len(parts) > 1 {
		for _, part := range parts {
			if p := probable(m, untied(part), near); slices.Max(p) >= ofPart {
				out = append(out, Kind(m.Classes[slices.Index(p, slices.Max(p))]))
			}
		}
	}
	if len(out) < 2 {
		return likeliest(m, text, near)
	}
	return distinct(out)
}

// signs are parts of words without one of which nothing is forbidden until something: most sentences have none, and are read quickly.
var signs = []string{" no ", " not ", "n't", "never", "nothing", "nobody", "none ", "neither", " nor ", "until", "till ", "before", "unless", "without", "w/o", "fewer", "only", "wait", "long as", "while", "whilst", "prior", "ahead of", "pending", "absent", "except", "if ", "after", "once", "need", "requir", "presuppos", "depend",
	"hinge", "blocked", "gated", "held", "locked", "subject to", "must", "condition", "prerequisite", "preced", "mandatory", " first", "object", " un", "off", "post ", "stays", "remains", "hold", "hands", "contingent", "frozen", "forbidden", "prohibited"}

// mayBan reports one of the signs.
func mayBan(text string) bool {
	low := " " + strings.ToLower(text) + " "
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(low, sign) })
}
