package findspot

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/agenttools/codetools"
	"github.com/findspot/findspot/internal/agenttools/doctools"
	"github.com/findspot/findspot/internal/agenttools/filetools"
	"github.com/findspot/findspot/internal/agenttools/hosttools"
	"github.com/findspot/findspot/internal/agenttools/servertools"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/command"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/servers"
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

// CommandOptions of the tool run_command.
type CommandOptions struct {
	// Dir is the folder in which commands run and below which they read. It is required.
	Dir string
	// Allow is asked for every command that is not allowed or denied by rule, and answers whether it may run. Nil: none of them.
	Allow func(ctx context.Context, c CommandRequest) (bool, error)
	// Path are the folders where programs are looked up. Nil: those of the process's PATH that are absolute, lie outside of Dir and
	// cannot be written to by everybody.
	Path []string
	// Env is added to the environment of commands, as NAME=value: they get nothing else of the process's own but the
	// path, an empty home and a language.
	Env     []string
	Timeout time.Duration // 0: a minute; the whole process group is killed then
	// MaxOutput is how many bytes of each of the two outputs are kept; 0: 64 kB.
	MaxOutput int
}

// A CommandRequest is a command that somebody must allow.
type CommandRequest struct {
	Program string   `json:"program"` // absolute path of what would run
	Args    []string `json:"args"`    // with the program's name first
	Dir     string   `json:"dir"`     // absolute
	Why     string   `json:"why"`     // why it is asked: what the rules do not allow
}

// maxLedger bounds the ledger of tools that are given none, in bytes.
const maxLedger = 64 << 20

// tools makes the tools of a workspace.
func tools(w *Workspace, o *ToolsOptions) []skill.Tool {
	var opt ToolsOptions
	if o != nil {
		opt = *o
	}
	if opt.Ledger == nil {
		opt.Ledger = evidence.NewBoundedLedger(maxLedger)
	}
	guard := w.guard()
	built := definitions(w, &agenttools.Session{Ledger: opt.Ledger, Guard: guard}, slices.Clone(opt.IndexRoots))
	if opt.Profile == ProfileCompact {
		built = compactTools(built)
	}
	tools := make([]skill.Tool, 0, len(built)+16)
	for _, b := range built {
		b.Offline = offNetwork(&w.opt, b.Name)
		tools = append(tools, guard.Tool(b.Tool))
	}
	if opt.Profile != ProfileCompact {
		tools = append(tools, agenttools.Aliases(tools, opt.Profile == ProfileAliases)...)
	}
	if opt.WriteDir != "" {
		tools = append(tools, agenttools.WriteFile(opt.WriteDir))
	}
	if opt.Command != nil {
		tools = append(tools, guard.Tool(hosttools.Command(commandOptions(w, opt.Command))))
	}
	return tools
}

// definitions are the tools that each profile chooses from, in their order.
func definitions(w *Workspace, s *agenttools.Session, roots []string) []agenttools.Definition {
	docs := doctools.New(s, w.docs)
	code := codetools.New(s, w.repos, func(ctx context.Context, name string) (*callers.Result, error) { return w.callers(ctx, name, nil) })
	files := filetools.New(s, w.docs, w.repos, docs, code)
	gather := func(ctx context.Context, q hosttools.Question) ([]evidence.Item, []string, any, error) {
		ans, err := w.Ask(ctx, q.Text, &AskOptions{Ledger: s.Ledger, Collections: q.Collections, Tokens: q.Tokens, Skip: q.Skip})
		if err != nil {
			return nil, nil, nil, err
		}
		return ans.Items, slices.Concat(ans.Assumptions, ans.remarks(), ans.Problems), ans, nil
	}
	verify := func(ctx context.Context, text string, led *evidence.Ledger) (*evidence.TextCheck, error) {
		return w.VerifyText(ctx, text, &VerifyTextOptions{Ledger: led})
	}
	cite := func(ctx context.Context, sentence string, collections []string, limit int) ([]evidence.Support, []string, error) {
		c, err := w.Cite(ctx, sentence, &CiteOptions{Collections: collections, Limit: limit, Ledger: s.Ledger})
		if err != nil {
			return nil, nil, err
		}
		return c.Places, c.Remarks, nil
	}
	return slices.Concat(docs.Definitions(), files.Definitions(), code.Definitions(), servertools.New(s, w.servers).Definitions(),
		[]agenttools.Definition{code.TextDefinition(), files.ReadDefinition(), hosttools.Index(w.docs, w.repos, roots), hosttools.Ask(s, gather),
			hosttools.Verify(s, verify), hosttools.Cite(s, cite)})
}

func commandOptions(w *Workspace, o *CommandOptions) command.Options {
	opt := command.Options{Dir: o.Dir, Path: o.Path, Env: o.Env, Timeout: o.Timeout, MaxOutput: o.MaxOutput, Readable: w.policy().Allowed}
	if o.Allow != nil {
		opt.Allow = func(ctx context.Context, c command.Request) (bool, error) { return o.Allow(ctx, CommandRequest(c)) }
	}
	if !w.opt.ShowSecrets {
		opt.HideGlobs = []string{secrets.Glob()}
	}
	return opt
}

// offNetwork reports whether a tool is sure to use no network: not where the host's own hooks may, and not where a language server runs, as not
// every system can keep one off it.
func offNetwork(o *Options, name string) bool {
	if o.Embedder != nil || o.Library != nil || o.OCR != nil {
		return false
	}
	servers := strings.HasPrefix(name, "lsp_") || slices.Contains([]string{"references", "document_symbols", "ask", "cite"}, name)
	return !servers || o.NoServers
}

// DescribeTools returns what [Workspace.Tools] would, for their definitions alone: no workspace is opened, and a call is an
// error wrapping [ErrUnsupported].
func DescribeTools(o *ToolsOptions) []skill.Tool {
	list := tools(&Workspace{servers: &servers.Servers{}}, o)
	for i, t := range list {
		list[i].Call = func(context.Context, json.RawMessage) (*skill.Result, error) {
			return nil, fmt.Errorf("%s: only described here: %w", t.Name, ErrUnsupported)
		}
	}
	return list
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
