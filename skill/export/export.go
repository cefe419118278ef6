package export

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

// The houses.
const (
	Claude   = "claude"    // Claude Code: a skill and hooks
	Codex    = "codex"     // Codex: a skill and hooks of the same form
	Cursor   = "cursor"    // Cursor: a rule, which is text
	AgentsMD = "agents-md" // AGENTS.md, which many agents read: text
)

// Houses lists the houses, sorted.
func Houses() []string { return []string{AgentsMD, Claude, Codex, Cursor} }

// SkillsFolder is where a house that has hooks reads skills: a slash path in the project. It is empty for another house.
func SkillsFolder(house string) string {
	return map[string]string{Claude: ".claude/skills", Codex: ".agents/skills"}[house]
}

// A Bundle is a skill for a house.
type Bundle struct {
	Skill       string    `json:"skill"`
	House       string    `json:"house"`
	Files       []File    `json:"-"`            // sorted by path
	Hooks       *HookFile `json:"-"`            // nil: none
	Enforced    []string  `json:"enforced"`     // what the house's hooks enforce
	NotEnforced []string  `json:"not_enforced"` // what is text for the model, and why
}

// A File is written into the project.
type File struct {
	Path  string // slash path in the project
	Data  []byte
	Block string // not empty: Data is a block of the file, which begins and ends with marks of this name
}

// A HookFile is a JSON file of the project that hooks go into, below "hooks".
type HookFile struct {
	Path  string // slash path in the project
	Mark  string // what the command of each hook of this skill holds, and no other
	Hooks []HookEntry
}

// A HookEntry is a command that the house runs at an event.
type HookEntry struct {
	Event   string // such as PreToolUse
	Matcher string // expression over tool names; empty: all
	Command string // for a POSIX shell
}

// Options say how a skill is exported. Nil takes the defaults.
type Options struct {
	Program string // what hooks run, by its name or path; empty: findspot
	Index   string // index folder whose hooks keep their state there, when it is not .findspot in the project
}

const (
	maxFiles = 500
	maxBytes = 16 << 20 // of all files
)

var skillName = lazyregexp.New(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// Export makes the files of a skill for a house. It writes nothing.
func Export(s *skill.Skill, house string, o *Options) (*Bundle, error) {
	if o == nil {
		o = &Options{}
	}
	switch {
	case !slices.Contains(Houses(), house):
		return nil, fmt.Errorf("house %q: there are %s", house, strings.Join(Houses(), ", "))
	case !skillName.MatchString(s.Name):
		return nil, fmt.Errorf("skill %q: other programs want a name of lower-case letters, digits and single hyphens: rename it", s.Name)
	case strings.ContainsAny(o.Program+o.Index, "'\x00\n"):
		return nil, fmt.Errorf("%q: a path with a quote or line break cannot be named in a hook: move it", o.Program+o.Index)
	}
	b := &Bundle{Skill: s.Name, House: house, Enforced: []string{}, NotEnforced: []string{}}
	if folder := SkillsFolder(house); folder != "" {
		if err := b.addSkill(folder, s, map[string]bool{}); err != nil {
			return nil, err
		}
		slices.SortFunc(b.Files, func(x, y File) int { return strings.Compare(x.Path, y.Path) })
		if s.Workflow() != nil && len(s.Workflow().Guards) > 0 {
			b.Hooks = hooks(s, house, o)
		}
	} else if house == Cursor {
		head := "---\ndescription: " + quoteYAML(s.Description) + "\nalwaysApply: false\n---\n\n"
		b.Files = []File{{Path: ".cursor/rules/" + s.Name + ".mdc", Data: []byte(head + Text(s))}}
	} else {
		b.Files = []File{{Path: "AGENTS.md", Data: []byte(Text(s)), Block: "skill:" + s.Name}}
	}
	b.tell(s)
	return b, nil
}

// quoteYAML is a text as a scalar in one line. JSON's form is one of YAML's.
func quoteYAML(s string) string { return fmt.Sprintf("%q", strings.Join(strings.Fields(s), " ")) }

// addSkill adds the folder of a skill as it is, so that its digest stays, and those of the skills that it uses.
func (b *Bundle) addSkill(folder string, s *skill.Skill, done map[string]bool) error {
	if done[s.Name] {
		return nil
	}
	done[s.Name] = true
	if s.Folder() == nil || path.Base(s.File) != "SKILL.md" {
		return fmt.Errorf("skill %s is no folder with a SKILL.md, which other programs read: make it one (findspot skill new)", s.Name)
	}
	size := 0
	err := fs.WalkDir(s.Folder(), ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (p == "tests" || p != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !d.Type().IsRegular():
			return nil
		}
		data, err := s.ReadFile(p, maxBytes)
		if err != nil {
			return err
		}
		if size += len(data); size > maxBytes || len(b.Files) >= maxFiles {
			return fmt.Errorf("skill %s has more than %d files or %d bytes: %w: take out what it does not need", s.Name, maxFiles, maxBytes, errs.TooLarge)
		}
		b.Files = append(b.Files, File{Path: path.Join(folder, s.Name, p), Data: data})
		return nil
	})
	if err != nil {
		return err
	}
	for _, u := range s.Uses() {
		if err := b.addSkill(folder, u, done); err != nil {
			return err
		}
	}
	return nil
}

// hooks are the entries that run the hook program. Every failure of it, and that it is missing, must block: a house goes on after all exit codes but 2.
func hooks(s *skill.Skill, house string, o *Options) *HookFile {
	program := o.Program
	if program == "" {
		program = "findspot"
	}
	if strings.ContainsFunc(program, func(r rune) bool { return !strings.ContainsRune("/._-", r) && !isWord(r) }) {
		program = "'" + program + "'"
	}
	mark := fmt.Sprintf("skill hook --house %s --skill %s --digest ", house, s.Name)
	command := program + " " + mark + s.Digest
	if o.Index != "" {
		command += " --dir '" + o.Index + "'"
	}
	file := &HookFile{Path: ".codex/hooks.json", Mark: mark}
	if house == Claude {
		file.Path = ".claude/settings.json"
		command += ` --root "$CLAUDE_PROJECT_DIR"`
	}
	command += " || exit 2"
	file.Hooks = []HookEntry{
		{Event: preTool, Command: command},
		{Event: postTool, Matcher: toolPrefix + ".*", Command: command},
		{Event: userPrompt, Command: command},
	}
	return file
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// tell says what is enforced and what is not.
func (b *Bundle) tell(s *skill.Skill) {
	not := func(format string, args ...any) { b.NotEnforced = append(b.NotEnforced, fmt.Sprintf(format, args...)) }
	if s.Workflow() == nil {
		not("the skill has no workflow: all of it is text")
		return
	}
	if b.Hooks == nil {
		for _, g := range s.Workflow().Guards {
			not("the guard against %s until %s: it is text with checks", strings.Join(g.Deny, ", "), g.Until)
		}
	} else {
		gates := runner.NewGates(s, nil, nil)
		for _, g := range s.Workflow().Guards {
			b.Enforced = append(b.Enforced, fmt.Sprintf("%s, and what of this house does the same, until %s", strings.Join(g.Deny, ", "), g.Until))
		}
		for st := range s.Workflow().All() {
			switch {
			case st.Approve != nil:
				b.Enforced = append(b.Enforced, fmt.Sprintf("approval of %s: the person types approve %s", st.ID, st.ID))
				not("that what %s approves is what the steps say: the person reads what the model shows", st.ID)
			case st.Require != nil && gates.Observable(st):
				b.Enforced = append(b.Enforced, fmt.Sprintf("%s: %s, by what findspot's tools returned", st.ID, st.Require.Cond))
			case st.Require != nil:
				not("%s: %s, which tools alone do not show: the person types approve %s", st.ID, st.Require.Cond, st.ID)
			}
		}
		if b.House == Codex {
			not("anything before the person trusts the project and its hooks in Codex (/hooks), and calls of tools for which Codex runs no hooks")
		}
		not("which queries are asked: everything that a search tool returned counts for the steps that call it")
	}
	not("the order of steps, other than by gates; queries, sections, citations and checks of texts")
	if s.Allowed() != nil {
		not("allowed-tools: other tools stay available, other than by guards")
	}
	if s.Workflow().Limits != (workflow.Limits{}) {
		not("limits of calls, time and tokens")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Uses())) {
		if u := s.Uses()[name]; u.Workflow() != nil && len(u.Workflow().Guards) > 0 {
			not("the guards of skill %s, which this one uses: export it too", name)
		}
	}
}
