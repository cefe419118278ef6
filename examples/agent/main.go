package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/claude"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/openai"
	"github.com/findspot/findspot/skill/runner"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "agent:", err)
		stop()
		os.Exit(1)
	}
}

// list is a flag that can be given several times.
type list []string

func (l *list) String() string     { return fmt.Sprint(*l) }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	if len(args) > 0 && args[0] == "locate" {
		return runLocate(ctx, args[1:], stdout, stderr)
	}
	fs := flag.NewFlagSet("agent", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var docs, repos list
	fs.Var(&docs, "docs", "folder of documents to answer from (repeatable; default: those in the index)")
	fs.Var(&repos, "repo", "repository to answer from (repeatable; default: those in the index)")
	dir := fs.String("dir", ".findspot", "folder of the index")
	trustIndex := fs.Bool("trust-index", false, "use an index that somebody else made: owned by another user, writable by everybody, or part of a repository")
	provider := fs.String("provider", "none", "anthropic, openai or none")
	model := fs.String("model", "", "name of the model that gathers and writes")
	named := fs.String("skill", "", "skill to run first: its name, or auto for the one that fits the question, if any")
	record := fs.String("record", "", "file for the record of the session")
	file := fs.String("answer", "", "file for the answer, to be checked with findspot verify")
	if err := fs.Parse(args); err != nil {
		return err
	}
	question := strings.Join(fs.Args(), " ")
	m, err := newModel(*provider, *model)
	if err != nil {
		return err
	}

	// The workspace: documents, repositories, and what can be done with them.
	ws, err := findspot.Open(ctx, *dir, &findspot.Options{OnlyDocs: docs, OnlyRepos: repos, TrustIndex: *trustIndex, Logger: slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ws.Close()) }()
	overview, err := add(ctx, ws, docs, repos, stderr)
	if err != nil {
		return err
	}
	first, err := ws.FirstCalls(ctx, question) // of "who calls X": the references of X, and the callers' code
	if err != nil {
		return err
	}
	o := &agent.GatherOptions{Instructions: ws.Guide(), Overview: overview, First: first, Ledger: evidence.NewLedger(), Source: ws}
	if *record != "" {
		f, err := rootfs.Create(*record)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		o.Record = f
	}

	// The skill, if one is wanted. What it found is given to the model, whose tools are those of the run from here on.
	tools := ws.Tools(&findspot.ToolsOptions{Ledger: o.Ledger})
	if choice, ok := skill.Select(ws.Skills(), question, &skill.SelectOptions{Name: strings.TrimPrefix(*named, "auto")}); *named != "" && ok {
		r, err := runner.New(m, tools, &runner.Options{Ledger: o.Ledger, Source: ws}).Start(ctx, choice.Skill, inputs(choice, question))
		if err != nil {
			return err
		}
		out, err := r.Run(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "skill %s: %s %s\n", out.Skill, out.Status, out.Reason)
		tools, o.Given = r.Tools(), out.Items
	} else if *named != "" && *named != "auto" {
		return errors.New(strings.Join(choice.Why, "; "))
	}

	// Gather, then answer.
	var g *agent.Gathered
	if m != nil {
		sub := agent.CodeRetrieval()
		g, err = agent.Gather(ctx, m, append(tools, sub.Tool(m, tools, nil)), question, o)
	} else {
		g, err = ask(ctx, ws, question, o)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "gathered %d pieces of evidence with %d calls in %d turns (%s)\n", len(g.Items), g.ToolCalls, g.Turns, g.Stopped)
	for p, err := range agent.Answer(ctx, m, g, &agent.AnswerOptions{Source: ws}) {
		if err != nil {
			return err
		}
		fmt.Fprint(stdout, clean(p.Text))
		switch {
		case p.Verified():
			fmt.Fprint(stdout, " ✓")
		case p.Checked != nil && len(p.Checked.Errors) > 0:
			fmt.Fprintf(stderr, "left out: %s\n", clean(p.Checked.Errors[0].Error()))
		case p.Report != nil:
			return finish(p, *file, stdout)
		}
	}
	return nil
}

// newModel is the one flag that swaps the provider.
func newModel(provider, name string) (skill.Model, error) {
	if name == "" && (provider == "anthropic" || provider == "openai") {
		return nil, fmt.Errorf("--provider %s: give the name of a model with --model", provider)
	}
	switch provider {
	case "anthropic":
		return claude.New(name, nil)
	case "openai":
		return openai.New(name, nil)
	case "none":
		return nil, nil
	}
	return nil, fmt.Errorf("provider %q: there are anthropic, openai and none", provider)
}

// ask gathers without a model.
func ask(ctx context.Context, ws *findspot.Workspace, question string, o *agent.GatherOptions) (*agent.Gathered, error) {
	ans, err := ws.Ask(ctx, question, &findspot.AskOptions{Ledger: o.Ledger})
	if err != nil {
		return nil, err
	}
	return &agent.Gathered{Question: question, Ledger: o.Ledger, Items: append(ans.Items, o.Given...), Searched: o.Ledger.Searches(), Stopped: agent.GatherDone}, nil
}
