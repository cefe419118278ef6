package skill

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/syntax"
	"github.com/findspot/findspot/skill/workflow"
)

const (
	maxTriggers = 100
)

// nameRule is the specification's: lower-case letters, digits and single hyphens between them.
// looseName is what is loaded all the same, with a warning: no separators of paths, no spaces, nothing that is not shown.
var looseName = lazyregexp.New(`^[\pL\pN][\pL\pN_.-]{0,127}$`)

var nameRule = lazyregexp.New(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// parseFront reads the fields of the Agent Skills specification. Unknown fields are kept out of the way.
func (s *Skill) parseFront(front string) (problems []workflow.Problem) {
	add := func(line int, format string, args ...any) {
		problems = append(problems, workflow.Problem{File: s.File, Line: line, Text: fmt.Sprintf(format, args...)})
	}
	warn := func(line int, format string, args ...any) {
		s.Warnings = append(s.Warnings, workflow.Problem{File: s.File, Line: line, Text: fmt.Sprintf(format, args...)})
	}
	root, err := syntax.Parse(front, 2)
	if err != nil {
		quoted := syntax.QuoteColons(front)
		if again, err2 := syntax.Parse(quoted, 2); quoted != front && err2 == nil {
			root, err = again, nil
			warn(2, "a value with a colon should be quoted")
		}
	}
	if err != nil {
		line, text := 2, err.Error()
		var ye *syntax.Error
		if errors.As(err, &ye) {
			line, text = ye.Line, ye.Text
		}
		add(line, "front matter: %s", text)
		return problems
	}
	if root.Kind != syntax.MapNode {
		add(root.Line, "front matter: must be a mapping of fields")
		return problems
	}
	problems = s.parseFields(root)
	if s.Name == "" && len(problems) == 0 {
		add(1, "name: missing")
	}
	if s.Description == "" && len(problems) == 0 {
		add(1, "description: missing: without it nobody knows when to use the skill")
	}
	return problems
}

// parseFields reads the fields that are there. What the specification asks for and a reader can do without is a warning,
// as it advises those who load skills.
func (s *Skill) parseFields(root *syntax.Node) (problems []workflow.Problem) {
	add := func(line int, format string, args ...any) {
		problems = append(problems, workflow.Problem{File: s.File, Line: line, Text: fmt.Sprintf(format, args...)})
	}
	warn := func(line int, format string, args ...any) {
		s.Warnings = append(s.Warnings, workflow.Problem{File: s.File, Line: line, Text: fmt.Sprintf(format, args...)})
	}
	str := func(k syntax.Key) string {
		if k.Node.Kind != syntax.ScalarNode || k.Node.Value == nil {
			add(k.Line, "%s: must be a text", k.Name)
			return ""
		}
		return strings.TrimSpace(k.Node.Text)
	}
	loose := func(k syntax.Key) string { // what nobody acts on is no reason to refuse the skill
		if k.Node.Kind == syntax.ScalarNode && k.Node.Value == nil {
			return ""
		}
		if k.Node.Kind != syntax.ScalarNode {
			warn(k.Line, "%s: should be a text", k.Name)
			return strings.Join(jsonvalue.Texts(k.Node.Plain()), ", ")
		}
		return strings.TrimSpace(k.Node.Text)
	}
	for _, k := range root.Keys {
		switch k.Name {
		case "name":
			s.Name = str(k)
			switch {
			case s.Name == "":
			case nameRule.MatchString(s.Name):
			case looseName.MatchString(s.Name):
				warn(k.Line, "name %q: the specification wants lower-case letters, digits and single hyphens only", s.Name)
			default:
				add(k.Line, "name %q: lower-case letters, digits and single hyphens only", s.Name)
			}
			switch {
			case len(s.Name) > 64:
				warn(k.Line, "name is over 64 characters")
			}
		case "description":
			s.Description = str(k)
			if utf8.RuneCountInString(s.Description) > 1024 {
				warn(k.Line, "description is over 1024 characters")
			}
		case "license":
			s.License = loose(k)
		case "compatibility":
			s.Compatibility = loose(k)
			if utf8.RuneCountInString(s.Compatibility) > 500 {
				warn(k.Line, "compatibility is over 500 characters")
			}
		case "allowed-tools":
			s.AllowedTools = syntax.Names(k.Node)
			if s.AllowedTools == nil { // what cannot be read allows nothing
				s.AllowedTools = []string{}
				warn(k.Line, "allowed-tools: must be tool names with spaces between, or a list of them; no tool is allowed")
			}
		case "metadata":
			if k.Node.Kind != syntax.MapNode {
				warn(k.Line, "metadata: must be a mapping of texts, and is not read")
				continue
			}
			s.Metadata = map[string]string{}
			for _, m := range k.Node.Keys {
				if m.Node.Kind != syntax.ScalarNode {
					warn(m.Line, "metadata.%s: should be a text, and is kept as JSON", m.Name)
					data, err := jsonvalue.Marshal(m.Node.Plain())
					if err != nil {
						add(m.Line, "metadata.%s: %v", m.Name, err)
						continue
					}
					if s.Metadata[m.Name] = string(data); m.Node.Kind == syntax.ListNode && slices.Contains([]string{"examples", "not-for", "triggers"}, m.Name) {
						m.Node = &syntax.Node{Line: m.Node.Line, Text: strings.Join(jsonvalue.Texts(m.Node.Plain()), "\n")} // a list of lines is what is meant
						s.Metadata[m.Name] = m.Node.Text
					}
				} else {
					s.Metadata[m.Name] = m.Node.Text
				}
				if m.Name == "triggers" {
					s.parseTriggers(m, add)
				}
			}
		}
	}
	s.Examples = syntax.Lines(s.Metadata["examples"])
	s.NotFor = syntax.Lines(s.Metadata["not-for"])
	return problems
}

func (s *Skill) parseTriggers(m syntax.Key, add func(int, string, ...any)) {
	at := m.Node.Line
	if strings.Contains(m.Node.Text, "\n") {
		at = m.Line + 1
	}
	for i, text := range strings.Split(m.Node.Text, "\n") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		if len(s.Triggers) == maxTriggers {
			add(m.Line, "metadata.triggers: more than %d", maxTriggers)
			return
		}
		re, err := regexp.Compile(text)
		if err != nil {
			add(at+i, "metadata.triggers: %v", err)
			continue
		}
		s.Triggers = append(s.Triggers, text)
		s.triggers = append(s.triggers, re)
	}
}
