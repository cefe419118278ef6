package skill

import (
	"encoding/json"

	"github.com/findspot/findspot/skill/internal/toolpattern"
)

// Lists of tools. An entry is a name, which means all names of that tool; a pattern with * and ? over names, such as
// lsp_* or *; and in allowed-tools also NAME(RULE), as Agent Skills have it, such as run_command(rg:*), which lists the tool
// for the calls alone whose command or path the rule matches.

// sameTool returns the tool's name, that of the tool it stands for, and the other names of it.
func (r *Runner) sameTool(tool string) []string {
	out := []string{tool}
	main := r.canonical(tool)
	for _, n := range r.names {
		if n != tool && r.canonical(n) == main {
			out = append(out, n)
		}
	}
	if main != tool && len(out) == 1 {
		out = append(out, main)
	}
	return out
}

// writes reports whether a call of the tool, under any of its names, changes something outside the run.
func (r *Runner) writes(tool string) bool {
	for _, n := range r.sameTool(tool) {
		if r.tools[n].Writes {
			return true
		}
	}
	return false
}

// lists reports whether a list of names and patterns names the tool, by any of its names.
func (r *Runner) lists(list []string, tool string) bool {
	names := r.sameTool(tool)
	for _, entry := range list {
		for _, n := range names {
			if toolpattern.Matches(entry, n) {
				return true
			}
		}
	}
	return false
}

// allows reports whether allowed-tools list this call. args nil asks about the tool as such.
func (r *Runner) allows(list []string, tool string, args json.RawMessage) bool {
	for _, entry := range list {
		name, rule, ruled := toolpattern.CutRule(entry)
		if !r.lists([]string{name}, tool) {
			continue
		}
		if !ruled || rule == "*" || rule == "" || args == nil || toolpattern.MatchesRule(rule, args) {
			return true
		}
	}
	return false
}
