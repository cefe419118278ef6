package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/lspclient"
)

func (a *app) lspCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "lsp",
		Short:   "Ask language servers",
		Example: "  findspot lsp references detect_pss --repo receiver\n  findspot lsp servers",
		Args:    noCommand,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.lspDefinition(), a.lspReferences(), a.lspSymbols(), a.lspServers())
	return c
}

// target reads a name, or a place path:line[:col].
func target(s string) lspclient.Target {
	parts := strings.Split(s, ":")
	var nums []int
	for len(parts) > 1 && len(nums) < 2 {
		n, err := strconv.Atoi(parts[len(parts)-1])
		if err != nil || n < 1 {
			break
		}
		nums = append([]int{n}, nums...)
		parts = parts[:len(parts)-1]
	}
	path := strings.Join(parts, ":")
	switch len(nums) {
	case 1:
		return lspclient.At(path, nums[0], 1)
	case 2:
		return lspclient.At(path, nums[0], nums[1])
	}
	return lspclient.Named(s)
}

func (a *app) printLocations(res *findspot.Places) error {
	for _, l := range res.Locations {
		a.printf("%s:%d:%d\n", clean(l.Path), l.Line, l.Col)
	}
	fmt.Fprintf(a.stderr, "%d of %d places by %s, %s", len(res.Locations), res.Total, res.Server, res.State)
	for _, s := range []string{res.Reason, res.Note} {
		if s != "" {
			fmt.Fprintf(a.stderr, "; %s", s)
		}
	}
	fmt.Fprintln(a.stderr)
	return nil
}

func (a *app) lspDefinition() *cobra.Command {
	return &cobra.Command{
		Use:     "definition NAME | PATH:LINE:COL",
		Short:   "Where a symbol is defined",
		Example: "  findspot lsp definition CellSearcher.search --repo receiver",
		Args:    exactly(1),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.Definition(ctx, target(args[0]), nil)
			return show(a, res, err, a.printLocations)
		}),
	}
}

func (a *app) lspReferences() *cobra.Command {
	o := &lspclient.ReferenceOptions{}
	c := &cobra.Command{
		Use:     "references NAME | PATH:LINE:COL",
		Short:   "Where a symbol is used",
		Example: "  findspot lsp references detect_pss --repo receiver",
		Args:    exactly(1),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.References(ctx, target(args[0]), o)
			return show(a, res, err, a.printLocations)
		}),
	}
	c.Flags().BoolVar(&o.Declaration, "declaration", false, "the declaration counts too")
	c.Flags().IntVar(&o.Limit, "limit", 0, "most places (default 1000)")
	return c
}

func (a *app) lspSymbols() *cobra.Command {
	return &cobra.Command{
		Use:     "symbols FILE",
		Short:   "The declarations of a file",
		Example: "  findspot lsp symbols receiver/pss.py --repo .",
		Args:    exactly(1),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.Symbols(ctx, args[0])
			return show(a, res, err, func(res *lspclient.SymbolResult) error {
				a.printSymbols(0, res.Symbols)
				fmt.Fprintf(a.stderr, "by %s, %s\n", res.Server, res.State)
				return nil
			})
		}),
	}
}

func (a *app) printSymbols(depth int, list []lspclient.Symbol) {
	for _, s := range list {
		a.printf("%s%s %s  %d-%d\n", strings.Repeat("  ", depth), s.Kind, clean(s.Name), s.Location.Line, s.Location.EndLine)
		a.printSymbols(depth+1, s.Children)
	}
}

func (a *app) lspServers() *cobra.Command {
	return &cobra.Command{
		Use:     "servers",
		Short:   "Which language servers are installed, and how to install the rest",
		Example: "  findspot lsp servers",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			ws, err := a.open(c.Context())
			if err != nil {
				return err
			}
			list, err := ws.Servers(c.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(list)
			}
			for _, s := range list {
				state := "not installed; to install it: " + s.Install
				if s.Installed {
					state = strings.TrimSpace("installed " + s.Version + " at " + s.Command)
				}
				a.printf("%-28s %-40s %s\n", s.Name, strings.Join(s.Languages, ", "), state)
			}
			return nil
		},
	}
}
