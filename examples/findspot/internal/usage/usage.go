package usage

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const (
	width = 120 // columns of a page
	most  = 30  // columns of a flag's name, beyond which its text stands below it

	rare    = "findspot_rare"
	section = "findspot_section"
)

// Rare marks flags of a set that help shows when all are asked for.
func Rare(f *pflag.FlagSet, names ...string) { annotate(f, rare, "", names) }

// Section puts flags of all commands under a title on their page, in the order of the calls.
func Section(f *pflag.FlagSet, title string, names ...string) { annotate(f, section, title, names) }

func annotate(f *pflag.FlagSet, key, value string, names []string) {
	for i, name := range names {
		flag := f.Lookup(name)
		if flag == nil {
			panic("no flag --" + name)
		}
		if flag.Annotations == nil {
			flag.Annotations = map[string][]string{}
		}
		flag.Annotations[key] = []string{value, fmt.Sprintf("%03d", i)}
	}
}

// Write writes the help of a command, all of its flags where that is asked for.
func Write(w io.Writer, c *cobra.Command, all bool) error {
	var b strings.Builder
	text := c.Long
	if text == "" {
		text = c.Short
	}
	b.WriteString(strings.TrimSpace(text) + "\n")
	if !c.Runnable() && !c.HasSubCommands() { // a page that is no command
		_, err := io.WriteString(w, b.String())
		return err
	}
	line := c.UseLine()
	if c.HasAvailableSubCommands() && !strings.Contains(c.Use, " ") { // else it also does something by itself
		line = c.CommandPath() + " COMMAND"
	}
	b.WriteString("\nUsage:\n  " + line + "\n")
	if c.Example != "" {
		b.WriteString("\nExamples:\n" + strings.TrimRight(c.Example, "\n") + "\n")
	}
	commands(&b, c)
	own := c.NonInheritedFlags()
	if c.HasParent() {
		flags(&b, "Flags", own, func(f *pflag.Flag) bool { return f.Name != "help" && !f.Hidden && (all || f.Annotations[rare] == nil) })
	}
	hidden := false
	own.VisitAll(func(f *pflag.Flag) { hidden = hidden || f.Annotations[rare] != nil && !all })
	b.WriteString("\n")
	if hidden && c.HasParent() {
		fmt.Fprintf(&b, "More flags of this command: %s --help-all\n", c.CommandPath())
	}
	for p := c.Parent(); p != nil && p.HasParent(); p = p.Parent() {
		if names := flagNames(p); len(names) > 0 {
			fmt.Fprintf(&b, "Flags of %s: %s --help\n", p.CommandPath(), p.CommandPath())
		}
	}
	fmt.Fprintf(&b, "Flags of all commands, such as --dir, --docs, --repo, --output: %s help flags\n", c.Root().Name())
	if !c.HasParent() {
		fmt.Fprintf(&b, "Exit statuses: %s help exit. Help about a command: %s COMMAND --help\n", c.Name(), c.Name())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func flagNames(c *cobra.Command) (out []string) {
	c.PersistentFlags().VisitAll(func(f *pflag.Flag) { out = append(out, f.Name) })
	return out
}

// commands writes the commands below c, by group.
func commands(b *strings.Builder, c *cobra.Command) {
	if !c.HasAvailableSubCommands() {
		return
	}
	pad := 0
	for _, s := range c.Commands() {
		if s.IsAvailableCommand() {
			pad = max(pad, len(s.Name()))
		}
	}
	groups := []*cobra.Group{}
	groups = append(groups, c.Groups()...)
	groups = append(groups, &cobra.Group{Title: "Commands"})
	for _, g := range groups {
		var lines []string
		for _, s := range c.Commands() {
			if s.GroupID == g.ID && s.IsAvailableCommand() && s.Name() != "help" {
				lines = append(lines, fmt.Sprintf("  %-*s  %s\n", pad, s.Name(), s.Short))
			}
		}
		if len(lines) > 0 {
			b.WriteString("\n" + g.Title + ":\n" + strings.Join(lines, ""))
		}
	}
}

// Flags writes the page of the flags of all commands.
func Flags(root *cobra.Command) string {
	var b strings.Builder
	var titles []string
	root.PersistentFlags().SortFlags = false
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if a := f.Annotations[section]; a != nil && !slices.Contains(titles, a[0]) {
			titles = append(titles, a[0])
		}
	})
	for _, t := range titles {
		flags(&b, t, root.PersistentFlags(), func(f *pflag.Flag) bool {
			a := f.Annotations[section]
			return a != nil && a[0] == t && !f.Hidden
		})
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// flags writes the flags that fit under a title.
func flags(b *strings.Builder, title string, set *pflag.FlagSet, fits func(*pflag.Flag) bool) {
	type line struct{ name, text string }
	var lines []line
	pad := 0
	set.VisitAll(func(f *pflag.Flag) {
		if !fits(f) {
			return
		}
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		if v := Value(f); v != "" {
			name += " " + v
		}
		lines = append(lines, line{name, Text(f)})
		if n := utf8.RuneCountInString(name); n <= most {
			pad = max(pad, n)
		}
	})
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n" + title + ":\n")
	for _, l := range lines {
		parts := wrap(l.text, width-pad-4)
		if utf8.RuneCountInString(l.name) > pad {
			fmt.Fprintf(b, "  %s\n", l.name)
			l.name = ""
		}
		for _, p := range parts {
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s  %s", pad, l.name, p), " ") + "\n")
			l.name = ""
		}
	}
}

// values are what the values of flags are, by the flag's name.
var values = map[string]string{
	"dir": "DIR", "docs": "PATH", "repo": "DIR", "skills": "DIR", "servers": "FILE", "server": "NAME", "ocr": "PROGRAM", "ocr-languages": "LANGUAGES", "engine": "URL,...",
	"engine-ca": "FILE", "output": "FORM", "format": "FORM", "password-file": "FILE", "glossary": "FILE", "queries": "FILE", "run": "FILE", "record": "FILE", "replay": "FILE",
	"answer": "FILE", "query-file": "FILE", "history": "FILE", "images": "DIR", "into": "FILE", "rules": "FILE", "in": "NAME", "overlay": "FILE=BUFFER", "pages": "PAGES",
	"lines": "LINES", "from": "DATE", "to": "DATE", "embed-url": "URL", "base-url": "URL", "path": "PATTERN", "prefix": "NAME", "collection": "NAME", "model": "NAME",
	"embed-model": "MODEL", "provider": "NAME", "kind": "KIND", "edge": "EDGE", "level": "LEVEL", "view": "VIEW", "weight": "NAME=NUMBER", "input": "NAME=VALUE", "write-dir": "DIR",
	"trust-skill": "DIGEST", "docs-dir": "PATH", "agent": "NAME",
}

// Value is the word for the value of a flag; "" where it takes none.
func Value(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return ""
	case "int", "int64", "count":
		return "N"
	case "duration":
		return "TIME"
	}
	if v := values[f.Name]; v != "" {
		return v
	}
	return "TEXT"
}

// Text is what a flag does, with its default.
func Text(f *pflag.Flag) string {
	s := strings.Join(strings.Fields(f.Usage), " ")
	switch d := f.DefValue; {
	case d == "" || d == "false" || d == "0" || d == "0s" || d == "[]" || strings.Contains(s, "(default"):
	default:
		s += " (default " + d + ")"
	}
	return s
}

// wrap cuts a text into lines.
func wrap(s string, n int) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(s) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > n {
			out, line = append(out, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(out, line)
}
