package findspot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// The profiles of [ToolsOptions].
const (
	ProfileFull    = "full"    // every tool under one name, and search_knowledge_base
	ProfileCompact = "compact" // eight tools that do all jobs, in less than 10,000 bytes of definitions
	ProfileAliases = "aliases" // every tool, and also under the names and with the arguments of other systems
)

// Profiles lists the profiles, the default first.
func Profiles() []string { return []string{ProfileFull, ProfileCompact, ProfileAliases} }

// ToolsOptions of [Workspace.Tools].
type ToolsOptions struct {
	// Profile says which tools there are: see [Profiles]. Empty means ProfileFull; one that is not known means it too.
	Profile string
	// IndexRoots are the folders below which the tool index may add documents and repositories. Without any it refreshes
	// what the workspace holds, and adds nothing.
	IndexRoots []string
	// WriteDir allows the tool write_file, for files in this folder and nowhere else. Empty: there is no such tool.
	WriteDir string
	// Command allows the tool run_command. Nil: there is no such tool.
	Command *CommandOptions
	// Ledger gives the keys of everything the tools return; nil means a new one for this set of tools, which forgets the oldest items
	// beyond 64 MB.
	Ledger *evidence.Ledger
}

// maxLedger bounds the ledger of tools that are given none, in bytes.
const maxLedger = 64 << 20

// Tools returns what the workspace can do as functions for an agent: a name, a description, guidance, a JSON Schema and the function
// itself. They are safe for concurrent use. All that they return carries keys of one ledger. The order is fixed: documents, code, language
// servers, text, whole questions, other names, then what writes.
//
// The tool read, without arguments, reads what the last find named: in the call's [skill.Scope] where there is one, as under
// every [runner.Run], else among all calls of this set of tools.
func (w *Workspace) Tools(o *ToolsOptions) []skill.Tool {
	var opt ToolsOptions
	if o != nil {
		opt = *o
	}
	if opt.Ledger == nil {
		opt.Ledger = evidence.NewBoundedLedger(maxLedger)
	}
	t := &toolset{w: w, ledger: opt.Ledger, roots: slices.Clone(opt.IndexRoots)}
	built := slices.Concat(t.documentTools(), t.codeTools(), t.serverTools(), t.workTools())
	if opt.Profile == ProfileCompact {
		built = compactTools(built)
	}
	tools := make([]skill.Tool, 0, len(built)+16)
	for _, b := range built {
		b.Offline = w.offNetwork(b.Name)
		tools = append(tools, w.guard().Tool(b.Tool))
	}
	if opt.Profile != ProfileCompact {
		tools = append(tools, agenttools.Aliases(tools, opt.Profile == ProfileAliases)...)
	}
	if opt.WriteDir != "" {
		tools = append(tools, agenttools.WriteFile(opt.WriteDir))
	}
	if opt.Command != nil {
		tools = append(tools, w.guard().Tool(w.commandTool(opt.Command)))
	}
	return tools
}

// guard makes answers fit to be shown.
func (w *Workspace) guard() agenttools.Guard {
	return agenttools.Guard{ShowSecrets: w.opt.ShowSecrets, Logger: w.opt.Logger}
}

// offNetwork reports whether a tool is sure to use no network: not where the host's own hooks may, and not where a language server runs, as not
// every system can keep one off it.
func (w *Workspace) offNetwork(name string) bool {
	if w.opt.Embedder != nil || w.opt.Library != nil || w.opt.OCR != nil {
		return false
	}
	servers := strings.HasPrefix(name, "lsp_") || slices.Contains([]string{"references", "document_symbols", "ask"}, name)
	return !servers || w.opt.NoServers
}

// DescribeTools returns what [Workspace.Tools] would, for their definitions alone: no workspace is opened, and a call is an
// error wrapping [ErrUnsupported].
func DescribeTools(o *ToolsOptions) []skill.Tool {
	tools := (&Workspace{}).Tools(o)
	for i, t := range tools {
		tools[i].Call = func(context.Context, json.RawMessage) (*skill.Result, error) {
			return nil, fmt.Errorf("%s: only described here: %w", t.Name, ErrUnsupported)
		}
	}
	return tools
}

// compactNames are the tools of the compact profile.
var compactNames = []string{"search_internal", "search_entity", "traverse_graph", "references", "lsp_definition", "search_text", "read", "index"}

func compactTools(built []agenttools.Definition) []agenttools.Definition {
	var out []agenttools.Definition
	for _, b := range built {
		if !slices.Contains(compactNames, b.Name) {
			continue
		}
		b.Schema = b.Compact
		if b.Brief != "" {
			b.Description, b.Guidance = b.Brief, ""
		}
		out = append(out, b)
	}
	return out
}

// toolset makes the tools of a workspace.
type toolset struct {
	w      *Workspace
	ledger *evidence.Ledger
	roots  []string // below which index may add

	own      skill.Scope // for calls that have no scope
	indexing sync.Mutex  // one call of index that changes something at a time
}

// scope is where a call remembers.
func (t *toolset) scope(ctx context.Context) *skill.Scope {
	if s := skill.ScopeOf(ctx); s != nil {
		return s
	}
	return &t.own
}

// The budgets of answers, in tokens by estimate.
const (
	listTokens = 4000 // of answers that are lists
	readTokens = 8000 // of answers that are text to read
	tokenBytes = 4
)

// shown says how much of a result stands in its text.
type shown struct {
	tokens int    // 0: listTokens
	skip   int    // items that the caller has seen already
	rest   string // how to get more items: a format with the number of items to skip; "" says to ask more narrowly
}

// result renders items under the keys of the ledger, as many as the budget holds. Items and data are never cut.
func (t *toolset) result(items []evidence.Item, data any, head string, o shown) *skill.Result {
	budget := o.tokens
	if budget <= 0 {
		budget = listTokens
	}
	budget *= tokenBytes
	var b strings.Builder
	if len(head) > budget/2 { // it quotes a long question
		head = strings.ToValidUTF8(head[:budget/2], "") + "...\n"
	}
	b.WriteString(head)
	cut := ""
	for i := range items {
		items[i] = t.ledger.Add(t.w.guard().Item(items[i]))
		if cut != "" {
			continue // it still needs its key
		}
		block := itemText(items[i])
		if b.Len()+len(block) <= budget {
			b.WriteString(block)
			continue
		}
		if i == 0 || len(block) > budget { // one long text: its beginning
			part, last := cutLines(block, max(budget-b.Len(), 400))
			b.WriteString(part)
			cut = restOfItem(items[i], last)
			if i+1 < len(items) {
				cut += "; " + restOfList(len(items)-i-1, o, i+1)
			}
			continue
		}
		cut = restOfList(len(items)-i, o, i)
	}
	if cut != "" {
		fmt.Fprintf(&b, "\n(cut: %s)", cut)
	}
	b.WriteByte('\n')
	return &skill.Result{Text: b.String(), Items: items, Data: data, Cut: cut}
}

func itemText(it evidence.Item) string {
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
	path := it.At.Path
	if it.At.Repo != "" {
		path = it.At.Repo + "//" + path
	}
	return fmt.Sprintf("%s goes on at line %d; read it with path %q and first %d", it.Key, next, path, next)
}

func restOfList(n int, o shown, seen int) string {
	if o.rest == "" {
		return fmt.Sprintf("%d more are not shown; ask more narrowly, or with a smaller limit", n)
	}
	return fmt.Sprintf("%d more are not shown; %s", n, fmt.Sprintf(o.rest, o.skip+seen))
}

// textOnly is a result without items, cut behind a whole line at the budget.
func textOnly(text string, data any, tokens int, rest string) *skill.Result {
	most := max(tokens, 1) * tokenBytes
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

// atMost is a limit that was asked for, within bounds.
func atMost(asked, normal, most int) int {
	if asked <= 0 {
		return normal
	}
	return min(asked, most)
}

// notHere adds a way out to an error about something that is not there.
func notHere(err error, hint string) error {
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}
