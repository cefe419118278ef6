package procedure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Doubt is a sentence that may forbid something until something else: no guard stands for it.
type Doubt struct {
	Line int    `json:"line"`
	Text string `json:"text"` // the sentence, on one line

	acts []Kind // that it may forbid
	sure float64
}

// Prohibitions are the sentences that forbid something until something else, or may, in order. It is for a text that tells no procedure.
func (r *Reading) Prohibitions() []Doubt {
	out := slices.Clone(r.Unread)
	for _, g := range r.Guards {
		out = append(out, Doubt{Line: g.Line, Text: g.Text})
	}
	slices.SortStableFunc(out, func(a, b Doubt) int { return cmp.Compare(a.Line, b.Line) })
	return slices.CompactFunc(out, func(a, b Doubt) bool { return a.Line == b.Line && a.Text == b.Text })
}

// another begins a further prohibition in a sentence: "no code before the plan is approved, and no merge before the tests are green".
var another = lazyregexp.New(`(?i)(?:[,;] (?:and |or |but )?|[,;]? (?:and|nor|or|but) )(?:no|never|do not|don't|nothing|nobody|neither)\b`)

// guardsOf reads the prohibitions of a sentence, of each part where all of them are prohibitions, or a doubt about it.
func guardsOf(s *sentence, m *model) (out []Guard, d Doubt, doubtful bool) {
	s.orders = ""
	if strings.HasSuffix(s.text, "?") {
		return nil, d, false
	}
	if cuts := another.Get().FindAllStringIndex(s.text, 8); cuts != nil {
		start := 0
		for _, c := range append(cuts, []int{len(s.text), 0}) {
			if part := strings.TrimLeft(s.text[start:c[0]], ",; "); negated.MatchString(part) && tied.MatchString(part) {
				if sure := m.forbids(part); sure >= forbidding {
					out = append(out, guardOf(s, part, sure, m))
				}
			}
			start = c[0]
		}
		if len(out) > 1 {
			return out, d, false
		}
	}
	sure := m.forbids(s.text)
	if sure < mayForbid {
		return nil, d, false
	}
	g := guardOf(s, s.text, sure, m)
	if g.sure < forbidding {
		m.choose(&g, newNearness(nil))
		return nil, Doubt{Line: s.line, Text: s.text, acts: g.Deny, sure: g.sure}, true
	}
	s.orders = ordersOf(g.Act, s.text, m)
	return []Guard{g}, d, false
}

// guardOf reads a prohibition, which may be a part of a sentence.
func guardOf(s *sentence, text string, sure float64, m *model) Guard {
	g := m.read(strings.TrimRight(text, " .!"))
	g.Line, g.Text, g.at, g.sure = s.line, s.text, s.place, sure
	g.denyNumbers, g.untilNumbers = numbersIn(stepForm, g.Act), numbersIn(stepForm, g.cond)
	if g.untilNumbers == nil {
		g.untilNumbers = numbersIn(bareStep, g.cond)
	}
	return g
}

// ordersOf is what a sentence orders besides what it forbids: what stands in front of that, or the act itself ("Only when the tests pass, commit").
func ordersOf(act, text string, m *model) string {
	for _, c := range clauseEnd.Get().FindAllStringIndex(text, 8) {
		if head := text[:c[0]]; startsWithVerb(head) && m.forbids(head) < mayForbid && m.forbids(text[c[1]:]) >= forbidding {
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

// named gives the kinds of the steps before a guard that its condition names without a number: "both searches came back empty", "until then"; nil: it names none.
// before is the guard before it, or nil.
func (r *Reading) named(g, before *Guard) (out []Kind) {
	var is func(i int) bool
	last := slices.IndexFunc(r.Steps, func(st Step) bool { return st.at >= g.at })
	if last < 0 {
		last = len(r.Steps)
	}
	switch last--; {
	case searchForm.MatchString(g.cond):
		is = func(i int) bool {
			return slices.Contains([]Kind{SearchDocs, SearchCode, Callers}, r.Steps[i].Kind)
		}
	case !thenForm.MatchString(g.cond):
		return nil
	case before != nil && (last < 0 || before.at >= r.Steps[last].at):
		return before.Until
	default:
		is = func(i int) bool { return i == last }
	}
	for i := range last + 1 {
		if is(i) && r.Steps[i].Kind != Other && r.Steps[i].Kind != Stop {
			out = append(out, r.Steps[i].Kind)
		}
	}
	return distinct(out)
}

func distinct(kinds []Kind) []Kind {
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// resolve puts the kinds of the steps that guards name in, now that they are known, and leaves out guards that say the same.
func (r *Reading) resolve(m *model) {
	numbered := func(numbers []int) (out []Kind) {
		for _, st := range r.Steps {
			if st.number > 0 && slices.Contains(numbers, st.number) && st.Kind != Other && st.Kind != Stop {
				out = append(out, st.Kind)
			}
		}
		return distinct(out)
	}
	var out []Guard
	var before *Guard
	near := newNearness(r.Steps)
	for i := range r.Guards {
		g := &r.Guards[i]
		m.choose(g, near)
		if k := numbered(g.denyNumbers); k != nil {
			g.Deny = k
		}
		if k := numbered(g.untilNumbers); k != nil {
			g.Until = k
		} else if k := r.named(g, before); k != nil {
			g.Until = k
		}
		before = g
		if !slices.ContainsFunc(out, func(o Guard) bool {
			return o.Line == g.Line && o.Text == g.Text && slices.Equal(o.Deny, g.Deny) && slices.Equal(o.Until, g.Until)
		}) {
			out = append(out, *g)
		}
	}
	r.Guards = out
}
