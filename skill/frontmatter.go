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
	maxFront    = 64 << 10  // bytes of front matter
	maxWorkflow = 256 << 10 // bytes of a workflow block
	maxTriggers = 100
)

// nameRule is the specification's: lower-case letters, digits and single hyphens between them.
// looseName is what is loaded all the same, with a warning: no separators of paths, no spaces, nothing that is not shown.
var looseName = regexp.MustCompile(`^[\pL\pN][\pL\pN_.-]{0,127}$`)

var nameRule = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// splitFront cuts the front matter between its two --- lines from the body. bodyLine is the line on which the body
// starts, from 1.
func splitFront(text string) (front, body string, bodyLine int, err error) {
	first, rest, ok := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" || !ok {
		return "", "", 0, errors.New("no front matter: the file must start with a line ---")
	}
	for line, at := 2, 0; at < len(rest); line++ {
		end := strings.IndexByte(rest[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(rest)-at, len(rest)
		}
		if strings.TrimRight(rest[at:at+end], " \t") == "---" {
			return rest[:at], rest[next:], line + 1, nil
		}
		if at = next; at > maxFront {
			return "", "", 0, fmt.Errorf("front matter over %d bytes", maxFront)
		}
	}
	return "", "", 0, errors.New("the front matter has no closing line ---")
}

// plainColon finds a top-level value with a colon in it and no quotes, which YAML refuses and people write.
var plainColon = regexp.MustCompile(`(?m)^((?:description|compatibility|license): +)([^'"|>\[{\s].*:.*)$`)

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
		quoted := plainColon.ReplaceAllStringFunc(front, func(m string) string {
			k, v, _ := strings.Cut(m, ": ")
			return k + ": '" + strings.ReplaceAll(strings.TrimSpace(v), "'", "''") + "'"
		})
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

// toolNames reads "a b", "a, b" or a list. An entry such as Bash(git:*) is one name.
func toolNames(n *node) []string {
	out := []string{}
	switch n.kind {
	case scalarNode:
		depth := 0
		out = strings.FieldsFunc(n.text, func(r rune) bool {
			switch r {
			case '(':
				depth++
			case ')':
				depth--
			}
			return depth <= 0 && (r == ' ' || r == ',' || r == '\n' || r == '\t')
		})
	case listNode:
		for _, el := range n.list {
			if el.kind != scalarNode || el.text == "" {
				return nil
			}
			out = append(out, el.text)
		}
	default:
		return nil
	}
	return out
}

func nonEmptyLines(s string) (out []string) {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// workflowBlock finds the fenced block whose info string is "yaml workflow". line is the line of its first content, in
// the file, and 0 when there is none. A block inside another fence is text.
func workflowBlock(file, body string, bodyLine int) (block string, line int, problems []Problem) {
	var (
		fence  string
		inside bool
		b      strings.Builder
		opened int
	)
	n := bodyLine - 1
	for text := range strings.Lines(body) {
		n++
		trimmed := strings.TrimSpace(text)
		if fence == "" {
			if !strings.HasPrefix(trimmed, "```") && !strings.HasPrefix(trimmed, "~~~") {
				continue
			}
			mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:1]))]
			info := strings.Fields(trimmed[len(mark):])
			fence, opened = mark, n
			inside = len(info) == 2 && info[0] == "yaml" && info[1] == "workflow"
			if inside && line > 0 {
				problems = append(problems, Problem{file, n, fmt.Sprintf("a second workflow block: the first starts in line %d", line-1)})
				inside = false
			} else if inside {
				line = n + 1
			}
			continue
		}
		if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
			fence, inside = "", false
			continue
		}
		if inside {
			b.WriteString(text)
		}
	}
	if inside {
		problems = append(problems, Problem{file, opened, "the workflow block is not closed"})
	}
	if b.Len() > maxWorkflow {
		return "", line, append(problems, Problem{file, line, fmt.Sprintf("workflow block over %d bytes", maxWorkflow)})
	}
	return b.String(), line, problems
}
