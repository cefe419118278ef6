package toolpattern

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/findspot/findspot/skill/internal/jsonvalue"
)

// Matches reports whether an entry names the tool. A pattern that cannot be read names the tool it is the text of.
func Matches(entry, tool string) bool {
	if entry == tool {
		return true
	}
	if !strings.ContainsAny(entry, "*?[") {
		return false
	}
	ok, err := path.Match(entry, tool)
	return ok && err == nil
}

// CutRule cuts NAME(RULE). rule is empty and ruled false for a bare name.
func CutRule(entry string) (name, rule string, ruled bool) {
	name, rest, ok := strings.Cut(entry, "(")
	if !ok || !strings.HasSuffix(rest, ")") {
		return entry, "", false
	}
	return strings.TrimSpace(name), strings.TrimSuffix(rest, ")"), true
}

// Lists reports whether a list names the tool, by the name as it is written; rules are not looked at.
func Lists(list []string, tool string) bool {
	for _, entry := range list {
		if name, _, _ := CutRule(entry); Matches(name, tool) {
			return true
		}
	}
	return false
}

// MatchesRule looks at what a call would do: its command with its arguments, or its path. A rule "git:*" takes every
// command that begins with the words before the colon; "src/*" is a pattern. A command text with a shell's operators in it
// is matched by no rule, since more than one command may stand in it.
func MatchesRule(rule string, args json.RawMessage) bool {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return false
	}
	for k := range m {
		if strings.ToLower(k) != k {
			return false // a tool may take Command for command, and then two stand there
		}
	}
	subject := ""
	for _, field := range []string{"command", "cmd", "args", "argv"} {
		subject = strings.TrimSpace(subject + " " + strings.Join(jsonvalue.Texts(m[field]), " "))
	}
	if subject != "" && strings.ContainsAny(subject, ";|&<>`$\n\r") {
		return false
	}
	if subject == "" {
		for _, field := range []string{"path", "file", "file_path", "script"} {
			if s, ok := m[field].(string); ok && s != "" {
				if path.Clean(s) != s {
					return false // a/../b is no path below a
				}
				subject = s
				break
			}
		}
	}
	if subject == "" {
		return false
	}
	if prefix, ok := strings.CutSuffix(rule, ":*"); ok {
		return subject == prefix || strings.HasPrefix(subject, prefix+" ")
	}
	if prefix, ok := strings.CutSuffix(rule, " *"); ok {
		return subject == prefix || strings.HasPrefix(subject, prefix+" ")
	}
	if dir, ok := strings.CutSuffix(rule, "/**"); ok {
		return strings.HasPrefix(subject, dir+"/")
	}
	ok, err := path.Match(rule, subject)
	return ok && err == nil
}
