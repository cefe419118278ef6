package agentconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/findspot/findspot/internal/rootfs"
)

// An Agent is a coding agent, by where it looks for instructions and MCP servers in a project.
type Agent struct {
	Name  string
	Guide string // file of instructions, in the project
	file  string // of MCP servers, in the project; "": the agent has none there
	key   string // of the servers in that file
}

// Agents returns the agents that are known, by name.
func Agents() []Agent {
	return []Agent{
		{Name: "claude", Guide: "CLAUDE.md", file: ".mcp.json", key: "mcpServers"},        // Claude Code, project scope
		{Name: "codex", Guide: "AGENTS.md"},                                               // ~/.codex/config.toml, the user's
		{Name: "cursor", Guide: "AGENTS.md", file: ".cursor/mcp.json", key: "mcpServers"}, // Cursor, project configuration
		{Name: "vscode", Guide: "AGENTS.md", file: ".vscode/mcp.json", key: "servers"},    // Visual Studio Code, workspace configuration
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

// A Server is how the server is started.
type Server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// An Outcome says what became of the configuration.
type Outcome struct {
	File    string `json:"file,omitempty"` // in the project; "": the agent has none there
	Change  string `json:"change"`         // written, unchanged, or kept: there is another entry, or the file cannot be read, and nothing was written
	Reason  string `json:"reason,omitempty"`
	Snippet string `json:"snippet,omitempty"` // what to put in by hand, where nothing was written
}

// maxFile bounds a file of configuration in bytes.
const maxFile = 1 << 20

// Write puts the server into the configuration of the agent in the project at root, as "findspot". An entry of that name that says something else is replaced with force alone.
func (a Agent) Write(root string, s Server, force bool) (Outcome, error) {
	entry, err := json.MarshalIndent(s, "    ", "  ")
	if err != nil {
		return Outcome{}, err
	}
	key := a.key
	if key == "" {
		key = "mcpServers"
	}
	out := Outcome{File: a.file, Snippet: fmt.Sprintf("{\n  %q: {\n    \"findspot\": %s\n  }\n}", key, entry)}
	if a.file == "" {
		out.Change, out.Reason = "kept", "the agent has no file of MCP servers in a project: put this into its own configuration"
		return out, nil
	}
	dir := rootfs.New(root)
	whole, servers := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	info, err := dir.Stat(filepath.ToSlash(a.file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return out, err
	case info.Size() > maxFile:
		out.Change, out.Reason = "kept", "the file is larger than a configuration is"
		return out, nil
	default:
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(a.file)))
		if err != nil {
			return out, err
		}
		if len(bytes.TrimSpace(data)) > 0 {
			err = json.Unmarshal(data, &whole)
			if err == nil && whole[key] != nil {
				err = json.Unmarshal(whole[key], &servers)
			}
			if err != nil { // comments, maybe, which would be lost
				out.Change, out.Reason = "kept", "it is not plain JSON: "+err.Error()
				return out, nil
			}
		}
	}
	if have := servers["findspot"]; have != nil {
		var old, now any
		if json.Unmarshal(have, &old) == nil && json.Unmarshal(entry, &now) == nil && equal(old, now) {
			return Outcome{File: a.file, Change: "unchanged"}, nil
		}
		if !force {
			out.Change, out.Reason = "kept", "it has another entry of this name"
			return out, nil
		}
	}
	servers["findspot"] = entry
	if whole[key], err = json.Marshal(servers); err != nil {
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
	f, err := rootfs.Create(file)
	if err != nil {
		return out, err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return out, err
	}
	return Outcome{File: a.file, Change: "written"}, nil
}

// equal compares what JSON was decoded to.
func equal(a, b any) bool {
	x, xerr := json.Marshal(a)
	y, yerr := json.Marshal(b)
	return xerr == nil && yerr == nil && bytes.Equal(x, y)
}
