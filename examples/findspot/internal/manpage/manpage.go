package manpage

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/findspot/findspot/examples/findspot/internal/usage"
)

// WriteAll writes a page for root and each command below it into a folder, which is made when it is not there, and returns their names: findspot.1, findspot-docs-add.1. Pages of these
// names are replaced.
func WriteAll(dir string, root *cobra.Command) ([]string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var names []string
	var walk func(c *cobra.Command) error
	walk = func(c *cobra.Command) error {
		if !c.IsAvailableCommand() && c != root || c.Name() == "help" {
			return nil
		}
		var b strings.Builder
		if err := Write(&b, c); err != nil {
			return err
		}
		name := pageName(c) + ".1"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o666); err != nil {
			return err
		}
		names = append(names, name)
		for _, s := range c.Commands() {
			if err := walk(s); err != nil {
				return err
			}
		}
		return nil
	}
	return names, walk(root)
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// Write writes the page of one command, with all of its flags.
func Write(w io.Writer, c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" findspot \"User commands\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(escaped(pageName(c))), escaped(pageName(c)), escaped(c.Short))
	line := c.UseLine()
	if c.HasAvailableSubCommands() && !strings.Contains(c.Use, " ") { // else it also does something by itself
		line = c.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", escaped(line))
	text := c.Long
	if text == "" {
		text = c.Short
	}
	b.WriteString(".SH DESCRIPTION\n")
	for i, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(escaped(p) + "\n")
	}
	flags(&b, "OPTIONS", c.NonInheritedFlags())
	if c.HasParent() {
		if p := c.Parent(); p.HasParent() {
			flags(&b, "OPTIONS OF "+strings.ToUpper(p.Name()), p.PersistentFlags())
		}
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", escaped(strings.TrimRight(c.Example, "\n")))
	}
	b.WriteString(".SH SEE ALSO\n")
	var see []string
	if c.HasParent() {
		see = append(see, ".BR "+escaped(pageName(c.Parent()))+" (1)")
	}
	for _, s := range c.Commands() {
		if s.IsAvailableCommand() && s.Name() != "help" {
			see = append(see, ".BR "+escaped(pageName(s))+" (1)")
		}
	}
	b.WriteString(strings.Join(see, ",\n") + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func flags(b *strings.Builder, title string, set *pflag.FlagSet) {
	first := true
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if first {
			fmt.Fprintf(b, ".SH %s\n", escaped(title))
			first = false
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if v := usage.Value(f); v != "" {
			name += " " + v
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", escaped(name), escaped(usage.Text(f)))
	})
}

// escaped makes text of what roff would obey: backslashes, hyphens that a reader copies, and controls at the beginning of a line.
func escaped(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
