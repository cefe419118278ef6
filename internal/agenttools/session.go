package agenttools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// A Session is what the tools of one set share: the ledger that gives all they return its keys, and what the last search found.
type Session struct {
	Ledger *evidence.Ledger
	Guard  Guard

	own skill.Scope // for calls that have no scope
}

// The budgets of answers, in tokens by estimate.
const (
	ListTokens = 4000 // of answers that are lists
	ReadTokens = 8000 // of answers that are text to read
	TokenBytes = 4
)

// Shown says how much of a result stands in its text.
type Shown struct {
	Tokens int    // 0: ListTokens
	Skip   int    // items that the caller has seen already
	Rest   string // how to get more items: a format with the number of items to skip; "" says to ask more narrowly
}

// Result renders items under the keys of the ledger, as many as the budget holds. Items and data are never cut.
func (s *Session) Result(list []evidence.Item, data any, head string, o Shown) *skill.Result {
	budget := o.Tokens
	if budget <= 0 {
		budget = ListTokens
	}
	budget *= TokenBytes
	var b strings.Builder
	if len(head) > budget/2 { // it quotes a long question
		head = strings.ToValidUTF8(head[:budget/2], "") + "...\n"
	}
	b.WriteString(head)
	cut := ""
	for i := range list {
		list[i] = s.Add(list[i])
		if cut != "" {
			continue // it still needs its key
		}
		block := ItemText(list[i])
		if b.Len()+len(block) <= budget {
			b.WriteString(block)
			continue
		}
		if i == 0 || len(block) > budget { // one long text: its beginning
			part, last := cutLines(block, max(budget-b.Len(), 400))
			b.WriteString(part)
			cut = restOfItem(list[i], last)
			if i+1 < len(list) {
				cut += "; " + restOfList(len(list)-i-1, o, i+1)
			}
			continue
		}
		cut = restOfList(len(list)-i, o, i)
	}
	if cut != "" {
		fmt.Fprintf(&b, "\n(cut: %s)", cut)
	}
	b.WriteByte('\n')
	return &skill.Result{Text: b.String(), Items: list, Data: data, Cut: cut}
}

// Add gives an item its key, with secrets masked.
func (s *Session) Add(it evidence.Item) evidence.Item { return s.Ledger.Add(s.Guard.Item(it)) }

// ItemText is an item as the text of a result has it.
func ItemText(it evidence.Item) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n[%s] %s %s", it.Key, it.Kind, it.At)
	if it.At.Entity != "" {
		fmt.Fprintf(&b, " %s", it.At.Entity)
	}
	var how []string
	for _, s := range []string{it.Tier, it.Via, it.Level, it.Note} {
		if s != "" {
			how = append(how, s)
		}
	}
	if len(how) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(how, ", "))
	}
	fmt.Fprintf(&b, "\n    %s", strings.ReplaceAll(strings.TrimRight(it.Text, "\n"), "\n", "\n    "))
	return b.String()
}

// cutLines cuts a block behind a whole line, and counts the lines that are left of the text under its first one.
func cutLines(block string, most int) (part string, lines int) {
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

func restOfList(n int, o Shown, seen int) string {
	if o.Rest == "" {
		return fmt.Sprintf("%d more are not shown; ask more narrowly, or with a smaller limit", n)
	}
	return fmt.Sprintf("%d more are not shown; %s", n, fmt.Sprintf(o.Rest, o.Skip+seen))
}

// TextOnly is a result without items, cut behind a whole line at the budget.
func TextOnly(text string, data any, tokens int, rest string) *skill.Result {
	most := max(tokens, 1) * TokenBytes
	if len(text) <= most {
		return &skill.Result{Text: text, Data: data}
	}
	part := text[:most]
	if i := strings.LastIndexByte(part, '\n'); i > 0 {
		part = part[:i]
	}
	cut := fmt.Sprintf("%d lines are not shown; %s", strings.Count(text[len(part):], "\n"), rest)
	return &skill.Result{Text: strings.ToValidUTF8(part, "") + "\n(cut: " + cut + ")\n", Data: data, Cut: cut}
}

// AtMost is a limit that was asked for, within bounds.
func AtMost(asked, normal, most int) int {
	if asked <= 0 {
		return normal
	}
	return min(asked, most)
}

// NotHere adds a way out to an error about something that is not there.
func NotHere(err error, hint string) error {
	if errors.Is(err, errs.NotFound) {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}

// A Find is what the last search or reference call named, so that the tool read can show it.
type Find struct {
	Tool, Query string
	Items       []evidence.Item

	sync.Mutex     // guards State
	State      any // how far it was read
}

// findKey is where a scope keeps the last find of a set of tools.
type findKey struct{ s *Session }

// scope is where a call remembers.
func (s *Session) scope(ctx context.Context) *skill.Scope {
	if scope := skill.ScopeOf(ctx); scope != nil {
		return scope
	}
	return &s.own
}

// Remember makes items the last find. A find without results is one too: what was found before it is not meant any more.
func (s *Session) Remember(ctx context.Context, tool, query string, list []evidence.Item) {
	s.scope(ctx).Store(findKey{s}, &Find{Tool: tool, Query: query, Items: slices.Clone(list)})
}

// LastFind is the last find of a call's scope; nil for none.
func (s *Session) LastFind(ctx context.Context) *Find {
	f, _ := s.scope(ctx).Load(findKey{s}).(*Find)
	return f
}
