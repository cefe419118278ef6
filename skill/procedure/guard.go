package procedure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// What a sentence has that may forbid; for sentences beside the procedure.
var (
	forbids  = lazyregexp.New(`(?i)\b(?:do not|don't|never|must not|may not|cannot|can't|should not|shall not|not|no|nobody|nothing|no one|forbidden|off limits|prohibited|hands off|refrain)\b`)
	onlyForm = lazyregexp.New(`(?i)\bonly (?:once|after|when|if|then|with|on)\b|\b(?:must|has to|have to|needs? to) wait\b|\bprecondition\b|\bprerequisite\b`)
)

// another begins a further prohibition in a sentence: "no code before the plan is approved, and no merge before the tests are green".
var another = lazyregexp.New(`(?i)(?:[,;] (?:and |or |but )?|[,;]? (?:and|nor|or|but) )(?:no|never|do not|don't|nothing|nobody|neither)\b`)

// guardsOf reads the prohibitions of a sentence: of each part, where all of them are prohibitions, or of the whole.
func (r *Reading) guardsOf(s *sentence) (out []Guard) {
	if cuts := another.Get().FindAllStringIndex(s.text, 8); len(cuts) > 0 {
		start := 0
		for _, c := range append(cuts, []int{len(s.text), 0}) {
			part := sentence{line: s.line, text: strings.TrimLeft(s.text[start:c[0]], ",; ")}
			if g, ok := r.guardOf(&part); ok {
				g.Text = s.text
				out = append(out, g)
			}
			start = c[0]
		}
		if len(out) > 1 {
			return out
		}
	}
	if m := second.FindStringSubmatchIndex(s.text); m != nil && startsWithVerb(s.text[m[4]:]) {
		first, rest := sentence{line: s.line, text: s.text[:m[3]]}, sentence{line: s.line, text: "do not " + s.text[m[4]:]}
		a, ok1 := r.guardOf(&first)
		b, ok2 := r.guardOf(&rest)
		if ok1 && ok2 {
			a.Text, b.Text = s.text, s.text
			return []Guard{a, b}
		}
	}
	if g, ok := r.guardOf(s); ok {
		return []Guard{g}
	}
	return nil
}

// second is a further act below one negation: "do not edit before the plan is approved, or deploy before the tests are green".
var second = lazyregexp.New(`(?i)^(.*? (?:before|until|unless|without) .*?)(?:,? (?:and|or|nor) |, )(\w+(?: \S+){0,6}? (?:before|until|unless|without) .*)$`)

// guardOf reads a prohibition with what lifts it.
func (r *Reading) guardOf(s *sentence) (Guard, bool) {
	if s.orders = ""; strings.HasSuffix(s.text, "?") {
		return Guard{}, false
	}
	b, ok := banOf(strings.TrimRight(s.text, " .!"))
	if !ok {
		return Guard{}, false
	}
	s.ban = &b
	g := Guard{Line: s.line, Text: s.text, Act: strings.TrimSpace(b.who + " " + b.act)}
	g.Deny, g.weak = denied(&b)
	g.cond = b.cond
	g.denyNumbers, g.untilNumbers = numbersIn(stepForm, g.Act), numbersIn(stepForm, b.cond)
	if slices.Equal(g.Deny, []Kind{Other}) && g.denyNumbers == nil && (b.alone && !slices.Contains([]string{"only once", "only after"}, b.joint) || strings.HasPrefix(b.joint, "if ") || strings.HasSuffix(b.joint, "long as") || b.joint == "while" || strings.Contains(strings.ToLower(s.text), "cannot") || strings.Contains(strings.ToLower(s.text), "can't")) {
		return Guard{}, false // "if it cannot be found, do not guess", "you cannot see it before it has run"
	}
	if g.untilNumbers == nil {
		g.untilNumbers = numbersIn(bareStep, b.cond)
	}
	named := len(g.untilNumbers) > 0
	if named {
		if g.Until = b.until(); len(g.Until) == 0 {
			g.Until = []Kind{Check} // unless the steps are found (resolve)
		}
	} else if g.untilSteps = r.named(b.cond); g.untilSteps == nil {
		if thenForm.MatchString(b.cond) && len(r.Guards) > 0 {
			g.Until = slices.Clone(r.Guards[len(r.Guards)-1].Until)
		} else {
			g.Until = b.until()
		}
	}
	if slices.Equal(g.Deny, []Kind{Other}) && b.tells && slices.Contains([]string{"after", "when", "once", "if"}, b.joint) && !named && !slices.Contains(g.Until, Approve) {
		return Guard{}, false // "the cache is only filled after the first request"
	}
	if slices.Equal(g.Deny, []Kind{Other}) && !named && g.untilSteps == nil && len(gates(b.cond, false)) == 0 && !thenForm.MatchString(b.cond) {
		return Guard{}, false // neither is known
	}
	if len(g.denyNumbers) > 0 && len(g.Deny) == 0 {
		g.Deny = []Kind{Other}
	}
	if len(g.Deny) == 0 || len(g.Until)+len(g.untilSteps) == 0 {
		return Guard{}, false
	}
	if i := slices.Index(g.Until, SearchDocs); i >= 0 && refs.MatchString(b.cond) && mentions(strings.ToLower(g.Act), entities()) {
		g.Until[i] = Callers
	}
	s.orders = b.orders
	return g, true
}

// refs are those of code where the act is about an entity of code.
var (
	refs     = lazyregexp.New(`(?i)\b(?:references|uses)\b`)
	entities = words(`symbol symbols function functions method methods class classes type types constant variable signature interface`)
)

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
func (r *Reading) named(cond string) (out []int) {
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
			out = append(out, i)
		}
	}
	return out
}

// resolve puts the kinds of the steps that guards name in, now that they are known, and leaves out guards that say the same.
func (r *Reading) resolve(numbers []int) {
	kinds := func(written, named []int, known []Kind) []Kind {
		for i, n := range numbers {
			if n > 0 && slices.Contains(written, n) && r.Steps[i].Kind != Other && r.Steps[i].Kind != Stop {
				named = append(named, i)
			}
		}
		if len(named) > 0 {
			known = nil
		}
		for _, i := range named {
			known = append(known, r.Steps[i].Kind)
		}
		slices.Sort(known)
		return slices.Compact(known)
	}
	var out []Guard
	for _, g := range r.Guards {
		if g.weak && r.papers {
			g.Deny = slices.Clone(g.Deny)
			for i, k := range g.Deny {
				if k == Write {
					g.Deny[i] = Other
				}
			}
		}
		g.Deny, g.Until = kinds(g.denyNumbers, nil, g.Deny), kinds(g.untilNumbers, g.untilSteps, g.Until)
		if k := r.brings(&g); len(g.untilNumbers)+len(g.untilSteps) == 0 && len(g.Until) == 1 && k != "" {
			g.Until[0] = k
		}
		if !slices.ContainsFunc(out, func(o Guard) bool {
			return o.Line == g.Line && slices.Equal(o.Deny, g.Deny) && slices.Equal(o.Until, g.Until)
		}) {
			out = append(out, g)
		}
	}
	r.Guards = out
}

var itIsDone = lazyregexp.New(`(?i)^(?:it|they|this|that|these) (?:is|are|was|were|has been|have been) (?:all )?(\w+)$`)

// brings gives the kind of the step that brings a condition about, by its verb and a word more ("the identity has been confirmed": "Confirm the identity"), or "".
func (r *Reading) brings(g *Guard) Kind {
	if m := itIsDone.FindStringSubmatch(g.cond); m != nil { // "until it is written": what was written last
		for _, st := range slices.Backward(r.Steps) {
			if verb, _, _ := verbOf(st.Text); st.Line <= g.Line && verb != "" && verb == base(strings.ToLower(m[1])) && st.Kind != Other {
				return st.Kind
			}
		}
	}
	wanted := stems(g.cond)
	for _, st := range r.Steps {
		verb, _, ok := verbOf(st.Text)
		if has := stems(st.Text); (!ok || wanted[verb]) && shared(wanted, has) > 1 && st.Kind != Other && st.Kind != Stop && st.Kind != Write && st.Kind != Answer {
			return st.Kind
		}
	}
	return ""
}
