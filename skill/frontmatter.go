package skill

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxTriggers = 100
)

// nameRule is the specification's: lower-case letters, digits and single hyphens between them.
// looseName is what is loaded all the same, with a warning: no separators of paths, no spaces, nothing that is not shown.
var looseName = regexp.MustCompile(`^[\pL\pN][\pL\pN_.-]{0,127}$`)

var nameRule = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// parseFront reads the fields of the Agent Skills specification. Unknown fields are kept out of the way.
func (s *Skill) parseFront(front string) (problems []Problem) {
	add := func(line int, format string, args ...any) {
		problems = append(problems, Problem{s.File, line, fmt.Sprintf(format, args...)})
	}
	warn := func(line int, format string, args ...any) {
		s.Warnings = append(s.Warnings, Problem{s.File, line, fmt.Sprintf(format, args...)})
	}
	root, err := parseYAML(front, 2)
	if err != nil {
		quoted := quoteColons(front)
		if again, err2 := parseYAML(quoted, 2); quoted != front && err2 == nil {
			root, err = again, nil
			warn(2, "a value with a colon should be quoted")
		}
	}
	if err != nil {
		line, text := 2, err.Error()
		var ye *yamlError
		if errors.As(err, &ye) {
			line, text = ye.line, ye.text
		}
		add(line, "front matter: %s", text)
		return problems
	}
	if root.kind != mapNode {
		add(root.line, "front matter: must be a mapping of fields")
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
func (s *Skill) parseFields(root *node) (problems []Problem) {
	add := func(line int, format string, args ...any) {
		problems = append(problems, Problem{s.File, line, fmt.Sprintf(format, args...)})
	}
	warn := func(line int, format string, args ...any) {
		s.Warnings = append(s.Warnings, Problem{s.File, line, fmt.Sprintf(format, args...)})
	}
	str := func(k key) string {
		if k.node.kind != scalarNode || k.node.value == nil {
			add(k.line, "%s: must be a text", k.name)
			return ""
		}
		return strings.TrimSpace(k.node.text)
	}
	loose := func(k key) string { // what nobody acts on is no reason to refuse the skill
		if k.node.kind == scalarNode && k.node.value == nil {
			return ""
		}
		if k.node.kind != scalarNode {
			warn(k.line, "%s: should be a text", k.name)
			return strings.Join(texts(k.node.plain()), ", ")
		}
		return strings.TrimSpace(k.node.text)
	}
	for _, k := range root.keys {
		switch k.name {
		case "name":
			s.Name = str(k)
			switch {
			case s.Name == "":
			case nameRule.MatchString(s.Name):
			case looseName.MatchString(s.Name):
				warn(k.line, "name %q: the specification wants lower-case letters, digits and single hyphens only", s.Name)
			default:
				add(k.line, "name %q: lower-case letters, digits and single hyphens only", s.Name)
			}
			switch {
			case len(s.Name) > 64:
				warn(k.line, "name is over 64 characters")
			}
		case "description":
			s.Description = str(k)
			if utf8.RuneCountInString(s.Description) > 1024 {
				warn(k.line, "description is over 1024 characters")
			}
		case "license":
			s.License = loose(k)
		case "compatibility":
			s.Compatibility = loose(k)
			if utf8.RuneCountInString(s.Compatibility) > 500 {
				warn(k.line, "compatibility is over 500 characters")
			}
		case "allowed-tools":
			s.AllowedTools = toolNames(k.node)
			if s.AllowedTools == nil { // what cannot be read allows nothing
				s.AllowedTools = []string{}
				warn(k.line, "allowed-tools: must be tool names with spaces between, or a list of them; no tool is allowed")
			}
		case "metadata":
			if k.node.kind != mapNode {
				warn(k.line, "metadata: must be a mapping of texts, and is not read")
				continue
			}
			s.Metadata = map[string]string{}
			for _, m := range k.node.keys {
				if m.node.kind != scalarNode {
					warn(m.line, "metadata.%s: should be a text, and is kept as JSON", m.name)
					data, err := marshal(m.node.plain())
					if err != nil {
						add(m.line, "metadata.%s: %v", m.name, err)
						continue
					}
					if s.Metadata[m.name] = string(data); m.node.kind == listNode && slices.Contains([]string{"examples", "not-for", "triggers"}, m.name) {
						m.node = &node{line: m.node.line, text: strings.Join(texts(m.node.plain()), "\n")} // a list of lines is what is meant
						s.Metadata[m.name] = m.node.text
					}
				} else {
					s.Metadata[m.name] = m.node.text
				}
				if m.name == "triggers" {
					s.parseTriggers(m, add)
				}
			}
		}
	}
	s.Examples = nonEmptyLines(s.Metadata["examples"])
	s.NotFor = nonEmptyLines(s.Metadata["not-for"])
	return problems
}

func (s *Skill) parseTriggers(m key, add func(int, string, ...any)) {
	at := m.node.line
	if strings.Contains(m.node.text, "\n") {
		at = m.line + 1
	}
	for i, text := range strings.Split(m.node.text, "\n") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		if len(s.Triggers) == maxTriggers {
			add(m.line, "metadata.triggers: more than %d", maxTriggers)
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
