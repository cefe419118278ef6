package agenttools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// Shown says how much of a result stands in its text.
type Shown struct {
	Tokens int // most of the text; 0: SearchTokens
	// Rest says how to get the items from one on, by its index in the list; nil: by asking for more tokens.
	Rest func(next int) string
	// Together keeps the items of a document together: it is shown whole or not at all, but for the first.
	Together bool
	Behind   string // what there is behind the list, and how to get it; "" for nothing
}

// restBytes is kept free for what a text says of the items that it leaves out.
const restBytes = 240

// Result renders items under the keys of the ledger, as many as the budget holds. Items and data are never cut.
func (s *Session) Result(list []evidence.Item, data any, head string, o Shown) *skill.Result {
	o.Tokens = cmp.Or(o.Tokens, SearchTokens)
	for i := range list { // those that are left out need their keys too
		list[i] = s.Add(list[i])
	}
	labels, shared := labelsOf(list)
	room := textBytes(o.Tokens)
	if head = strings.TrimRight(head, "\n"); len(head) > room/2 { // it quotes a long question
		head = strings.ToValidUTF8(head[:room/2], "") + "..."
	}
	if shared != "" {
		head += "\neach: " + shared
	}
	blocks, all := make([]string, len(list)), len(head)+len(o.Behind)+len("\n(cut: )")
	for i, it := range list {
		blocks[i] = fmt.Sprintf("\n[%s] %s\n%s", it.Key, labels[i], indented(it.Text))
		all += len(blocks[i])
		if strings.Contains(blocks[i], secretMark) {
			room = textBytes(o.Tokens) - maskedBytes
		}
	}
	less := func(most int) (int, string) {
		most = together(list, most, o)
		return most, restOfList(len(list)-most, most, o)
	}
	out := &Structured{Head: head, less: less, goesOn: func(lines int) string {
		here := list[0].Key + " goes on"
		if lines > 0 {
			here = restOfItem(list[0], lines)
		}
		return joinedCuts(here, restOfList(len(list)-1, 1, o))
	}}
	var b strings.Builder
	b.WriteString(head)
	n := len(list)
	if all > room {
		n = fitting(blocks, room-len(head), less)
	}
	for i, it := range list[:n] {
		b.WriteString(blocks[i])
		out.Items = append(out.Items, ShownItem{it.Key, labels[i], strings.TrimRight(it.Text, "\n")})
	}
	cut := ""
	if n < len(list) && n == 0 { // one long text: its beginning
		part, lines := cutLines(blocks[0], max(room-b.Len()-restBytes, 200))
		b.WriteString(part)
		out.Items = append(out.Items, ShownItem{list[0].Key, labels[0], unindented(part)})
		cut, n = restOfItem(list[0], lines), 1
	}
	if n < len(list) {
		cut = joinedCuts(cut, restOfList(len(list)-n, n, o))
	}
	if n >= len(list) && o.Behind != "" {
		cut = joinedCuts(cut, o.Behind)
	}
	if cut != "" {
		fmt.Fprintf(&b, "\n(cut: %s)", cut)
	}
	b.WriteByte('\n')
	return &skill.Result{Text: strings.TrimPrefix(b.String(), "\n"), Items: list, Data: data, Cut: cut, Structured: out}
}

// fitting is how many of the first blocks fit, with what is said of the others. less gives, for a number of them, how many of those to show and what
// is said then.
func fitting(blocks []string, room int, less func(int) (int, string)) int {
	for n := len(blocks) - 1; n > 0; n-- {
		var rest string
		n, rest = less(n)
		used := len(rest) + len("\n(cut: )")
		for _, b := range blocks[:n] {
			used += len(b)
		}
		if used <= room {
			return n
		}
	}
	return 0
}

// together is how many of the first n items leave no document but the first in part, where that is asked for.
func together(list []evidence.Item, n int, o Shown) int {
	if !o.Together || n == len(list) {
		return n
	}
	first := n // of the document of the next item
	for first > 0 && sourceOf(list[first-1].At) == sourceOf(list[n].At) {
		first--
	}
	return cmp.Or(first, n)
}

// Add gives an item its key, with secrets masked.
func (s *Session) Add(it evidence.Item) evidence.Item { return s.Ledger.Add(s.Guard.Item(it)) }

// ItemBytes is about how long an item is in the text of a result.
func ItemBytes(it evidence.Item) int { return len(it.At.String()) + len(indented(it.Text)) + 40 }

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

// unindented is the text of a block, or of a part of one.
func unindented(block string) string {
	_, text, _ := strings.Cut(strings.TrimPrefix(block, "\n"), "\n")
	return strings.ReplaceAll(strings.TrimPrefix(text, "    "), "\n    ", "\n")
}

// cutLines cuts a block behind a whole line, and counts the lines that are left of the text under its first one.
func cutLines(block string, most int) (part string, lines int) {
	part = block
	if len(block) > most {
		part = block[:most]
		if i := strings.LastIndexByte(part, '\n'); i > 0 && strings.Count(part[:i], "\n") > 1 {
			part = part[:i]
		}
		part = strings.ToValidUTF8(part, "")
	}
	return part, max(strings.Count(part, "\n")-1, 0)
}

func restOfItem(it evidence.Item, lines int) string {
	if it.At.Line == 0 || lines == 0 {
		return "the text of " + it.Key + " goes on; view_file or read gives lines of it"
	}
	next := it.At.Line + lines
	if it.At.Doc != "" {
		return fmt.Sprintf("%s goes on at line %d; read it with doc %q and first %d", it.Key, next, it.At.Doc, next)
	}
	return fmt.Sprintf("%s goes on at line %d; read it with path %q and first %d", it.Key, next, items.File(it.At), next)
}

// joinedCuts is what is left out in two ways.
func joinedCuts(a, b string) string { return strings.Trim(a+"; "+b, "; ") }

// restOfList says how to get the items from one on, or what lies behind the list when none is left.
func restOfList(left, next int, o Shown) string {
	if left == 0 {
		return o.Behind
	}
	how := ""
	if o.Rest != nil {
		how = o.Rest(next)
	}
	if how == "" {
		how = MoreTokens(o.Tokens)
	}
	return fmt.Sprintf("%d more are not shown; %s", left, how)
}

// MoreTokens says how to get what a budget leaves out.
func MoreTokens(tokens int) string {
	if tokens >= mostTokens {
		return "ask more narrowly"
	}
	return fmt.Sprintf("ask more narrowly, or with more tokens than %d", tokens)
}

// SkipTo is a [Shown.Rest] of a tool with the argument skip.
func SkipTo(skip int) func(int) string {
	return func(next int) string { return fmt.Sprintf("ask again with skip %d", skip+next) }
}

// TextOnly is a result without items, cut behind a whole line at the budget. rest says how to get what is left out.
func TextOnly(text string, data any, tokens int, rest string) *skill.Result {
	return Lines(slices.Collect(strings.Lines(text)), data, Shown{Tokens: tokens, Rest: func(int) string { return rest }})
}

// Lines is a result of lines alone, each with its end. [Shown.Rest] is asked for the line to go on with.
func Lines(lines []string, data any, o Shown) *skill.Result {
	o.Tokens = cmp.Or(o.Tokens, SearchTokens)
	all := len(o.Behind) + len("\n(cut: )")
	for _, l := range lines {
		all += len(l)
	}
	less := func(most int) (int, string) {
		return most, joinedCuts(restOfList(len(lines)-most, most, o), o.Behind)
	}
	room, n := textBytes(o.Tokens), len(lines)
	if all > room {
		n = fitting(lines, room, less)
	}
	body := strings.TrimRight(strings.Join(lines[:n], ""), "\n")
	if n == 0 && len(lines) > 0 {
		body, n = strings.ToValidUTF8(lines[0][:min(len(lines[0]), room-restBytes)], "")+ellipsis, 1
	}
	cut := o.Behind
	if n < len(lines) {
		_, cut = less(n)
	}
	text := body + "\n"
	if cut != "" {
		text += "\n(cut: " + cut + ")\n"
	}
	return &skill.Result{Text: text, Data: data, Cut: cut, Structured: &Structured{Lines: outline(body), less: less}}
}

// Fits reports whether a text and what it leaves out are within a budget.
func Fits(text, cut string, tokens int) bool {
	return len(text)+len(cut)+len("\n(cut: )") <= textBytes(tokens)
}

// Note puts a line of our own behind an answer, for what the budget need not hold: it is short.
func Note(res *skill.Result, line string) {
	res.Text += line + "\n"
	if x, ok := res.Structured.(*Structured); ok {
		x.Head += "\n" + line
	}
}
