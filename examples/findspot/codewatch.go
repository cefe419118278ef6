package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
)

// watchLine is one update as scripts read it.
type watchLine struct {
	Repo      string  `json:"repo,omitempty"`
	Root      string  `json:"root"`
	Added     int     `json:"added"` // files
	Changed   int     `json:"changed"`
	Removed   int     `json:"removed"`
	Skipped   int     `json:"skipped"` // files left out now
	Rebuilt   string  `json:"rebuilt,omitempty"`
	Recovered string  `json:"recovered,omitempty"`
	TookMS    float64 `json:"took_ms"`
	Entities  int     `json:"entities"`
	Edges     int     `json:"edges"`
}

func codeWatch(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "watch",
		Short: "Keep the graphs of repositories up to date, and print a line for each update, until interrupted",
		Long: `Keep the graphs of repositories up to date while files change, until interrupted, which is no failure. The first line of each
repository tells what opening it found, every further one of an update: files, time, and the size of the graph. Changes that
come together, as when a branch is switched, are one update. Meanwhile other
programs read the same index, as it was saved last.`,
		Example: `  findspot code watch --repo receiver
  findspot code watch --json --repo receiver`,
		Args:   exactly(0),
		PreRun: func(*cobra.Command, []string) { a.keeps = true },
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, _ []string) error {
			a.endProgress()
			a.bar.w = nil // a bar would be drawn into the lines
			watching, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			enc := json.NewEncoder(a.stdout)
			enc.SetEscapeHTML(false)
			err := ws.Watch(watching, func(u *findspot.RepoInfo) {
				if err := printUpdate(&a.console, enc, u); err != nil {
					cancel(err)
				}
			})
			switch {
			case ctx.Err() != nil:
				return nil // interrupted, as it is meant to end
			case watching.Err() != nil:
				return context.Cause(watching)
			}
			return err
		}),
	}
}

func printUpdate(con *console, enc *json.Encoder, u *findspot.RepoInfo) error {
	ch := u.Changes
	l := watchLine{Repo: u.Name, Root: u.Root, Added: ch.Added, Changed: ch.Changed, Removed: ch.Removed, Skipped: len(ch.Skipped), Rebuilt: ch.Rebuilt, Recovered: ch.Recovered,
		TookMS: float64(ch.Took.Microseconds()) / 1000, Entities: u.Entities, Edges: u.Edges}
	if con.json {
		return enc.Encode(l)
	}
	text := fmt.Sprintf("%s: files: %d added, %d changed, %d removed, %d left out; %.0f ms; %d entities, %d edges",
		l.Root, l.Added, l.Changed, l.Removed, l.Skipped, l.TookMS, l.Entities, l.Edges)
	if l.Rebuilt != "" {
		text += "; rebuilt: " + l.Rebuilt
	}
	if l.Recovered != "" {
		text += "; recovered: " + l.Recovered
	}
	_, err := fmt.Fprintln(con.stdout, oneLine(text))
	return err
}
