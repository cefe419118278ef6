package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/skill"
)

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
