package agentconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A Hook is a command that an agent runs at an event.
type Hook struct {
	Event   string
	Matcher string // empty: all tools
	Command string
}

// hookGroup is an entry of an event's list, in the form of Claude Code and Codex.
type hookGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []hookCommand `json:"hooks"`
}

type hookCommand struct {
	Type    string `json:"type"`
	Command string `json:"command"`
}

func projectPlan(root, name string) (*Plan, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("%q leads out of the project", name)
	}
	p := &Plan{File: filepath.Join(root, filepath.FromSlash(name)), Change: Written, mode: 0o644, project: root}
	return p, p.read()
}

// PlanFile is the change that makes a file of the project what data is. Another content is replaced with force alone.
func PlanFile(root, name string, data []byte, force bool) (*Plan, error) {
	p, err := projectPlan(root, name)
	if err != nil || p.fresh {
		if p != nil {
			p.after = data
		}
		return p, err
	}
	switch {
	case bytes.Equal(p.before, data):
		p.Change, p.after = Unchanged, p.before
	case force:
		p.Change, p.after = Updated, data
	default:
		p.Change, p.after = Kept, p.before
	}
	return p, nil
}

// PlanBlock is the change that puts a text into a file of the project, between two marks with the block's name. The rest of the file is kept.
func PlanBlock(root, name, block string, text []byte) (*Plan, error) {
	p, err := projectPlan(root, name)
	if err != nil {
		return nil, err
	}
	begin, end := "<!-- findspot:"+block+":begin (edits between the marks are lost) -->", "<!-- findspot:"+block+":end -->"
	new := slices.Concat([]byte(begin+"\n\n"), bytes.TrimSpace(text), []byte("\n\n"+end))
	from, to := bytes.Index(p.before, []byte(begin)), bytes.Index(p.before, []byte(end))
	switch {
	case from < 0 && to < 0:
		head := bytes.TrimRight(p.before, "\n")
		if len(head) > 0 {
			head = append(bytes.Clone(head), "\n\n"...)
		}
		p.after = slices.Concat(head, new, []byte("\n"))
	case from >= 0 && to > from:
		p.after = splice(p.before, from, to+len(end), new)
		p.Change = Updated
	default:
		return nil, &brokenError{p.File, fmt.Errorf("the marks %q and %q do not match: repair or delete them", begin, end)}
	}
	if bytes.Equal(p.before, p.after) {
		p.Change = Unchanged
	}
	return p, nil
}

// PlanHooks is the change that puts hooks into a JSON file of the project, below "hooks". A hook whose command holds mark is ours, and brought up to
// date; all else is kept. One that somebody has changed otherwise is replaced with force alone.
func PlanHooks(root, name, mark string, hooks []Hook, force bool) (*Plan, error) {
	p, err := projectPlan(root, name)
	if err != nil {
		return nil, err
	}
	text := p.before
	for _, h := range hooks {
		next, kept, err := setHook(text, mark, h, force)
		if err != nil {
			return nil, &brokenError{p.File, err}
		}
		if kept {
			p.Change, p.after = Kept, p.before
			return p, nil
		}
		text = next
	}
	p.after = text
	switch {
	case bytes.Equal(p.before, text):
		p.Change = Unchanged
	case bytes.Contains(p.before, []byte(mark)):
		p.Change = Updated
	}
	return p, nil
}

func setHook(text []byte, mark string, h Hook, force bool) (out []byte, kept bool, err error) {
	p := &jsonText{text: text}
	root, err := p.parse()
	if err != nil {
		return nil, false, err
	}
	group := hookGroup{h.Matcher, []hookCommand{{"command", h.Command}}}
	var list *member
	if all := root.find("hooks"); all != nil {
		list = all.value.find(h.Event)
	}
	if list == nil {
		out, err = (&jsonText{text: text}).set("hooks", h.Event, []hookGroup{group})
		return out, false, err
	}
	at := list.value
	if text[at.start] != '[' {
		return nil, false, fault(text, at.start, "%q is not a list", h.Event)
	}
	in, _ := p.indent(list.start)
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	unit := "  "
	if strings.HasPrefix(in, "\t") {
		unit = "\t"
	}
	made, err := marshal(group, in+unit, unit, eol)
	if err != nil {
		return nil, false, err
	}
	for _, el := range at.elements {
		raw := text[el.start:el.end]
		if !bytes.Contains(raw, []byte(mark)) {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		var have hookGroup
		switch err := d.Decode(&have); {
		case err == nil && have.Matcher == group.Matcher && slices.Equal(have.Hooks, group.Hooks):
			return text, false, nil
		case (err != nil || len(have.Hooks) != 1) && !force:
			return nil, true, nil
		}
		return splice(text, el.start, el.end, made), false, nil
	}
	if n := len(at.elements); n > 0 {
		return splice(text, at.elements[n-1].end, at.elements[n-1].end, slices.Concat([]byte(","+eol+in+unit), made)), false, nil
	}
	return splice(text, at.start, at.end, slices.Concat([]byte("["+eol+in+unit), made, []byte(eol+in+"]"))), false, nil
}

// WritePlans makes all changes, unless one is kept: then nothing is written, since half of them enforces nothing.
func WritePlans(plans []*Plan) error {
	for _, p := range plans {
		if p.Change == Kept {
			return errors.New("nothing was written: " + p.File + " has other content: compare it, and replace it with --force")
		}
	}
	for _, p := range plans {
		if err := p.Write(); err != nil {
			return err
		}
	}
	return nil
}
