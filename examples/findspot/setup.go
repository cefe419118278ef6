package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/agentconfig"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/skill"
)

// setup is what init does, and reports.
type setup struct {
	Index string `json:"index"`
	docCount
	Repos []string             `json:"repositories"`
	Guide string               `json:"guide,omitempty"`
	MCP   *agentconfig.Outcome `json:"mcp,omitempty"`
}

func initCommand(a *app) *cobra.Command {
	var agent, server string
	var force, yes, noDocs, noRepo bool
	var names []string
	for _, x := range agentconfig.Agents() {
		names = append(names, x.Name)
	}
	c := &cobra.Command{
		Use:   "init",
		Short: "Set up a project: index, agent instructions, MCP configuration",
		Long: `Ask three questions and set up the project: index the documents and the repository, write the guide into a marked block
of AGENTS.md or CLAUDE.md, and add the server to the agent's MCP configuration; at each start it updates the index of
both. Existing content of these files is kept; another server named findspot is replaced only with --force. Each answer
has a flag. Without a terminal, or with --yes, nothing is asked: the documents are those of --docs, the repository is
that of --repo or the one around the working folder, and the agent is that of --agent.`,
		Example: "  findspot init\n  findspot init --docs papers --repo . --agent claude --yes",
		Args: checked(exactly(0), func() error {
			if _, ok := agentconfig.Find(agent); agent != "" && agent != "none" && !ok {
				return usagef("--agent %s: give %s or none", agent, strings.Join(names, ", "))
			}
			if noDocs && len(a.docs) > 0 || noRepo && len(a.repos) > 0 {
				return usagef("--no-docs and --no-repo cannot be combined with --docs and --repo")
			}
			return nil
		}),
		RunE: func(c *cobra.Command, _ []string) error {
			place, err := a.place()
			if err != nil {
				return err
			}
			ask := &asker{con: &a.console, in: bufio.NewReader(a.stdin), quiet: yes || a.json || !env.IsTerminal(a.stdin)}
			if len(a.docs) == 0 && !noDocs {
				answer, err := ask.about("Folders of documents, comma-separated (empty: none)", "")
				if err != nil {
					return err
				}
				a.docs = splitList(answer)
			}
			if len(a.repos) == 0 && !noRepo {
				answer, err := ask.about("Repository (- for none)", place.Root)
				if err != nil {
					return err
				}
				if answer != "-" {
					a.repos = splitList(answer)
				}
			}
			if agent == "" {
				if agent, err = ask.about("Agent: "+strings.Join(names, ", ")+" or none", "none"); err != nil {
					return err
				}
			}
			known, ok := agentconfig.Find(agent)
			if agent != "none" && !ok {
				return usagef("agent %q: give %s or none", agent, strings.Join(names, ", "))
			}
			done, err := setUp(c.Context(), a, place.Root, known, server, force)
			if err != nil {
				return err
			}
			return show(&a.console, done, nil, func(s *setup) error {
				printSetup(&a.console, s)
				return nil
			})
		},
	}
	f := c.Flags()
	f.StringVar(&agent, "agent", "", "coding agent: "+strings.Join(names, ", ")+" or none")
	f.StringVar(&server, "server-command", "", "program that runs the MCP server (default: this one, as findspot mcp)")
	f.BoolVar(&noDocs, "no-docs", false, "do not index documents")
	f.BoolVar(&noRepo, "no-repo", false, "do not index a repository")
	f.BoolVarP(&yes, "yes", "y", false, "ask no questions")
	f.BoolVar(&force, "force", false, "replace a different entry named findspot")
	return c
}

// setUp builds the index and writes the files of the agent; the zero Agent has none.
func setUp(ctx context.Context, a *app, root string, agent agentconfig.Agent, server string, force bool) (*setup, error) {
	a.changes = true
	a.env.SpareMemory()
	docs, repos := a.docs, a.repos
	a.docs, a.repos = nil, nil // the index is to hold them, not to be limited to them
	ws, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	done := &setup{Index: a.dir, Repos: []string{}}
	for _, d := range docs {
		if err := a.addDocs(ctx, d, nil, nil); err != nil {
			return nil, err
		}
	}
	for _, r := range repos {
		if err := a.addRepo(ctx, r); err != nil {
			return nil, err
		}
	}
	a.endProgress()
	lib, err := ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	if done.docCount, err = countDocs(ctx, lib); err != nil {
		return nil, err
	}
	known, err := ws.Repos()
	if err != nil {
		return nil, err
	}
	for _, r := range known {
		done.Repos = append(done.Repos, r.Root)
	}
	if agent.Name == "" {
		return done, nil
	}
	guide := filepath.Join(root, agent.Guide)
	changed, err := ws.WriteGuide(a.env.Path(guide))
	if err != nil {
		return nil, err
	}
	done.Guide = guide + map[bool]string{true: ": the guide was written into it", false: ": the guide in it is up to date"}[changed]
	out, err := agent.Write(a.env.Path(root), serverOf(a, server, docs, repos), force)
	done.MCP = &out
	return done, err
}

// serverOf is how an agent starts the server: this program by its name where that is on PATH, else by its path; or another program.
func serverOf(a *app, program string, docs, repos []string) agentconfig.Server {
	s := agentconfig.Server{Command: program, Index: a.env.Path(a.dir), Docs: a.env.Paths(docs), Repos: a.env.Paths(repos), Vectors: a.embed.saved(a.env), Getenv: a.env.Getenv}
	if program == "" {
		me, err := thisProgram(a.env, true)
		switch {
		case err != nil:
			me = "findspot"
			a.complain(fmt.Errorf("the path of this program is not known: put findspot on PATH: %w", err))
		case filepath.Base(me) != me:
			a.complain(fmt.Errorf("findspot is not on PATH: the configuration names %s, which is on this machine alone; put its folder on PATH and run init again before you commit it", me))
		}
		s.Command = me
	} else if _, err := a.env.LookPath(program); err != nil {
		a.complain(fmt.Errorf("%s is not on PATH: put its folder on PATH, or give --server-command PROGRAM", program))
	}
	if program == "" || strings.TrimSuffix(filepath.Base(program), ".exe") == "findspot" {
		s.Args = []string{"mcp"}
	}
	return s
}

func printSetup(con *console, s *setup) {
	con.printf("index      %s: %s, %s\n", clean(s.Index), s.docCount, count(len(s.Repos), "repository", "repositories"))
	if s.Guide != "" {
		con.printf("guide      %s\n", clean(s.Guide))
	}
	if m := s.MCP; m != nil {
		switch m.Change {
		case "kept":
			file := m.File
			if file == "" {
				file = "configuration"
			}
			con.printf("MCP        %s: nothing was written: %s. Add this by hand (--force replaces another entry):\n%s\n", clean(file), clean(m.Reason), clean(m.Snippet))
		default:
			con.printf("MCP        %s: %s\n", clean(m.File), m.Change)
		}
	}
	con.printf("next       findspot doctor checks the rest; findspot ask \"a question\" tries it\n")
}

// asker asks on a terminal.
type asker struct {
	con   *console
	in    *bufio.Reader
	quiet bool // the answers are the defaults
}

func (q *asker) about(question, standard string) (string, error) {
	if q.quiet {
		return standard, nil
	}
	fmt.Fprint(q.con.stderr, question)
	if standard != "" {
		fmt.Fprintf(q.con.stderr, " [%s]", clean(standard))
	}
	fmt.Fprint(q.con.stderr, ": ")
	line, err := q.in.ReadString('\n')
	if err != nil && !(errors.Is(err, io.EOF) && line != "") {
		return "", fmt.Errorf("no answer: %w (--yes asks no questions)", err)
	}
	if line = strings.TrimSpace(line); line == "" {
		return standard, nil
	}
	return line, nil
}

// splitList takes a list with commas apart.
func splitList(s string) (out []string) {
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func guideCommand(a *app) *cobra.Command {
	var into, rules string
	c := &cobra.Command{
		Use:   "guide",
		Short: "Print the instructions for agents, or write them into a file",
		Long: `Print the text that teaches an agent when to use which tool, with the skills and the project's own rules. With --into,
the text is written into a marked block of that file, and the rest of the file is kept.`,
		Example: "  findspot guide --into AGENTS.md --rules docs/rules.md",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := a.options()
			if err != nil {
				return err
			}
			if rules != "" {
				text, err := readRules(a.env, rules)
				if err != nil {
					return err
				}
				o.Rules = text
			}
			if a.ws, err = a.env.Workspace(c.Context(), a.dir, o); err != nil {
				return err
			}
			if into == "" {
				a.printf("%s", a.ws.Guide())
				return nil
			}
			file, err := a.env.Output(into) // where links of the working folder lead
			if err != nil {
				return err
			}
			changed, err := a.ws.WriteGuide(file)
			if err != nil {
				return a.env.AsWritten(into, err)
			}
			if changed {
				fmt.Fprintf(a.stderr, "findspot: wrote the guide into %s\n", into)
			} else {
				fmt.Fprintf(a.stderr, "findspot: %s is up to date\n", into)
			}
			return nil
		},
	}
	c.Flags().StringVar(&into, "into", "", "file to write the guide into, such as AGENTS.md")
	c.Flags().StringVar(&rules, "rules", "", "file with the project's own rules")
	return only(c, "it is one text, in Markdown", outputText, outputMD)
}

func readRules(e *env.Env, name string) (string, error) {
	f, err := e.OpenFile(name)
	if err != nil {
		return "", err
	}
	data, more, err := readAtMost(f, 64<<10)
	if more {
		err = fmt.Errorf("%s: %w: rules may have at most 64 kB", name, findspot.ErrTooLarge)
	}
	return string(data), err
}

func toolsCommand(con *console) *cobra.Command {
	var format, profile string
	var host bool
	c := &cobra.Command{
		Use:   "tools",
		Short: "Print the tools for agents, in the format of a model provider",
		Long: `Print the definitions of the tools that agents are given: as Markdown for people, or as JSON for the Messages API of
Anthropic, for Chat Completions of OpenAI and compatible servers, or for a server of the Model Context Protocol. The
library gives the same definitions to its adapters and servers.`,
		Example: "  findspot tools --format anthropic --profile compact",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			if !slices.Contains(skill.ToolFormats(), format) {
				return usagef("--format %q: must be one of %s", format, strings.Join(skill.ToolFormats(), ", "))
			}
			if !slices.Contains(findspot.Profiles(), profile) {
				return usagef("--profile %q: must be one of %s", profile, strings.Join(findspot.Profiles(), ", "))
			}
			o := &findspot.ToolsOptions{Profile: profile}
			if host {
				o.WriteDir, o.Command, o.MarkPDF = ".", &findspot.CommandOptions{Dir: "."}, &findspot.MarkOptions{}
			}
			return skill.WriteDefinitions(con.stdout, findspot.DescribeTools(o), format)
		},
	}
	f := c.Flags()
	f.StringVar(&format, "format", skill.FormatMarkdown, strings.Join(skill.ToolFormats(), ", "))
	f.StringVar(&profile, "profile", findspot.ProfileFull, "full, compact (eight tools in less than 10,000 bytes) or aliases (also under the names of other systems)")
	f.BoolVar(&host, "host-tools", false, "also print the tools that a host must allow: write_file, run_command and mark_pdf")
	return only(c, "--format has the JSON of providers", outputText, outputMD)
}
