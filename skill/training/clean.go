package training

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/skill"
)

// What stands before a path: no part of a word, another path or an address. In a text that is itself JSON, an escape may; on a terminal, a colour.
const (
	before = `(^|[^\w./\\\x00-]|\\[nrtbf"]|\x1b\[[0-9;]*m|\W-[A-Z]|file://(?:localhost)?)`
	slash  = `(?:\\{0,2}/)`
	part   = "[^\\s/\\\\\"'<>|:*?,;()\\[\\]{}`]+"
)

var (
	// A path with two parts or more, or one of a folder that every machine has. A single other part may be a route or a tag.
	unixPath = lazyregexp.New(before + `(` + slash + part + `(?:` + slash + part + `)+/?|` +
		slash + `{1,3}(?:home|root|Users|tmp|var|usr|etc|opt|srv|mnt|media|private|work|workspace|Volumes|proc|run|lib|bin)\b(?:` + slash + part + `)*/?)`)
	windowsPath = lazyregexp.New(`\b([A-Za-z]:(?:\\{1,4}|/)(?:[^\\/:*?"<>|\r\n\t]{1,80}(?:\\{1,4}|/))*[^\\/:*?"<>|\s]*|\\{2,4}[\w.$-]+\\{1,2}[^:*?"<>|\s]+)`)
	uncPath     = lazyregexp.New(before + `(\\{2,4}[A-Za-z0-9][\w.-]*\\{1,2}[\w$][^:*?"<>|\s]*)`)
	homePath    = lazyregexp.New(before + `(~[A-Za-z0-9_-]*(?:` + slash + part + `)+/?)`)
	placeholder = lazyregexp.New("\x00(\\w+)\x00")
	homeOwner   = lazyregexp.New(`(?:/home|/Users|\\Users)(?:/|\\{1,4})+([^\s/\\"'<>|:*?,;]+)`)
)

// generic are names of home folders that are nobody's.
var generic = map[string]bool{"user": true, "users": true, "home": true, "root": true, "runner": true, "ubuntu": true, "admin": true, "public": true, "shared": true, "default": true, "test": true}

// A cleaner removes secrets, absolute paths and the names of home folders from the texts of one run.
type cleaner struct {
	known  []string          // paths relative to a root that the run speaks of, longest first
	names  map[string]string // what stands for a path, a root or a person
	counts map[string]int    // by kind
	people *regexp.Regexp    // names of home folders; nil: none

	secrets, paths int // what was removed
}

// newCleaner looks at all texts of a run, so that a name is removed wherever it stands.
func newCleaner(r *Run, texts []string) *cleaner {
	c := &cleaner{names: map[string]string{}, counts: map[string]int{}}
	seen := map[string]bool{}
	for _, it := range r.items {
		if strings.Contains(it.At.Path, "/") {
			seen[it.At.Path] = true
		}
	}
	c.known = slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	owners := map[string]bool{}
	for _, t := range texts {
		for _, m := range homeOwner.FindAllStringSubmatch(t, -1) {
			if name := m[1]; len(name) >= 3 && !generic[strings.ToLower(name)] && len(owners) < 100 {
				owners[regexp.QuoteMeta(name)] = true
			}
		}
	}
	if len(owners) > 0 {
		c.people = regexp.MustCompile(`\b(?:` + strings.Join(slices.SortedFunc(maps.Keys(owners), func(a, b string) int {
			if len(a) != len(b) {
				return len(b) - len(a)
			}
			return strings.Compare(a, b)
		}), "|") + `)\b`)
	}
	return c
}

// name is what stands for a thing of a kind, between NULs until the text is done: the same for the same thing.
func (c *cleaner) name(kind, thing string) string {
	key := kind + "\x00" + thing
	if c.names[key] == "" {
		c.counts[kind]++
		c.names[key] = fmt.Sprintf("\x00%s%d\x00", kind, c.counts[kind])
	}
	return c.names[key]
}

// text cleans one text.
func (c *cleaner) text(s string) string {
	s, n := secrets.MaskString(strings.ReplaceAll(s, "\x00", ""))
	c.secrets += n
	s = windowsPath.ReplaceAllStringFunc(s, c.path)
	for _, re := range []*lazyregexp.Regexp{uncPath, homePath, unixPath} {
		s = replaceSecond(re, s, c.path)
	}
	if c.people != nil {
		s = c.people.ReplaceAllStringFunc(s, func(who string) string { c.paths++; return c.name("user", who) })
	}
	return placeholder.ReplaceAllString(s, "<$1>")
}

func replaceSecond(re *lazyregexp.Regexp, s string, f func(string) string) string {
	var b strings.Builder
	end := 0
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(s[end:m[4]])
		b.WriteString(f(s[m[4]:m[5]]))
		end = m[5]
	}
	b.WriteString(s[end:])
	return b.String()
}

// path is what stands for an absolute path: of a file that the run knows by its path in the repository, that path below a root.
func (c *cleaner) path(p string) string {
	c.paths++
	plain := strings.TrimRight(strings.NewReplacer(`\\`, "/", `\/`, "/", `\`, "/").Replace(p), "/")
	for _, k := range c.known {
		if root, ok := strings.CutSuffix(plain, "/"+k); ok {
			return c.name("root", root) + "/" + k
		}
	}
	dot := strings.TrimRight(plain, ".")
	return c.name("path", dot) + plain[len(dot):]
}

// value cleans the texts of JSON, the names of members too. What is no JSON comes back as it was, for [Check] to refuse.
func (c *cleaner) value(raw json.RawMessage) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if len(raw) == 0 || dec.Decode(&v) != nil {
		return raw
	}
	out, err := marshal(c.walk(v))
	if err != nil {
		return raw
	}
	return out
}

func (c *cleaner) walk(v any) any {
	switch v := v.(type) {
	case string:
		return c.text(v)
	case []any:
		for i := range v {
			v[i] = c.walk(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) { // in order, so that numbers are given in order
			out[c.text(k)] = c.walk(v[k])
		}
		return out
	}
	return v
}

func (c *cleaner) conversation(in *Conversation) *Conversation {
	out := &Conversation{System: c.text(in.System)}
	ids := map[string]string{"": ""} // those of providers say nothing, and differ from run to run
	id := func(s string) string {
		if _, ok := ids[s]; !ok {
			ids[s] = fmt.Sprintf("call_%d", len(ids))
		}
		return ids[s]
	}
	for _, m := range in.Messages {
		m.Text, m.CallID = c.text(m.Text), id(m.CallID)
		m.Calls = slices.Clone(m.Calls)
		for i, call := range m.Calls {
			m.Calls[i] = skill.ToolCall{ID: id(call.ID), Name: c.text(call.Name), Args: c.value(call.Args)}
		}
		out.Messages = append(out.Messages, m)
	}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, skill.ToolSpec{Name: c.text(t.Name), Description: c.text(t.Description), Schema: c.value(t.Schema)})
	}
	return out
}

func (c *cleaner) steps(in []Step) []Step {
	for i := range in {
		s := &in[i]
		s.Tool, s.By, s.Args, s.Result, s.Error = c.text(s.Tool), c.text(s.By), c.value(s.Args), c.text(s.Result), c.text(s.Error)
	}
	return in
}

// allTexts are the texts of what a run may become.
func allTexts(talks []*Conversation, steps []Step) (out []string) {
	for _, t := range talks {
		out = append(out, t.System)
		for _, m := range t.Messages {
			out = append(out, m.Text)
			for _, call := range m.Calls {
				out = append(out, string(call.Args))
			}
		}
	}
	for _, s := range steps {
		out = append(out, string(s.Args), s.Result, s.Error)
	}
	return out
}
