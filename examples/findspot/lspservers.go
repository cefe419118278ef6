package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/lspclient"
)

// maxBuffer bounds an unsaved buffer, in bytes.
const maxBuffer = 16 << 20

// readBuffer reads the text of an unsaved buffer.
func readBuffer(e *env.Env, name string) ([]byte, error) {
	f, err := e.OpenFile(name)
	if err != nil {
		return nil, fmt.Errorf("--overlay: %w", err)
	}
	text, more, err := readAtMost(f, maxBuffer)
	if more {
		err = fmt.Errorf("larger than %d bytes", maxBuffer)
	}
	if err != nil {
		return nil, fmt.Errorf("--overlay %s: %w", name, err)
	}
	return text, nil
}

func lspServers(a *app, f *lspFlags) *cobra.Command {
	start := false
	c := &cobra.Command{
		Use:   "servers",
		Short: "List language servers: which are installed, how to install the rest",
		Example: `  findspot lsp servers
  findspot lsp servers --start --timeout 5m --repo receiver`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, open := c.Context(), a.open
			if start {
				open = a.openCode
			}
			ws, err := open(ctx)
			if err != nil {
				return err
			}
			var started []findspot.StartedServer
			if start {
				if f.timeout > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, f.timeout)
					defer cancel()
				}
				if started, err = startServers(ctx, &a.console, ws); err != nil {
					return err
				}
			}
			list, err := ws.Servers(c.Context())
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(list)
			} else {
				printServers(&a.console, list)
			}
			return cmp.Or(err, reportStarted(&a.console, started))
		},
	}
	c.Flags().BoolVar(&start, "start", false, "start the servers that the repository's files need, and wait until they are ready")
	return c
}

// startServers starts what is needed, and says on standard error how far it is.
func startServers(ctx context.Context, con *console, ws *findspot.Workspace) ([]findspot.StartedServer, error) {
	type result struct {
		list []findspot.StartedServer
		err  error
	}
	done := make(chan result, 1)
	go func() {
		list, err := ws.StartServers(ctx)
		done <- result{list, err}
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	last := map[string]string{}
	for {
		select {
		case r := <-done:
			return r.list, r.err
		case <-tick.C:
		}
		list, err := ws.Servers(ctx)
		if err != nil {
			continue // the time is over, which the start says too
		}
		for _, s := range list {
			for _, p := range s.Processes {
				text := "ready"
				if !p.Ready {
					text = "reading " + p.Folder
				}
				if p.Problem != "" {
					text += ": " + oneLine(p.Problem)
				}
				if key := fmt.Sprint(s.Name, p.PID); last[key] != text {
					last[key] = text
					fmt.Fprintf(con.stderr, "%s: %s\n", s.Name, text)
				}
			}
		}
	}
}

func printServers(con *console, list []findspot.ServerStatus) {
	repo := ""
	for _, s := range list {
		if s.Repo != repo {
			repo = s.Repo
			con.printf("%s\n", repo)
		}
		state := "not installed; to install it: " + s.Install
		if s.Installed {
			state = strings.TrimSpace("installed " + s.Version + " at " + clean(s.Command))
		} else if s.Problem != "" && !strings.HasSuffix(s.Problem, "is not on PATH") {
			state += " (" + oneLine(s.Problem) + ")"
		}
		con.printf("%-28s %-40s %s\n", s.Name, strings.Join(s.Languages, ", "), state)
		for _, why := range s.Lacks {
			con.printf("    it %s\n", oneLine(why))
		}
		for _, p := range s.Processes {
			ready := "ready"
			if !p.Ready {
				ready = "not ready"
			}
			con.printf("    runs in %s: %s, process %d, %d MB", clean(p.Folder), ready, p.PID, p.Memory>>20)
			if p.Problem != "" {
				con.printf("; %s", oneLine(p.Problem))
			}
			con.printf("\n")
		}
	}
}

// reportStarted names the servers that are not ready, for which the command ends with status 3.
func reportStarted(con *console, list []findspot.StartedServer) error {
	var err error
	for _, s := range list {
		where := s.Folder
		if s.Repo != "" {
			where = s.Repo + "//" + s.Folder
		}
		switch {
		case s.Problem != "":
			fmt.Fprintf(con.stderr, "findspot: %s: %s\n", clean(where), oneLine(s.Problem))
			err = errReported
		case s.State != lspclient.Complete:
			fmt.Fprintf(con.stderr, "findspot: %s: %s is %s: %s\n", clean(where), s.Name, s.State, oneLine(s.Reason))
			err = errReported
		}
	}
	return err
}
