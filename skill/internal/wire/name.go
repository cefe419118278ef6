package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
)

// Name makes a name or id that providers take: 1 to most letters, digits, "_" and "-". One that is such a name already
// stays; another has its other characters replaced and a part of its hash added, so that different ones stay different.
// most is at least 16.
func Name(s string, most int) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	name := b.String()
	if name == s && name != "" && len(name) <= most {
		return name
	}
	sum := sha256.Sum256([]byte(s))
	return name[:min(len(name), most-9)] + "_" + hex.EncodeToString(sum[:4])
}

// Names are the tools of one request under the names that a provider takes.
type Names struct {
	to, from map[string]string
}

// NewNames names the tools. Two that get one name are an error.
func NewNames(tools []skill.ToolSpec, most int) (*Names, error) {
	n := &Names{to: map[string]string{}, from: map[string]string{}}
	for _, t := range tools {
		name := Name(t.Name, most)
		if other, ok := n.from[name]; ok {
			return nil, &skill.ModelError{Fault: skill.FaultInvalid, Text: fmt.Sprintf("the tools %q and %q would both be called %q", other, t.Name, name)}
		}
		n.to[t.Name], n.from[name] = name, t.Name
	}
	return n, nil
}

// To is the provider's name of a tool, also of one that is not offered any more.
func (n *Names) To(tool string, most int) string {
	if name, ok := n.to[tool]; ok {
		return name
	}
	return Name(tool, most)
}

// From is the tool that a provider's name means. A name that no tool has stays as it is.
func (n *Names) From(name string) string {
	if tool, ok := n.from[name]; ok {
		return tool
	}
	return name
}
