package procedure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// The tools that steps call, by their main names.
const (
	toolDocs     = "search_internal"
	toolCode     = "search_entity"
	toolUses     = "references"
	toolRetrieve = "retrieve_entity"
	toolView     = "view_file"
	toolWrite    = "write_file"
)

// Tools returns the tools that a block may call.
func Tools() []string {
	return []string{toolDocs, toolCode, toolUses, toolRetrieve, toolView, toolWrite}
}

// Block returns the workflow of a reading as the lines of a "yaml workflow" block, with a comment above each step that says from which
// sentence it came. It is empty when the text tells no procedure: two of its steps must be understood (or one, and a guard), and three in ten of all; either half of its steps are in an
// order (numbered, below titles such as "Step 2", or with words such as "then") and 45 % of its sentences tell what to do, or it has 15 steps at most and 40 % of its sentences do,
// or it has 30 at most, of four kinds or more, fewer than three of them in an order, and 65 % do; and where
// more than two fifths of its lines are code or tables, three quarters of its steps are in an order. allowed tells which tools may be called (nil: all); a step that would call another is one
// for the model.
//
// Searches are for the input "task". Steps of kind [Run], [Check], [Write] and [Other] are the model's; without one the run goes on and says in its
// outcome that they were not done. What lifts a guard is a gate: that something was found, or the approval of a person, who also confirms
// what no program can see. A person is asked too, before the first thing is written, about a sentence that may forbid something and was not understood.
func (r *Reading) Block(allowed func(tool string) bool) string {
	if !r.isProcedure() {
		return ""
	}
	if allowed == nil {
		allowed = func(string) bool { return true }
	}
	b := &builder{allowed: allowed, used: map[string]int{}}
	for i, st := range r.Steps {
		if i+1 < len(r.Steps) && r.Steps[i+1].Kind == Stop && r.Steps[i+1].at == st.at && (st.Kind == Answer || firstIs(st.Text, "say")) && b.holds(st.Condition) != "" {
			continue // "if nothing is found, say so and stop" is one end
		}
		b.clause = st.Text
		b.step(st)
	}
	b.clause = ""
	if b.answered == "" {
		b.finish()
	}
	for _, g := range r.Guards {
		b.guard(g)
	}
	for _, d := range r.Unread {
		b.doubt(d)
	}
	return b.text()
}

// A part is one step of the block.
type part struct {
	id    string
	kind  Kind
	text  string   // the clause it was read from
	lines []string // without the indentation of the list
	finds bool     // its value has evidence
}

type builder struct {
	allowed  func(string) bool
	used     map[string]int
	clause   string // which becomes steps
	parts    []part
	guards   []string
	answered string // the id of the answer
	asked    string // the last prompt for the model
}

// id gives a name that no other step has.
func (b *builder) id(name string) string {
	b.used[name]++
	if n := b.used[name]; n > 1 {
		return fmt.Sprintf("%s_%d", name, n)
	}
	return name
}

// quote writes a text of the procedure as a YAML string, in which nothing is an expression.
func quote(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "�")
	for strings.Contains(s, "${") {
		s = strings.ReplaceAll(s, "${", "$ {")
	}
	const most = 600
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + " ..."
	}
	return fmt.Sprintf("%q", s)
}

// note is the comment above a step.
func note(line int, sentence string) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(sentence, "�")), " ")
	if r := []rune(s); len(r) > 160 {
		s = string(r[:160]) + " ..."
	}
	return fmt.Sprintf("# line %d: %s", line, s)
}

// LineOf reads the line of the text that a line of a block tells of in a comment, as [Reading.Block] writes it.
func LineOf(line string) (n int, ok bool) {
	head, _, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "# line "), ":")
	n, err := strconv.Atoi(head)
	return n, found && err == nil
}

func (b *builder) add(kind Kind, id string, finds bool, lines ...string) {
	b.parts = append(b.parts, part{id: id, kind: kind, text: b.clause, lines: lines, finds: finds})
}

// evidence are the ids of steps that found something, and of plans.
func (b *builder) evidence() (ids []string) {
	for _, p := range b.parts {
		if p.finds {
			ids = append(ids, p.id)
		}
	}
	return ids
}

// last is the id of the last step of one of the kinds, or "".
func (b *builder) last(kinds ...Kind) string {
	for _, p := range slices.Backward(b.parts) {
		if p.finds && slices.Contains(kinds, p.kind) {
			return p.id
		}
	}
	return ""
}

var (
	nothingFound = lazyregexp.New(`(?i)\b(?:nothing|none|no \w+(?: \w+)?|neither|not (?:in|found)|cannot be found|can't be found)\b|\b(?:is|are|comes? (?:up|back)|came (?:up|back)) empty\b`)
	fewerThan    = lazyregexp.New(`(?i)\b(?:fewer|less) than (\w+)\b`)
	asMany       = lazyregexp.New(`(?i)\b(two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) (?:\w+ ){0,2}?(?:sources?|papers?|documents?|publications?|references|articles?|groups|studies|specifications?)\b`)
	atLeast      = lazyregexp.New(`(?i)\b(?:at least|no fewer than|minimum of) (\w+)(?: \w+){0,2} (?:sources?|papers?|documents?|publications?|references|articles?|groups|studies|specifications?)\b`)
)

// numberOf reads the number of a form in a text; 0: there is none.
func numberOf(form *lazyregexp.Regexp, s string) (n int) {
	m := form.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	if n = slices.Index([]string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}, strings.ToLower(m[1])); n <= 0 {
		if _, err := fmt.Sscanf(m[1], "%d", &n); err != nil || n > 100 {
			return 0
		}
	}
	return n
}

// holds gives the condition of a step as an expression, where it is about what was found; "" otherwise.
func (b *builder) holds(condition string) string {
	found := b.last(SearchDocs, SearchCode, Callers, ReadOne)
	switch low := strings.ToLower(condition); {
	case mentions(low, codeWords()) && b.last(SearchCode, Callers) != "":
		found = b.last(SearchCode, Callers)
	case mentions(low, docWords()) && b.last(SearchDocs) != "":
		found = b.last(SearchDocs)
	}
	switch {
	case condition == "" || found == "":
		return ""
	case numberOf(fewerThan, condition) > 0:
		return fmt.Sprintf("docs(%s) < %d", found, numberOf(fewerThan, condition))
	case nothingFound.MatchString(condition):
		return fmt.Sprintf("len(%s) == 0", found)
	}
	return ""
}

// step puts a step of the reading into the block.
func (b *builder) step(st Step) {
	comment := note(st.Line, st.Sentence)
	when := b.holds(st.Condition)
	head := func(name string) (string, []string) {
		id := b.id(name)
		lines := []string{comment, "id: " + id}
		if when != "" {
			lines = append(lines, "when: "+fmt.Sprintf("%q", when))
		}
		return id, lines
	}
	switch {
	case st.Kind == SearchDocs && b.allowed(toolDocs):
		id, lines := head("documents")
		b.add(st.Kind, id, true, append(lines, `search: {in: docs, for: ["${inputs.task}"], keep: 8}`)...)
		if n := numberOf(atLeast, st.Sentence); n > 0 {
			if st.Loop {
				b.add(Other, b.id("rounds"), false, comment, "id: "+b.latest("rounds"), fmt.Sprintf("loop: {max: 4, until: %q}", fmt.Sprintf("docs(%s) >= %d", id, n)), "steps:",
					fmt.Sprintf(`  - {id: %s, refine: {from: "${%s}", task: "${inputs.task}"}}`, b.id("words"), id),
					fmt.Sprintf(`  - {id: %s, search: {in: docs, for: "${%s}", keep: 12, merge: true}}`, id, b.latest("words")))
			}
			gate := b.id("enough")
			b.add(Check, gate, false, comment, "id: "+gate, fmt.Sprintf("require: docs(%s) >= %d", id, n), "because: "+quote(st.Sentence))
		}
	case st.Kind == SearchCode && b.allowed(toolCode):
		id, lines := head("code")
		b.add(st.Kind, id, true, append(lines, `search: {in: code, for: ["${inputs.task}"], keep: 6}`)...)
	case st.Kind == Callers && b.allowed(toolUses):
		symbol := "len(identifiers(inputs.task)) > 0 ? identifiers(inputs.task)[0] : inputs.task"
		if code := b.last(SearchCode); code != "" {
			symbol = fmt.Sprintf("len(%s) > 0 ? %s[0].id : inputs.task", code, code)
		}
		id, lines := head("uses")
		b.add(st.Kind, id, true, append(lines, "call: "+toolUses, fmt.Sprintf(`args: {symbol: "${%s}"}`, symbol))...)
	case st.Kind == ReadOne && b.last(SearchDocs, SearchCode, Callers) != "" && b.reads(st, head):
	case st.Kind == Plan && len(b.evidence()) > 0:
		id, lines := head("plan")
		b.add(st.Kind, id, true, append(lines, "write: plan", "from: ["+strings.Join(b.evidence(), ", ")+"]", "cite: every_claim", "check: "+quote(st.Sentence), "on_error: continue")...)
	case st.Kind == Approve:
		id, lines := head("approval")
		b.add(st.Kind, id, false, append(lines, b.approval(st.Sentence)...)...)
	case st.Kind == Write && b.allowed(toolWrite) && (st.Condition == "" || when != ""):
		id, lines := head("write")
		b.add(st.Kind, id, false, append(lines, "write: files", "with: ["+toolWrite+"]", "from: ["+strings.Join(b.evidence(), ", ")+"]", "check: "+quote(st.Sentence), "on_error: continue")...)
	case st.Kind == Answer && len(b.evidence()) > 0 && (st.Condition == "" || when != ""):
		id, lines := head("answer")
		if when == "" {
			b.answered = id
		}
		b.add(st.Kind, id, false, append(lines, "synthesize: ["+strings.Join(b.evidence(), ", ")+"]", "verify: quotes", "style: "+quote(st.Sentence))...)
	case st.Kind == Stop && when != "":
		id, lines := head("stop")
		how := "nothing_found"
		if strings.Contains(when, "<") {
			how = "insufficient"
		}
		b.add(st.Kind, id, false, append(lines, "finish: "+how)...)
	default: // for the model; without one the outcome says that it was not done
		prompt := st.Text
		if st.Condition != "" && when == "" {
			prompt = st.Sentence
		}
		if prompt == b.asked {
			return // another clause of a sentence that is asked as a whole
		}
		b.asked = prompt
		id, lines := head("do")
		ask := append(lines, "ask: "+quote(prompt))
		if ids := b.evidence(); len(ids) > 0 {
			ask = append(ask, "from: ["+strings.Join(ids, ", ")+"]")
		}
		b.add(st.Kind, id, false, append(ask, "on_error: continue")...)
	}
}

// latest is the name that id gave last.
func (b *builder) latest(name string) string {
	if n := b.used[name]; n > 1 {
		return fmt.Sprintf("%s_%d", name, n)
	}
	return name
}

// reads opens what was found last.
func (b *builder) reads(st Step, head func(string) (string, []string)) bool {
	switch found := b.last(SearchDocs, SearchCode, Callers); {
	case strings.HasPrefix(found, "documents") && b.allowed(toolView):
		id, lines := head("read")
		b.add(st.Kind, id, true, append(lines, fmt.Sprintf(`each: "${%s}"`, found), "as: "+id+"_at", "max: 3", "steps:",
			fmt.Sprintf(`  - {id: %s_text, call: %s, args: {doc: "${%s_at.doc}", first: "${%s_at.line}", max_lines: 40}}`, id, toolView, id, id))...)
	case strings.HasPrefix(found, "code") && b.allowed(toolRetrieve):
		id, lines := head("read")
		b.add(st.Kind, id, true, append(lines, fmt.Sprintf(`each: "${%s}"`, found), "as: "+id+"_at", "max: 3", "steps:",
			fmt.Sprintf(`  - {id: %s_text, call: %s, args: {id: "${%s_at.id}", view: preview}}`, id, toolRetrieve, id))...)
	case b.allowed(toolRetrieve):
		id, lines := head("read")
		b.add(st.Kind, id, true, append(lines, fmt.Sprintf(`each: "${%s}"`, found), "as: "+id+"_at", "max: 5", "steps:",
			fmt.Sprintf(`  - {id: %s_text, when: '(%s_at.entity ?? "") != ""', call: %s, args: {id: "${%s_at.entity}", view: preview}}`, id, id, toolRetrieve, id))...)
	default:
		return false
	}
	return true
}

// approval are the fields of a step that asks a person: it shows the last plan, or the sentence.
func (b *builder) approval(sentence string) []string {
	if plan := b.last(Plan); plan != "" {
		return []string{`approve: "${` + plan + `}"`, "choices: [approve, revise, stop]", "unattended: stop"}
	}
	return []string{"approve: " + quote(sentence), "choices: [approve, stop]", "unattended: stop"}
}

// question are the fields of a step before the part at i that asks a person something about a sentence: with the last plan, which is what they then approve.
func (b *builder) question(i int, about string) []string {
	ask := quote(about)
	for _, p := range slices.Backward(b.parts[:i]) {
		if p.finds && p.kind == Plan {
			ask = strings.TrimSuffix(ask, `"`) + `\n\n${` + p.id + `}"`
			break
		}
	}
	return []string{"approve: " + ask, "choices: [approve, stop]", "unattended: stop"}
}

// finish adds an answer where the text tells none: what was found is not lost.
func (b *builder) finish() {
	if ids := b.evidence(); len(ids) > 0 {
		b.add(Answer, b.id("answer"), false, "# not in the text: the answer from what was found", "id: "+b.latest("answer"), "synthesize: ["+strings.Join(ids, ", ")+"]", "verify: quotes")
	}
}

// guard puts the gates of a guard before the first step that it denies, and denies the tools that write.
func (b *builder) guard(g Guard) {
	words := stems(g.Act)
	first := func() int {
		if slices.Equal(g.Deny, []Kind{Other}) { // the step that does what is forbidden, by its words
			best, most := -1, 0
			for i, p := range b.parts {
				if n := shared(words, stems(p.text)); n > most {
					best, most = i, n
				}
			}
			if best >= 0 {
				return best
			}
		}
		i := slices.IndexFunc(b.parts, func(p part) bool { return slices.Contains(g.Deny, p.kind) && !strings.HasPrefix(p.id, "confirmed") })
		if i < 0 {
			return len(b.parts)
		}
		return i
	}
	insert := func(i int, p part) { b.parts = slices.Insert(b.parts, i, p) }
	comment := note(g.Line, g.Text)
	var until []string
	for _, kind := range g.Until {
		end := first()
		at := -1
		for i, p := range b.parts[:end] {
			if p.kind == kind && !strings.HasPrefix(p.id, "found") {
				at = i
				break
			}
		}
		switch {
		case kind == Approve && at >= 0:
			until = append(until, "approved."+b.parts[at].id)
		case at >= 0 && b.parts[at].finds && kind != Plan:
			id, holds := b.id("found"), fmt.Sprintf("len(%s) > 0", b.parts[at].id)
			if n := numberOf(asMany, g.Text); n > 0 && kind == SearchDocs {
				holds = fmt.Sprintf("docs(%s) >= %d", b.parts[at].id, n)
			}
			insert(at+1, part{id: id, kind: Other, lines: []string{comment, "id: " + id, "require: " + holds, "because: " + quote(g.Text)}})
			until = append(until, "passed."+id)
		default: // nothing that a program can see: a person says so
			id := b.id("confirmed")
			if at < 0 {
				at = end - 1
			}
			insert(at+1, part{id: id, kind: Approve, lines: append([]string{comment, "id: " + id}, b.question(at+1, "Has this been met? "+g.Text)...)})
			until = append(until, "approved."+id)
		}
	}
	forbidden := first()
	if (slices.Contains(g.Deny, Write) || forbidden < len(b.parts) && b.parts[forbidden].kind == Write) && len(until) > 0 {
		slices.Sort(until)
		b.guards = append(b.guards, comment, fmt.Sprintf("- {deny: [%s], until: %q, because: %s}", toolWrite, strings.Join(slices.Compact(until), " && "), quote(g.Text)))
	}
}

// doubt has a person decide about a sentence that may forbid something, before the first step that writes or does what the sentence names; where there is none, before the answer.
func (b *builder) doubt(d Doubt) {
	first := func(kinds ...Kind) int {
		return slices.IndexFunc(b.parts, func(p part) bool { return slices.Contains(kinds, p.kind) })
	}
	at := first(append(slices.Clip(d.acts), Write)...)
	if at < 0 {
		if at = first(Answer); at < 0 {
			at = len(b.parts)
		}
	}
	id := b.id("confirmed")
	lines := append([]string{note(d.Line, "may forbid something, and is in doubt: "+d.Text), "id: " + id}, b.question(at, "May the run go on? The text says: "+d.Text)...)
	b.parts = slices.Insert(b.parts, at, part{id: id, kind: Approve, lines: lines})
	b.guards = append(b.guards, fmt.Sprintf("- {deny: [%s], until: approved.%s, because: %s}", toolWrite, id, quote(d.Text)))
}

// stems are the words of a text that carry its meaning, without their endings.
func stems(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !(r == '-' || r >= 'a' && r <= 'z') }) {
		switch v := base(w); {
		case len(w) < 3 || ends()[w] || fillers()[w] || moves()[v] || personWords()[w]:
		case v != "":
			out[v] = true
		default:
			out[strings.TrimSuffix(w, "s")] = true
		}
	}
	return out
}

func shared(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

// text writes the block.
func (b *builder) text() string {
	var s strings.Builder
	s.WriteString("inputs:\n  task: {type: string, required: true, description: what is asked}\n")
	if len(b.guards) > 0 {
		s.WriteString("guards:\n")
		for _, l := range b.guards {
			s.WriteString("  " + l + "\n")
		}
	}
	s.WriteString("steps:\n")
	for _, p := range b.parts {
		dash := "- "
		for _, l := range p.lines {
			if strings.HasPrefix(l, "#") {
				s.WriteString("  " + l + "\n")
				continue
			}
			s.WriteString("  " + dash + l + "\n")
			dash = "  "
		}
	}
	return s.String()
}
