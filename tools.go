package findspot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
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
	// MarkPDF allows the tool mark_pdf, which shows in a copy of a PDF where something stands. Nil: there is no such tool, nor is there one in the profile compact.
	MarkPDF *MarkOptions
	// Command allows the tool run_command. Nil: there is no such tool.
	Command *CommandOptions
	// Ledger gives the keys of everything the tools return; nil means a new one for this set of tools, which forgets the oldest items
	// beyond 64 MB.
	Ledger *evidence.Ledger
}

// MarkOptions of the tool mark_pdf. This package writes no PDFs: the host passes what does, see [github.com/findspot/findspot/docsearch/pdf/mark].
type MarkOptions struct {
	// Mark makes the copy and keeps it. It is required.
	Mark func(ctx context.Context, r MarkRequest) (*MarkedPDF, error)
	// Writes says that the copy is a file that stays: skills have a person asked before.
	Writes bool
}

// A MarkRequest is a PDF with what is to be marked in it.
type MarkRequest struct {
	Doc   evidence.Place // id, name and title of the document
	PDF   []byte         // its file
	Texts []string       // to mark wherever they stand
	// Answer has the items to mark, with the hash of the file as their source; it is not sealed, and has no text.
	Answer *evidence.Answer
}

// A MarkedPDF says where a marked copy is, and where the marks are in it.
type MarkedPDF struct {
	Where string // a file or an address, as the agent is told it; empty: nothing was found, and there is no copy
	Marks []MarkedText
}

// A MarkedText is a text that was to be marked, and where it is.
type MarkedText struct {
	Key     string          `json:"key,omitempty"`
	Text    string          `json:"text"`
	Places  []extract.Place `json:"places"`            // in the order of the text, one for each page; never nil
	Missing string          `json:"missing,omitempty"` // why there is no place, with the nearest text that is there
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
	session := &agenttools.Session{Ledger: opt.Ledger, Guard: guard}
	built := definitions(w, session, slices.Clone(opt.IndexRoots))
	if opt.MarkPDF != nil {
		built = append(built, markDefinition(w, session, *opt.MarkPDF))
	}
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
	recheck := func(ctx context.Context, a *evidence.Answer) (*evidence.Recheck, error) {
		rep, err := w.Recheck(ctx, a, &RecheckOptions{Derived: true, Judge: evidence.JudgeChanged})
		if err != nil {
			return nil, err
		}
		repos, err := w.Repos()
		for i := range rep.Items {
			for _, r := range repos { // where they are is the host's
				rep.Items[i].Note = strings.ReplaceAll(rep.Items[i].Note, r.Root, filepath.Base(r.Root))
			}
		}
		return rep, err
	}
	read := func(ctx context.Context, path string) (string, error) {
		at := evidence.Place{Path: path}
		if repo, rest, ok := strings.Cut(path, "//"); ok {
			at.Repo, at.Path = repo, rest
		}
		return w.Text(ctx, at)
	}
	return slices.Concat(docs.Definitions(), files.Definitions(), code.Definitions(), servertools.New(s, w.servers).Definitions(),
		[]agenttools.Definition{code.TextDefinition(), files.ReadDefinition(), hosttools.Index(w.docs, w.repos, roots), hosttools.Ask(s, gather),
			hosttools.Verify(s, verify), hosttools.Cite(s, cite), hosttools.Recheck(recheck, read)})
}

// markDefinition is the tool mark_pdf.
func markDefinition(w *Workspace, s *agenttools.Session, o MarkOptions) agenttools.Definition {
	named := func(ctx context.Context, name string) (evidence.Place, error) {
		at, err := w.sources().Named(ctx, name)
		if many, ok := errors.AsType[*docsearch.AmbiguousError](err); ok && many.Total == len(many.Candidates) {
			pdfs := slices.DeleteFunc(many.Candidates, func(d *docsearch.Document) bool { return !strings.EqualFold(path.Ext(d.Name), ".pdf") })
			if len(pdfs) == 1 { // nothing else can be marked
				return w.sources().Named(ctx, pdfs[0].ID)
			}
		}
		return at, err
	}
	return hosttools.Mark(s, named, func(ctx context.Context, doc string, texts []string, a *evidence.Answer) (*hosttools.MarkedCopy, error) {
		at, err := named(ctx, doc)
		if err != nil {
			return nil, err
		}
		pdf, err := w.Original(ctx, at)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(pdf)
		for _, it := range a.Items {
			a.Sources = append(a.Sources, evidence.Sealed{Key: it.Key, File: hex.EncodeToString(sum[:])})
		}
		done, err := o.Mark(ctx, MarkRequest{Doc: at, PDF: pdf, Texts: texts, Answer: a})
		if err != nil {
			return nil, err
		}
		out := &hosttools.MarkedCopy{Name: at.Name, Where: done.Where, Marks: []hosttools.Marked{}}
		for _, m := range done.Marks {
			out.Marks = append(out.Marks, hosttools.Marked(m))
		}
		return out, nil
	}, o.Writes)
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
