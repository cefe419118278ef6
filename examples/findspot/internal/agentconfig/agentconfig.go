package agentconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// An Agent is a coding agent, by where it looks for instructions and MCP servers in a project.
type Agent struct {
	Name   string
	Guide  string // file of instructions, in the project
	client string // whose file has the MCP servers; "": it is not known
}

// Agents returns the agents that are known, by name.
func Agents() []Agent {
	return []Agent{
		{Name: "claude", Guide: "CLAUDE.md", client: "claude-code"},
		{Name: "codex", Guide: "AGENTS.md", client: "codex"},
		{Name: "cursor", Guide: "AGENTS.md", client: "cursor"},
		{Name: "vscode", Guide: "AGENTS.md", client: "vscode"},
		{Name: "other", Guide: "AGENTS.md"},
	}
}

// Find returns the agent of a name.
func Find(name string) (Agent, bool) {
	for _, a := range Agents() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// A Server is how the server is started. Paths are absolute.
type Server struct {
	Command string   // program: a path, or a name to be looked for
	Args    []string // before the others: the command of a program that has several
	Index   string   // "": where the program finds it from the folder that it is started in
	// Getenv is where the folders of the user are looked up; nil: there are none, and there is no file of the user.
	Getenv func(name string) string

	Vectors     []string // flags that say where vectors come from, each with its value after it; without any, those of the entry that is there
	Docs, Repos []string // brought up to date at the start; without any, those of the entry that is there, else what is in the index is served
}

// An entry is a server as configurations have it.
type entry struct {
	Type    string            `json:"type,omitempty"`
	Source  string            `json:"source,omitempty"` // of older versions of Zed
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// entry returns the server as the client's configuration is to have it. In a project's file paths below root are written so that they hold for whoever checks the project out.
func (c Client) entry(scope, root string, s Server) entry {
	path := func(p string) string {
		if scope != Project {
			return p
		}
		rel, err := filepath.Rel(root, p)
		if err != nil || !filepath.IsLocal(rel) {
			return p
		}
		if rel = filepath.ToSlash(rel); c.folder == "" {
			return rel
		}
		if rel == "." {
			return c.folder
		}
		return c.folder + "/" + rel
	}
	e := entry{Command: s.Command, Args: slices.Clone(s.Args)}
	if c.typed {
		e.Type = "stdio"
	}
	if s.Index != "" {
		e.Args = append(e.Args, "--dir", path(s.Index))
	}
	for _, d := range s.Docs {
		e.Args = append(e.Args, "--docs", path(d))
	}
	for _, r := range s.Repos {
		e.Args = append(e.Args, "--repo", path(r))
	}
	e.Args = append(e.Args, s.Vectors...)
	return e
}

// InPlace reports whether a user's entry serves every project: the client starts its servers in the folder of the project.
func (c Client) InPlace() bool { return c.inPlace }

// programs are the names that this server had in configurations.
var programs = []string{"findspot", "mcpserver", "findspot-mcpserver"}

// ours reports whether an entry is one that was written here: the same program, or the one of before, with no other options than it gives.
func (e entry) ours(now entry) bool {
	base := func(s string) string { return strings.TrimSuffix(filepath.Base(s), ".exe") }
	if base(e.Command) != base(now.Command) && !(slices.Contains(programs, base(e.Command)) && slices.Contains(programs, base(now.Command))) {
		return false
	}
	for _, arg := range e.Args {
		if strings.HasPrefix(arg, "-") && !slices.Contains([]string{"dir", "docs", "repo", "profile", "embed-model", "embed-url", "embed-runes"}, strings.TrimLeft(arg, "-")) {
			return false
		}
	}
	return true
}

// keep takes over the folders that an old entry gives as a flag, where they are missing.
func (e *entry) keep(old entry, flag string, missing bool) {
	for i, arg := range old.Args[:max(len(old.Args)-1, 0)] {
		if missing && strings.HasPrefix(arg, "-") && strings.TrimLeft(arg, "-") == flag {
			e.Args = append(e.Args, "--"+flag, old.Args[i+1])
		}
	}
}

// snippet returns what is to be put in by hand.
func (c Client) snippet(e entry) (string, error) {
	args, err := json.Marshal(e.Args) // also an array of strings in TOML
	if err != nil {
		return "", err
	}
	if c.form == toml {
		return fmt.Sprintf("[%s.%s]\ncommand = %q\nargs = %s", c.key, name, e.Command, args), nil
	}
	kind := ""
	if e.Type != "" {
		kind = fmt.Sprintf("\"type\": %q, ", e.Type)
	}
	return fmt.Sprintf("{%q: {%q: {%s\"command\": %q, \"args\": %s}}}", c.key, name, kind, e.Command, args), nil
}

// An Outcome says what became of the configuration.
type Outcome struct {
	File    string `json:"file,omitempty"` // in the project; "": the agent has none there
	Change  string `json:"change"`         // see Written; kept: there is another entry, or the file cannot be read, and nothing was written
	Reason  string `json:"reason,omitempty"`
	Snippet string `json:"snippet,omitempty"` // what to put in by hand, where nothing was written
}

// Write puts the server into the configuration of the agent in the project at root, see [Client.Plan].
func (a Agent) Write(root string, s Server, force bool) (Outcome, error) {
	c, ok := FindClient(a.client)
	if !ok {
		c = Client{key: "mcpServers"}
		text, err := c.snippet(c.entry(User, root, s))
		return Outcome{Change: Kept, Reason: "where this agent has its MCP servers is not known: add this to its configuration", Snippet: text}, err
	}
	p, err := c.Plan(Project, root, s, force)
	out := Outcome{File: c.project}
	if broken, ok := errors.AsType[*brokenError](err); ok {
		out.Change, out.Reason = Kept, broken.err.Error()
		out.Snippet, err = c.snippet(c.entry(Project, root, s))
		return out, err
	}
	if err != nil {
		return out, err
	}
	if out.Change = p.Change; p.Change == Kept {
		out.Reason, out.Snippet = "it has another entry with this name", p.Entry
		return out, nil
	}
	return out, p.Write()
}

// Command returns the program by which the agent starts the server named findspot in the project at root; "" where its file has none, or cannot be read.
func (a Agent) Command(root string) string {
	c, ok := FindClient(a.client)
	if !ok {
		return ""
	}
	file, err := c.file(Project, root, nil)
	if err != nil {
		return ""
	}
	p := &Plan{File: file, project: root}
	if p.read() != nil {
		return ""
	}
	e, _, err := c.find(p.before)
	if err != nil || e == nil {
		return ""
	}
	return e.Command
}

// File is the file of MCP servers, from the folder of the project; "" for none.
func (a Agent) File() string {
	c, _ := FindClient(a.client)
	return c.project
}
