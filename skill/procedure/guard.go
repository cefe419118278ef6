package procedure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// another begins a further prohibition in a sentence: "no code before the plan is approved, and no merge before the tests are green".
var another = lazyregexp.New(`(?i)(?:[,;] (?:and |or |but )?|[,;]? (?:and|nor|or|but) )(?:no|never|do not|don't|nothing|nobody|neither)\b`)

// guardsOf reads the prohibitions of a sentence, of each part where all of them are prohibitions, or a doubt about it.
func (r *Reading) guardsOf(s *sentence, bans *banModel) (out []Guard, d Doubt, doubtful bool) {
	s.orders = ""
	if strings.HasSuffix(s.text, "?") {
		return nil, d, false
	}
	if cuts := another.Get().FindAllStringIndex(s.text, 8); cuts != nil {
		start := 0
		for _, c := range append(cuts, []int{len(s.text), 0}) {
			if part := strings.TrimLeft(s.text[start:c[0]], ",; "); negated.MatchString(part) && tied.MatchString(part) && bans.forbids(part) >= forbidding {
				out = append(out, r.guardOf(s, part, bans))
			}
			start = c[0]
		}
		if len(out) > 1 {
			return out, d, false
		}
	}
	p := bans.forbids(s.text)
	if p < mayForbid {
		return nil, d, false
	}
	g := r.guardOf(s, s.text, bans)
	if p < forbidding {
		return nil, Doubt{Line: s.line, Text: s.text, acts: g.Deny}, true
	}
	s.orders = ordersOf(g.Act, s.text, bans)
	return []Guard{g}, d, false
}

// guardOf reads a prohibition, which may be a part of a sentence.
func (r *Reading) guardOf(s *sentence, text string, bans *banModel) Guard {
	g := bans.read(strings.TrimRight(text, " .!"))
	g.Line, g.Text = s.line, s.text
	g.denyNumbers, g.untilNumbers = numbersIn(stepForm, g.Act), numbersIn(stepForm, g.cond)
	if g.untilNumbers == nil {
		g.untilNumbers = numbersIn(bareStep, g.cond)
	}
	if g.untilNumbers == nil {
		g.untilSteps = r.named(g.cond)
	}
	if n := len(r.Guards); g.untilSteps == nil && n > 0 && thenForm.MatchString(g.cond) {
		g.Until = slices.Clone(r.Guards[n-1].Until)
	}
	return g
}

// ordersOf is what a sentence orders besides what it forbids: what stands in front of that, or the act itself ("Only when the tests pass, commit").
func ordersOf(act, text string, bans *banModel) string {
	for _, c := range clauseEnd.Get().FindAllStringIndex(text, 8) {
		if head := text[:c[0]]; startsWithVerb(head) && bans.forbids(head) < mayForbid && bans.forbids(text[c[1]:]) >= forbidding {
			return head
		}
	}
	if startsWithVerb(act) && onlyTied.MatchString(text) {
		return act
	}
	return ""
}

var clauseEnd = lazyregexp.New(`(?:[,;:]|\s[-–—])\s(?:and |but |so )?`)

var (
	thenForm   = lazyregexp.New(`(?i)^(?:(?:you|we|i) (?:have|got) )?(?:it|one|that|them)$|^there (?:is|are) (?:one|some)$|^(?:then|that|this|such time|that point|both|all (?:that|this|of this|of these))\b(?: (?:has|have|is|are)\b.*)?$`)
	stepForm   = lazyregexp.New(`(?i)\b(?:steps?|phases?|stages?|items?|points?|comparison) ` + stepNumbers)
	bareStep   = lazyregexp.New(`^(?:[a-z]+ )?` + stepNumbers + ` (?:is|are|has|have|was|were|fails?|failed|pass(?:es|ed)?)\b`) // "8 is through"
	numberForm = lazyregexp.New(`(?i)(to|through|until|-|–)?\s*\(?(\d{1,3})`)
	searchForm = lazyregexp.New(`(?i)\b(?:(?:both|all|the|two|three) )?search(?:es)? (?:has|have|is|are|was|were|came|come|comes|gives?|gave|brings?|brought)\b`)
)

const stepNumbers = `(\(?\d{1,3}\)?(?:(?:\s*,\s*|\s*(?:to|through|until|and|or|-|–)\s*)\(?\d{1,3}\b\)?)*)`

// numbersIn are those of the steps that a text names: "steps 1 to 3 and 5".
func numbersIn(form *lazyregexp.Regexp, text string) (out []int) {
	m := form.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	for _, one := range numberForm.Get().FindAllStringSubmatch(m[1], 20) {
		n, _ := strconv.Atoi(one[2])
		if k := len(out); one[1] != "" && k > 0 {
			for i := out[k-1] + 1; i < n; i++ {
				out = append(out, i)
			}
		}
		out = append(out, n)
	}
	return out
}

// named gives the steps that a condition names without a number: "both searches came back empty", "until then"; nil: it names none.
func (r *Reading) named(cond string) (out []place) {
	var is func(i int) bool
	switch {
	case searchForm.MatchString(cond):
		is = func(i int) bool {
			return slices.Contains([]Kind{SearchDocs, SearchCode, Callers}, r.Steps[i].Kind)
		}
	case thenForm.MatchString(cond):
		if n := len(r.Guards); n > 0 && len(r.Steps) > 0 && r.Guards[n-1].Line >= r.Steps[len(r.Steps)-1].Line {
			return nil
		}
		is = func(i int) bool { return i == len(r.Steps)-1 }
	default:
		return nil
	}
	for i, st := range r.Steps {
		if is(i) && st.Kind != Other && st.Kind != Stop {
			out = append(out, st.place())
		}
	}
	return out
}

// resolve puts the kinds of the steps that guards name in, now that they are known, and leaves out guards that say the same.
func (r *Reading) resolve() {
	kinds := func(numbers []int, places []place, known []Kind) []Kind {
		var named []Kind
		for _, st := range r.Steps {
			if (st.number > 0 && slices.Contains(numbers, st.number) || slices.Contains(places, st.place())) && st.Kind != Other && st.Kind != Stop {
				named = append(named, st.Kind)
			}
		}
		if len(named) == 0 {
			return known
		}
		slices.Sort(named)
		return slices.Compact(named)
	}
	var out []Guard
	for _, g := range r.Guards {
		g.Deny, g.Until = kinds(g.denyNumbers, nil, g.Deny), kinds(g.untilNumbers, g.untilSteps, g.Until)
		if k := r.like(g.Act, g.Line, Approve); len(g.denyNumbers) == 0 && len(g.Deny) == 1 && k != "" {
			g.Deny = []Kind{k}
		}
		if k := r.like(g.cond, g.Line, Write, Answer); len(g.untilNumbers)+len(g.untilSteps) == 0 && len(g.Until) == 1 && k != "" {
			g.Until = []Kind{k}
		}
		if !slices.ContainsFunc(out, func(o Guard) bool {
			return o.Line == g.Line && slices.Equal(o.Deny, g.Deny) && slices.Equal(o.Until, g.Until)
		}) {
			out = append(out, g)
		}
	}
	r.Guards = out
}

// like gives the kind of the step of another line whose words are most like a text's, two at least ("the identity has been confirmed": "Confirm the identity"), or "".
func (r *Reading) like(text string, line int, but ...Kind) (kind Kind) {
	wanted, most := stems(text), 1
	for _, st := range r.Steps {
		if n := shared(wanted, stems(st.Text)); n > most && st.Kind != Stop && !slices.Contains(but, st.Kind) && st.Line != line {
			kind, most = st.Kind, n
		}
	}
	return kind
}
