package main

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/findspot/findspot/internal/golden"
)

// TestReference keeps docs/cli.md, the reference of the command line, what the program says of itself.
func TestReference(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# The command line\n\n<!-- made by TestReference of examples/findspot: go test ./examples/findspot -run TestReference -update -->\n\n")
	root := (&app{}).root()
	root.InitDefaultCompletionCmd()
	fmt.Fprintf(&b, "%s\n\nEvery command prints its results in the format of `--output`, unless noted below ([formats.md](formats.md)).\n\n## Flags of every command\n\n", root.Long)
	flagTable(&b, root.PersistentFlags())
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c != root && c.Runnable() {
			section(&b, c)
		}
		for _, sub := range c.Commands() {
			if sub.Name() != "help" && !sub.Hidden {
				walk(sub)
			}
		}
	}
	walk(root)
	golden.Compare(t, filepath.Join("..", "..", "docs", "cli.md"), b.Bytes())
}

// section writes what a command does, an example, and its flags.
func section(b *bytes.Buffer, c *cobra.Command) {
	fmt.Fprintf(b, "## %s\n\n", c.CommandPath())
	if !c.HasSubCommands() || strings.Contains(c.Use, " ") { // which also does something by itself
		fmt.Fprintf(b, "    %s\n\n", c.UseLine())
	}
	fmt.Fprintf(b, "%s\n\n", strings.TrimSpace(cmp.Or(c.Long, c.Short+".")))
	if forms := c.Annotations[formsKey]; forms != "" {
		fmt.Fprintf(b, "Output is only %s (%s); any other format ends with exit status 2.\n\n", forms, c.Annotations[formsKey+"-why"])
	} else if c.HasParent() && c.Parent().Name() == "completion" {
		b.WriteString("Output is only text; any other format ends with exit status 2.\n\n")
	}
	if c.Example != "" {
		for line := range strings.Lines(c.Example) {
			fmt.Fprintf(b, "    %s\n", strings.TrimSpace(line))
		}
		b.WriteString("\n")
	}
	if c.HasSubCommands() {
		for _, sub := range c.Commands() {
			if sub.Name() != "help" && !sub.Hidden {
				fmt.Fprintf(b, "- `%s`: %s\n", sub.CommandPath(), sub.Short)
			}
		}
		b.WriteString("\n")
	}
	flagTable(b, c.LocalNonPersistentFlags())
}

// flagTable writes flags by name; nothing where there are none.
func flagTable(b *bytes.Buffer, flags *pflag.FlagSet) {
	begun := false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if !begun {
			begun = true
			b.WriteString("| flag | |\n|---|---|\n")
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := "`--" + strings.TrimSpace(f.Name+" "+kind) + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" && !strings.Contains(usage, "default") {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(b, "| %s | %s |\n", name, strings.ReplaceAll(strings.Join(strings.Fields(usage), " "), "|", `\|`))
	})
	if begun {
		b.WriteString("\n")
	}
}
