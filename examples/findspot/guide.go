package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
)

func guideCommand(a *app) *cobra.Command {
	var into, rules string
	c := &cobra.Command{
		Use:     "guide",
		Short:   "Print the instructions for agents, or write them into a file",
		Long:    "Prints the text that teaches an agent when to use which tool, with the skills and the project's own rules. With\n--into it stands in a marked block of that file, and everything else in the file is kept.",
		Example: "  findspot guide --into AGENTS.md --rules docs/rules.md",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := a.options()
			if err != nil {
				return err
			}
			if rules != "" {
				text, err := readRules(rules)
				if err != nil {
					return err
				}
				o.Rules = text
			}
			if a.ws, err = findspot.Open(c.Context(), a.dir, o); err != nil {
				return err
			}
			if into == "" {
				a.printf("%s", a.ws.Guide())
				return nil
			}
			changed, err := a.ws.WriteGuide(into)
			if err != nil {
				return err
			}
			if changed {
				fmt.Fprintf(a.stderr, "wrote the guide into %s\n", into)
			} else {
				fmt.Fprintf(a.stderr, "%s is up to date\n", into)
			}
			return nil
		},
	}
	c.Flags().StringVar(&into, "into", "", "file to write the guide into, such as AGENTS.md")
	c.Flags().StringVar(&rules, "rules", "", "file with the project's own rules")
	return c
}

func readRules(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	data, more, err := readAtMost(f, 64<<10)
	if more {
		err = fmt.Errorf("%s: %w: rules have at most 64 kB", name, findspot.ErrTooLarge)
	}
	return string(data), err
}
