package agentconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/rootfs"
)

// An Agent is a coding agent, by where it looks for instructions and MCP servers in a project.
type Agent struct {
	Name   string
	Guide  string // file of instructions, in the project
	file   string // of MCP servers, in the project; "": the agent has none there
	key    string // of the servers in that file
	folder string // how that file names the project's folder; "": by paths relative to it, which the agent starts servers in
	own    string // configuration of the user, where the agent has no file in a project
}

// Agents returns the agents that are known, by name.
func Agents() []Agent {
	return []Agent{
		{Name: "claude", Guide: "CLAUDE.md", file: ".mcp.json", key: "mcpServers"}, // Claude Code, project scope
		{Name: "codex", Guide: "AGENTS.md", own: "~/.codex/config.toml"},
		{Name: "cursor", Guide: "AGENTS.md", file: ".cursor/mcp.json", key: "mcpServers", folder: "${workspaceFolder}"}, // Cursor, project configuration
		{Name: "vscode", Guide: "AGENTS.md", file: ".vscode/mcp.json", key: "servers", folder: "${workspaceFolder}"},    // Visual Studio Code, workspace configuration
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
	Command     string // program: a path, or a name to be looked for
	Index       string
	Docs, Repos []string // brought up to date at the start; without any, those of the entry that is there, else what is in the index is served
}

// An entry is a server as configurations have it.
type entry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// entry returns the server as the agent's configuration is to have it. In a project's file paths below root are written so that they hold for whoever checks the project out.
func (a Agent) entry(root string, s Server) entry {
	path := func(p string) string {
		if a.file == "" {
			return p
		}
		rel, err := filepath.Rel(root, p)
		if err != nil || !filepath.IsLocal(rel) {
			return p
		}
		if rel = filepath.ToSlash(rel); a.folder == "" {
			return rel
		}
		if rel == "." {
			return a.folder
		}
		return a.folder + "/" + rel
	}
	e := entry{Command: s.Command, Args: []string{"--dir", path(s.Index)}}
	if a.folder != "" {
		e.Type = "stdio"
	}
	for _, d := range s.Docs {
		e.Args = append(e.Args, "--docs", path(d))
	}
	for _, r := range s.Repos {
		e.Args = append(e.Args, "--repo", path(r))
	}
	e.Args = append(e.Args, "--profile", "compact")
	return e
}

// ours reports whether an entry is one that [Agent.Write] made: the same program, with no other options than it gives.
func (e entry) ours(command string) bool {
	name := func(s string) string {
		return strings.TrimSuffix(filepath.Base(s), ".exe")
	}
	if name(e.Command) != name(command) {
		return false
	}
	for _, arg := range e.Args {
		if strings.HasPrefix(arg, "-") && !slices.Contains([]string{"dir", "docs", "repo", "profile"}, strings.TrimLeft(arg, "-")) {
			return false
		}
	}
	return true
}

// keep takes over the folders that an old entry gives as a flag, where they are missing.
func (e *entry) keep(old entry, flag string, missing bool) {
	for i, arg := range old.Args[:max(len(old.Args)-1, 0)] {
		if missing && strings.HasPrefix(arg, "-") && strings.TrimLeft(arg, "-") == flag {
			at := len(e.Args) - 2 // before the profile
			e.Args = slices.Insert(e.Args, at, "--"+flag, old.Args[i+1])
		}
	}
}

// snippet returns what is to be put in by hand.
func (a Agent) snippet(e entry) (string, error) {
	args, err := json.Marshal(e.Args) // also an array of strings in TOML
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(a.own, ".toml") {
		return fmt.Sprintf("[mcp_servers.findspot]\ncommand = %q\nargs = %s", e.Command, args), nil
	}
	key := a.key
	if key == "" {
		key = "mcpServers"
	}
	kind := ""
	if e.Type != "" {
		kind = fmt.Sprintf("\"type\": %q, ", e.Type)
	}
	return fmt.Sprintf("{%q: {\"findspot\": {%s\"command\": %q, \"args\": %s}}}", key, kind, e.Command, args), nil
}

// An Outcome says what became of the configuration.
type Outcome struct {
	File    string `json:"file,omitempty"` // in the project; "": the agent has none there
	Change  string `json:"change"`         // written, updated, unchanged, or kept: there is another entry, or the file cannot be read, and nothing was written
	Reason  string `json:"reason,omitempty"`
	Snippet string `json:"snippet,omitempty"` // what to put in by hand, where nothing was written
}

// maxFile bounds a file of configuration in bytes.
const maxFile = 1 << 20

// Write puts the server into the configuration of the agent in the project at root, an absolute path, as "findspot". An entry that it wrote before is brought up to date; another one of that name, or
// one with more options, is replaced with force alone.
func (a Agent) Write(root string, s Server, force bool) (Outcome, error) {
	e := a.entry(root, s)
	out := Outcome{File: a.file}
	var err error
	if out.Snippet, err = a.snippet(e); err != nil {
		return Outcome{}, err
	}
	if a.file == "" {
		out.Change, out.Reason = "kept", "this agent has no MCP configuration file in a project: add this to its own configuration"
		if a.own != "" {
			out.Reason += ", " + a.own
		}
		return out, nil
	}
	whole, servers, reason, err := a.read(root)
	if err != nil {
		return out, err
	}
	if reason != "" {
		out.Change, out.Reason = "kept", reason
		return out, nil
	}
	change := "written"
	if have := servers["findspot"]; have != nil {
		var old entry
		d := json.NewDecoder(bytes.NewReader(have))
		d.DisallowUnknownFields() // what somebody added is not lost
		known := d.Decode(&old) == nil && old.ours(s.Command)
		if known {
			e.keep(old, "docs", len(s.Docs) == 0)
			e.keep(old, "repo", len(s.Repos) == 0)
		}
		if known && old.Type == e.Type && old.Command == e.Command && slices.Equal(old.Args, e.Args) {
			return Outcome{File: a.file, Change: "unchanged"}, nil
		}
		if !known && !force {
			out.Change, out.Reason = "kept", "it has another entry with this name"
			return out, nil
		}
		change = "updated"
	}
	if servers["findspot"], err = json.Marshal(e); err != nil {
		return out, err
	}
	if whole[a.key], err = json.Marshal(servers); err != nil {
		return out, err
	}
	data, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		return out, err
	}
	file := filepath.Join(root, filepath.FromSlash(a.file))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return out, err
	}
	if file, err = rootfs.OutputFrom(root, filepath.FromSlash(a.file)); err != nil {
		return out, err
	}
	f, err := os.Create(file)
	if err != nil {
		return out, err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return out, err
	}
	return Outcome{File: a.file, Change: change}, nil
}

// read returns the configuration of the agent in the project at root, and the servers in it: both empty where there is no file. reason says why a file cannot be taken.
func (a Agent) read(root string) (whole, servers map[string]json.RawMessage, reason string, err error) {
	whole, servers = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	info, err := rootfs.New(root).Stat(filepath.ToSlash(a.file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return whole, servers, "", nil
	case err != nil:
		return nil, nil, "", err
	case info.Size() > maxFile:
		return nil, nil, "the file is too large for a configuration", nil
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(a.file)))
	if err != nil {
		return nil, nil, "", err
	}
	if len(bytes.TrimSpace(data)) > 0 {
		err = json.Unmarshal(data, &whole)
		if err == nil && whole[a.key] != nil {
			err = json.Unmarshal(whole[a.key], &servers)
		}
		if err != nil { // comments, maybe, which would be lost
			return nil, nil, "it is not plain JSON: " + err.Error(), nil
		}
	}
	return whole, servers, "", nil
}

// Command returns the program by which the agent starts the server named findspot in the project at root; "" where its file has none, or cannot be read.
func (a Agent) Command(root string) string {
	if a.file == "" {
		return ""
	}
	_, servers, _, err := a.read(root)
	var e entry
	if err != nil || json.Unmarshal(servers["findspot"], &e) != nil {
		return ""
	}
	return e.Command
}

// File is the file of MCP servers, from the folder of the project; "" for none.
func (a Agent) File() string { return a.file }
