package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/agentconfig"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/examples/serve/mcphandler"
	"github.com/findspot/findspot/examples/serve/proving"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
)

// mcpFlags are what findspot mcp has beside the flags of all commands.
type mcpFlags struct {
	profile, write, commands, skill, record string
	roots, inputs                           []string
	timeout                                 time.Duration
}

func mcpCommand(a *app) *cobra.Command {
	var m mcpFlags
	c := &cobra.Command{
		Use:   "mcp [COMMAND]",
		Short: "Serve agents over the Model Context Protocol, on standard input and output",
		Long: `Serve agents over the Model Context Protocol, on standard input and output: tools, documents and code as resources, and
skills as prompts. The client starts it: "findspot mcp install CLIENT" configures one. With --docs and --repo it brings
these up to date and answers from them alone; calls wait for that. Standard output holds nothing but the protocol.

With --skill, the guards of that skill hold for every call, and the tool run_skill runs its steps.`,
		Example: "  findspot mcp --docs papers --repo .\n  findspot mcp --skill synchronisation-signals --input task=\"compare PSS detection\" --write-dir out",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			err := m.serve(c.Context(), a)
			if c.Context().Err() != nil { // whoever started it ends it so
				return nil
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&m.profile, "profile", findspot.ProfileCompact, "tools to offer: compact (eight), full, or aliases (also under the names of other systems)")
	f.StringVar(&m.write, "write-dir", "", "offer write_file for files in this folder, and mark_pdf in the profiles full and aliases")
	f.StringVar(&m.commands, "commands", "", "offer run_command in this folder, for findspot, rg, ast-grep and jq that only read")
	f.StringArrayVar(&m.roots, "index-root", nil, "folder below which the tool index may read and add (repeatable; default: it adds nothing)")
	f.StringVar(&m.skill, "skill", "", "skill to activate")
	f.StringArrayVar(&m.inputs, "input", nil, "input of the skill, name=value (repeatable)")
	f.StringVar(&m.record, "record", "", "file to record the run of the skill in (JSON Lines)")
	f.DurationVar(&m.timeout, "timeout", 5*time.Minute, "maximum time of a tool call; 0 for no limit")
	c.AddCommand(mcpInstall(a))
	return only(c, "it is the protocol", outputText)
}

// serve runs until the client leaves.
func (m *mcpFlags) serve(ctx context.Context, a *app) (err error) {
	if !slices.Contains(findspot.Profiles(), m.profile) {
		return usagef("--profile %q: must be one of %s", m.profile, strings.Join(findspot.Profiles(), ", "))
	}
	if m.timeout < 0 {
		return usagef("--timeout %s: give a time, or 0 for no limit", m.timeout)
	}
	// Caught, a broken pipe is an error of writing: a client that closes its end would kill the server otherwise.
	defer a.env.CatchBrokenPipes()()

	a.keeps, a.changes = true, true
	o, err := a.ready(ctx)
	if err != nil {
		return err
	}
	from := mcphandler.Sources{Docs: a.env.Paths(a.docs), Repos: a.env.Paths(a.repos), IndexRoots: a.env.Paths(m.roots)}
	o.OnlyRepos, o.OnlyDocs = from.Scope()
	log := o.Logger
	feed := mcphandler.NewFeed(log)
	o.Logger, o.Progress = feed.Logger(), feed.Progress
	ws, err := a.env.Workspace(ctx, a.dir, o)
	if err != nil {
		return err
	}
	a.ws = ws
	skillProblems(a)
	a.bad = 0 // told, and no fault of what is served
	h := &mcphandler.Options{
		Tools: findspot.ToolsOptions{Profile: m.profile, IndexRoots: from.IndexRoots, WriteDir: a.env.Path(m.write)}, Skill: m.skill, Feed: feed, Timeout: m.timeout, Logger: log,
	}
	if m.timeout == 0 {
		h.Timeout = -1
	}
	if m.write != "" {
		h.Tools.MarkPDF = proving.InFolder(h.Tools.WriteDir)
	}
	if m.commands != "" {
		h.Tools.Command = &findspot.CommandOptions{Dir: a.env.Path(m.commands)}
	}
	if h.Inputs, err = m.skillInputs(ws); err != nil {
		return err
	}
	if m.record != "" {
		f, err := a.env.Create(m.record)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		h.Record = f
	}
	// The client is answered at once; a tool that is called before the sources are read waits for them.
	reading, cancel := context.WithCancel(ctx)
	ready, wait := from.Read(reading, ws, log)
	defer func() { cancel(); wait() }()
	h.Ready = ready
	handler, err := mcphandler.New(ws, h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, handler.Close()) }()
	return handler.Run(ctx, mcphandler.Stdio(closer(a.stdin), plainWriter{a.exact}, log))
}

// skillInputs reads --input for the skill.
func (m *mcpFlags) skillInputs(ws *findspot.Workspace) (map[string]any, error) {
	in := map[string]any{}
	i := slices.IndexFunc(ws.Skills(), func(s *skill.Skill) bool { return s.Name == m.skill })
	if i < 0 {
		return in, nil // who takes the name says so
	}
	return in, readInputs(in, ws.Skills()[i], m.inputs)
}

// closer is standard input for the protocol, which closes it to wake who reads.
func closer(r io.Reader) io.ReadCloser {
	if c, ok := r.(io.ReadCloser); ok {
		return c
	}
	return io.NopCloser(r)
}

// plainWriter is standard output for the protocol: an output that is closed is the client's way of leaving, and no failure of the command.
type plainWriter struct{ io.Writer }

func (w plainWriter) Write(p []byte) (int, error) {
	if c, ok := w.Writer.(*checkedWriter); ok {
		return c.w.Write(p)
	}
	return w.Writer.Write(p)
}

func (w plainWriter) Close() error { return nil }

// installed is what mcp install did, or would do.
type installed struct {
	Client string `json:"client"`
	File   string `json:"file"`
	Change string `json:"change"` // written, updated, unchanged or kept
	Done   bool   `json:"done"`   // false for a dry run
	Diff   string `json:"diff,omitempty"`
	Entry  string `json:"entry,omitempty"` // what to add by hand, where it is kept
}

func mcpInstall(a *app) *cobra.Command {
	var scope, program string
	var write, force bool
	var names []string
	for _, c := range agentconfig.Clients() {
		names = append(names, c.Name)
	}
	c := &cobra.Command{
		Use:   "install CLIENT",
		Short: "Configure a client to start findspot mcp",
		Long: `Configure a client to start findspot mcp: ` + strings.Join(names, ", ") + `. Without --write,
the change of the client's file is shown as a diff and nothing is written. The rest of the file is kept, with its
comments; a file that cannot be read is refused, with the place of the fault.

The file is that of the project where the client has one, else the user's; --scope chooses. --dir, --docs, --repo
and --embed-model become those of the server. In the user's file of claude-code and codex they are left out unless
given: these clients start the server in the folder of each project.`,
		Example:   "  findspot mcp install claude-code --docs papers --repo .\n  findspot mcp install codex --scope user --write",
		Args:      exactly(1),
		ValidArgs: names,
		RunE: func(c *cobra.Command, args []string) error {
			client, ok := agentconfig.FindClient(args[0])
			if !ok {
				return usagef("client %q: give one of %s", args[0], strings.Join(names, ", "))
			}
			if scope == "" {
				scope = client.Scope()
			}
			dirGiven := c.Flags().Changed("dir")
			place, err := a.place()
			if err != nil {
				return err
			}
			s := agentconfig.Server{Command: program, Args: []string{"mcp"}, Index: a.env.Path(a.dir), Docs: a.env.Paths(a.docs), Repos: a.env.Paths(a.repos), Vectors: a.embed.saved(a.env), Getenv: a.env.Getenv}
			if scope == agentconfig.User && client.InPlace() && !dirGiven {
				s.Index = ""
			}
			if program == "" {
				if s.Command, err = thisProgram(a.env, scope == agentconfig.Project); err != nil {
					return err
				}
			}
			if scope == agentconfig.Project {
				a.env.Path(filepath.Join(place.Root, client.ProjectFile())) // which errors then name so
			}
			plan, err := client.Plan(scope, a.env.Path(place.Root), s, force)
			if err != nil {
				return err
			}
			out := installed{Client: client.Name, File: a.env.Said(plan.File), Change: plan.Change, Diff: plan.Diff()}
			if plan.Change == agentconfig.Kept {
				out.Entry = plan.Entry
			}
			if write {
				if err := plan.Write(); err != nil {
					return err
				}
				out.Done = plan.Change == agentconfig.Written || plan.Change == agentconfig.Updated
			}
			err = show(&a.console, out, nil, func(o installed) error { printInstalled(&a.console, client, o); return nil })
			if err == nil && plan.Change == agentconfig.Kept {
				err = errNo
			}
			return err
		},
	}
	f := c.Flags()
	f.BoolVar(&write, "write", false, "write the file")
	f.StringVar(&scope, "scope", "", "project or user: whose file (default: the project's, where the client has one)")
	f.StringVar(&program, "command", "", "program to start (default: this one)")
	f.BoolVar(&force, "force", false, "replace a different entry named findspot")
	return c
}

// thisProgram is how a client starts this program: by its name where that is on PATH and shared is whether others read the configuration, else by its path.
func thisProgram(e *env.Env, shared bool) (string, error) {
	me, err := os.Executable()
	if err != nil {
		return "", err
	}
	if found, err := e.LookPath("findspot"); err == nil && shared && sameFile(found, me) {
		return "findspot", nil
	}
	return me, nil
}

func sameFile(a, b string) bool {
	x, err := rootfs.Real(a)
	if err != nil {
		return false
	}
	y, err := rootfs.Real(b)
	return err == nil && x == y
}

func printInstalled(con *console, client agentconfig.Client, o installed) {
	switch {
	case o.Change == agentconfig.Unchanged:
		con.printf("%s: %s has the entry\n", clean(o.File), client.Title)
		return
	case o.Change == agentconfig.Kept:
		con.printf("%s: nothing was written: it has another entry named findspot (--force replaces it). By hand:\n%s\n", clean(o.File), clean(o.Entry))
		return
	}
	con.printf("%s", clean(o.Diff))
	if o.Done {
		con.printf("%s: %s. Start %s again to use it\n", clean(o.File), o.Change, client.Title)
		return
	}
	con.printf("nothing was written: --write writes %s\n", clean(o.File))
}
