package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill/evidence"
)

func askCommand(a *app) *cobra.Command {
	o := &findspot.AskOptions{}
	var answer string
	c := &cobra.Command{
		Use:     "ask QUESTION",
		Short:   "Print the evidence that documents and code hold for a question",
		Long:    "Builds or updates the index of --docs and --repo, and prints grounded evidence: passages, figures and tables of\ndocuments, entities of code, and callers when the question asks for them. Every piece has a key and its exact place.",
		Example: `  findspot ask --docs papers --repo receiver "how is the PSS detected, and who calls detect_pss?"`,
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			ws, err := a.open(c.Context())
			if err != nil {
				return err
			}
			o.Ledger = evidence.NewLedger()
			ans, err := ws.Ask(c.Context(), strings.Join(args, " "), o)
			if err != nil {
				return err
			}
			if answer != "" {
				list, err := evidence.ListAnswer(c.Context(), o.Ledger, ans.Items, ans.Question)
				if err == nil {
					err = writeAnswer(c.Context(), answer, ws, o.Ledger, list)
				}
				if err != nil {
					return err
				}
			}
			if a.json {
				err = a.printJSON(ans)
			} else {
				p := newPrinter(a.stdout)
				err = ans.WriteText(p.w, p.open, p.close)
			}
			return found(err, len(ans.Items))
		},
	}
	answerFlag(c, &answer)
	c.Flags().IntVar(&o.Tokens, "tokens", 1500, "how long the answer may be, in tokens by estimate; callers are named even so")
	c.Flags().IntVar(&o.Skip, "skip", 0, "leave out so many pieces of each part, which were seen already")
	c.Flags().BoolVar(&o.Why, "why", false, "say what the score of each piece is made of")
	c.Flags().IntVar(&o.Documents, "documents", 10, "most documents to take pieces from")
	c.Flags().StringSliceVar(&o.Collections, "collection", nil, "only documents in this collection (repeatable)")
	c.Flags().IntVar(&o.Entities, "entities", 12, "most code entities, callers aside")
	c.Flags().IntVar(&o.Bodies, "bodies", 50, "most callers whose code is read and printed; -1 for none")
	return c
}
