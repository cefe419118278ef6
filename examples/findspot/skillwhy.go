package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/skill"
)

func skillWhy(a *app) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "why TASK",
		Short: "Print how each skill fits a task, and why one is chosen or none",
		Long: "Prints for each skill, best first: the fit and whether the skill is chosen, the words of the task that it knows, its nearest example, the trigger\n" +
			"that matches, and the nearest task that it says it is not for. Numbers go from 0 to 1.",
		Example: "  findspot skill why \"simulate cell search at low SNR\"",
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			choice, ok, err := choose(c.Context(), a, args)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(whyJSON(choice, ok))
			}
			printWhy(&a.console, choice, ok, all)
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "print the skills too that share nothing with the task")
	return c
}

// whyFit is a fit as JSON.
type whyFit struct {
	Skill    string         `json:"skill"`
	Score    float64        `json:"score"`
	Covered  float64        `json:"covered"`
	Near     float64        `json:"near"`
	Example  string         `json:"example"`
	Words    []string       `json:"words"`
	Trigger  string         `json:"trigger"`
	Inputs   map[string]any `json:"inputs"`
	NotFor   string         `json:"not_for"`
	Against  float64        `json:"against"`
	Denied   bool           `json:"denied"`
	Decision string         `json:"decision"`
}

func whyJSON(choice skill.Choice, ok bool) map[string]any {
	fits := []whyFit{}
	for _, f := range choice.Fits {
		fits = append(fits, whyFit{f.Skill.Name, f.Score, f.Covered, f.Near, f.Example, f.Words, f.Trigger, f.Inputs, f.NotFor, f.Against, f.Denied, f.Decision})
	}
	out := map[string]any{"skill": nil, "threshold": skill.DefaultThreshold, "margin": skill.DefaultMargin, "fits": fits}
	if ok {
		out["skill"] = choice.Skill.Name
	}
	return out
}

func printWhy(con *console, choice skill.Choice, ok, all bool) {
	p := newPrinter(con.stdout)
	if ok {
		p.printf("%s\n", choice.Skill.Name)
	} else {
		p.printf("none\n")
	}
	p.printf("threshold %.2f, margin %.2f of the best\n", skill.DefaultThreshold, skill.DefaultMargin)
	hidden := 0
	for _, f := range choice.Fits {
		if f.Score == 0 && f.Trigger == "" && !all {
			hidden++
			continue
		}
		p.printf("\n%-26s %.2f  %s\n", clean(f.Skill.Name), f.Score, clean(f.Decision))
		if f.Trigger != "" {
			p.printf("  trigger       %s\n", clean(f.Trigger))
		}
		p.printf("  words         %.2f  %s\n", f.Covered, clean(strings.Join(f.Words, " ")))
		if f.Example != "" {
			p.printf("  best example  %.2f  %s\n", f.Near, clean(f.Example))
		}
		if f.NotFor != "" {
			p.printf("  not for       %.2f  %s\n", f.Against, clean(f.NotFor))
		}
	}
	if hidden > 0 {
		p.printf("\n%d skills share nothing with the task\n", hidden)
	}
}
