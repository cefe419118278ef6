package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
)

func toolsCommand(con *console) *cobra.Command {
	var format, profile string
	var host bool
	c := &cobra.Command{
		Use:   "tools",
		Short: "Print the tools for agents, as a provider of models takes them",
		Long: "Prints the definitions of the tools that agents are given: as Markdown for people, or as the JSON that the Messages API of\n" +
			"Anthropic, Chat Completions of OpenAI and servers that follow it, or a server of the Model Context Protocol take. The library\n" +
			"gives its adapters and servers the same ones.",
		Example: "  findspot tools --format anthropic --profile compact",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			if !slices.Contains(skill.ToolFormats(), format) {
				return usagef("--format %q: there are %s", format, strings.Join(skill.ToolFormats(), ", "))
			}
			if !slices.Contains(findspot.Profiles(), profile) {
				return usagef("--profile %q: there are %s", profile, strings.Join(findspot.Profiles(), ", "))
			}
			o := &findspot.ToolsOptions{Profile: profile}
			if host {
				o.WriteDir, o.Command = ".", &findspot.CommandOptions{Dir: "."}
			}
			return skill.WriteDefinitions(con.stdout, findspot.DescribeTools(o), format)
		},
	}
	f := c.Flags()
	f.StringVar(&format, "format", skill.FormatMarkdown, strings.Join(skill.ToolFormats(), ", "))
	f.StringVar(&profile, "profile", findspot.ProfileFull, "full, compact (eight tools in less than 10,000 bytes) or aliases (also under the names of other systems)")
	f.BoolVar(&host, "host-tools", false, "also those that a host must allow: write_file and run_command")
	return c
}
