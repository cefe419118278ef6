package toolset

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/toolpattern"
)

// A Set is a set of tools, some of which are other names of others. Lists of tools are asked here: an entry is a name, which
// means all names of that tool; a pattern with * and ? over names, such as lsp_* or *; and in allowed-tools also NAME(RULE), as
// Agent Skills have it, such as run_command(rg:*), which lists the tool for the calls alone whose command or path the rule matches.
type Set struct {
	ByName map[string]skill.Tool
	Names  []string // sorted
}

// New returns the set, without the tools that err says are wrong.
func New(tools []skill.Tool) (set *Set, err error) {
	set = &Set{ByName: map[string]skill.Tool{}}
	for _, t := range tools {
		if _, twice := set.ByName[t.Name]; twice || t.Name == "" || t.Call == nil {
			err = errors.Join(err, fmt.Errorf("tool %q: without a name or function, or given twice", t.Name))
			continue
		}
		set.ByName[t.Name] = t
	}
	for _, t := range set.ByName {
		if main, ok := set.ByName[t.AliasOf]; t.AliasOf != "" && (!ok || main.AliasOf != "") {
			err = errors.Join(err, fmt.Errorf("tool %q is an alias of %q, which is no tool of its own here", t.Name, t.AliasOf))
		}
	}
	set.Names = slices.Sorted(maps.Keys(set.ByName))
	return set, err
}

// Canonical is the name under which guards and counts know a tool.
func (s *Set) Canonical(name string) string { return cmp.Or(s.ByName[name].AliasOf, name) }

// sameTool returns the tool's name, that of the tool it stands for, and the other names of it.
func (s *Set) sameTool(tool string) []string {
	out := []string{tool}
	main := s.Canonical(tool)
	for _, n := range s.Names {
		if n != tool && s.Canonical(n) == main {
			out = append(out, n)
		}
	}
	if main != tool && len(out) == 1 {
		out = append(out, main)
	}
	return out
}

// Writes reports whether a call of the tool, under any of its names, changes something outside the run.
func (s *Set) Writes(tool string) bool {
	return slices.ContainsFunc(s.sameTool(tool), func(n string) bool { return s.ByName[n].Writes })
}

// Lists reports whether a list of names and patterns names the tool, by any of its names.
func (s *Set) Lists(list []string, tool string) bool {
	names := s.sameTool(tool)
	return slices.ContainsFunc(list, func(entry string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return toolpattern.Matches(entry, n) })
	})
}

// Allows reports whether allowed-tools list this call. args nil asks about the tool as such.
func (s *Set) Allows(list []string, tool string, args json.RawMessage) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		name, rule, ruled := toolpattern.CutRule(entry)
		return s.Lists([]string{name}, tool) && (!ruled || rule == "*" || rule == "" || args == nil || toolpattern.MatchesRule(rule, args))
	})
}
