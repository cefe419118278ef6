package runner

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/schema"
	"github.com/findspot/findspot/skill/workflow"
)

// Scripts of a skill's folder. A skill may bring scripts, as the Agent Skills specification has it, but nothing here runs
// any. One is run when three agree: the host has registered a way to run files of its ending, the skill lists it in its
// workflow, and the host has approved the digest of its bytes. It is then called through the tool run_script, which writes,
// and so needs to be among allowed-tools, its guards open and an approval by a person, as every tool that writes does.

// A ScriptCall is a script to be run. The bytes are those of the digest; the file in the folder may have changed since, and
// is not to be read again.
type ScriptCall struct {
	Skill   string          // name
	Path    string          // in the skill's folder
	Content []byte          // at most 1 MB
	Digest  string          // hex SHA-256 of Content
	Args    json.RawMessage // an object; checked against the schema that the skill gives
}

// ScriptOptions let skills run scripts. The zero value, and nil, run none.
type ScriptOptions struct {
	// Run runs scripts by their ending with the dot, such as ".py". No function for it is shipped: what a script may reach
	// is for the host to bound.
	Run map[string]func(ctx context.Context, c *ScriptCall) (*skill.Result, error)
	// Digests are the hex SHA-256 of scripts that may run.
	Digests []string
	// Approve is asked about a script whose digest is not among them, each time; nil refuses it. The bytes are there to be shown.
	Approve func(ctx context.Context, c *ScriptCall) (bool, error)
}

type callerKey struct{}

// withCaller lets tools of this package see the run that calls them.
func withCaller(ctx context.Context, c *caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

func callerOf(ctx context.Context) *caller {
	c, _ := ctx.Value(callerKey{}).(*caller)
	return c
}

const runScriptSchema = `{"type":"object","properties":{"script":{"type":"string","description":"path of the script, as the skill lists it"},` +
	`"args":{"type":"object","description":"arguments, as the skill describes them"}},"required":["script"],"additionalProperties":false}`

// scriptTool is run_script for a host that registered a way to run scripts.
func scriptTool(o *ScriptOptions) skill.Tool {
	return skill.Tool{Name: convention.RunScript, Description: "Runs a script of the active skill.", Schema: json.RawMessage(runScriptSchema), Writes: true,
		Guidance: "Only scripts that the skill lists, and whose digest the host approved, are run.",
		Call: func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
			c := callerOf(ctx)
			if c == nil {
				return nil, fmt.Errorf("run_script: no skill is active: %w", skill.ErrUnsupported)
			}
			return c.script(ctx, o, args)
		}}
}

func (c *caller) script(ctx context.Context, o *ScriptOptions, args json.RawMessage) (*skill.Result, error) {
	var in struct {
		Script string          `json:"script"`
		Args   json.RawMessage `json:"args"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, fmt.Errorf("run_script: %w: %v", skill.ErrFormat, err)
	}
	c.state.mu.Lock()
	s := c.state.frames[len(c.state.frames)-1].skill // of the skill in use, its own scripts alone
	c.state.mu.Unlock()
	at := slices.IndexFunc(s.Workflow().Scripts, func(sc workflow.Script) bool { return sc.Path == in.Script })
	if at < 0 {
		return nil, fmt.Errorf("run_script: skill %s does not list %q under scripts", s.Name, in.Script)
	}
	exec := o.Run[path.Ext(in.Script)]
	if exec == nil {
		return nil, fmt.Errorf("run_script: %s: the host registered no way to run %q files: %w", in.Script, path.Ext(in.Script), skill.ErrUnsupported)
	}
	content, err := s.Asset(in.Script)
	if err != nil {
		return nil, fmt.Errorf("run_script: %w", err)
	}
	if len(in.Args) == 0 {
		in.Args = json.RawMessage("{}")
	}
	if form := s.Workflow().Scripts[at].Args; form != nil {
		data, err := json.Marshal(form)
		if err != nil {
			return nil, fmt.Errorf("run_script: %s: its schema: %w", in.Script, err)
		}
		if err := schema.Conforms(data, string(in.Args)); err != nil {
			return nil, fmt.Errorf("run_script: %s: arguments: %w", in.Script, err)
		}
	}
	call := &ScriptCall{Skill: s.Name, Path: in.Script, Content: content, Digest: fmt.Sprintf("%x", sha256.Sum256(content)), Args: in.Args}
	ok := slices.ContainsFunc(o.Digests, func(d string) bool { return strings.EqualFold(d, call.Digest) })
	if !ok && o.Approve != nil {
		shown := *call
		shown.Content = slices.Clone(content) // what is run is not what a callback has changed
		if ok, err = o.Approve(ctx, &shown); err != nil {
			return nil, fmt.Errorf("run_script: %s: approval: %w", in.Script, err)
		}
	}
	if !ok {
		return nil, fmt.Errorf("run_script: %s: its digest %s is not approved by the host", in.Script, call.Digest)
	}
	return exec(ctx, call)
}
