package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
)

func docsCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "check",
		Short:   "Read all of the index of documents and say what is broken in it; the exit status is 1 when something is",
		Example: "  findspot docs check --dir .findspot",
		Args:    exactly(0),
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, _ []string) error {
			rep, err := lib.Check(ctx)
			err = show(&a.console, rep, err, func(rep *docsearch.Report) error {
				for _, p := range rep.Problems {
					if p.Doc != "" {
						a.printf("%s  %s\n  ", p.Doc, clean(p.Name))
					}
					a.printf("%s: %s\n", clean(p.What), p.Do)
				}
				a.printf("%s, %d characters of text, %s\n", count(rep.Documents, "document", "documents"), rep.Runes, count(len(rep.Problems), "problem", "problems"))
				return nil
			})
			if err == nil && len(rep.Problems) > 0 {
				return errNo
			}
			return err
		}),
	}
}

func docsBackup(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "backup DIR",
		Short:   "Copy the index of documents into a new folder, also while another process adds to it",
		Long:    "Copy the index of documents into a new folder, also while another process adds to it.\nThe folder can be used as an index (--dir DIR), and it appears when the copy is whole.",
		Example: "  findspot docs backup /mnt/backup/papers",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			ws, err := a.open(c.Context())
			if err != nil {
				return err
			}
			err = ws.BackupDocs(c.Context(), args[0], &docsearch.BackupOptions{Progress: func(done, total int64) {
				a.bar.show(findspot.Progress{Room: "docs", Name: args[0], Done: int(done >> 20), Total: int(total >> 20)})
			}})
			a.endProgress()
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stderr, "findspot: copied to %s\n", clean(args[0]))
			return nil
		},
	}
}
