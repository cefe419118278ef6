package agentconfig

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
)

// The scopes of a configuration.
const (
	Project = "project" // a file in the project, for everybody who works on it
	User    = "user"    // the user's own file
)

// The forms of files.
type form int

const (
	plainJSON form = iota
	looseJSON      // with comments, and commas before closing brackets
	toml
)

// A Client is a program that starts MCP servers, by where it has its configuration.
type Client struct {
	Name  string
	Title string

	project string   // file in a project; "": none
	folder  string   // how that file names the project's folder; "": by paths relative to it, which the client starts servers in
	user    []string // path of the user's file below his home, on any system that system does not name
	system  map[string][]string
	form    form
	key     string // of the servers
	typed   bool   // an entry says that it is of the type stdio
	inPlace bool   // the user's file serves every project: servers are started in the project's folder
}

// Clients returns the clients that are known, by name.
//
// Where they have their files: code.claude.com/docs/en/mcp and modelcontextprotocol.io/docs/develop/connect-local-servers (Claude Code, Claude Desktop; on Linux the folder that
// Electron gives it), learn.chatgpt.com and github.com/openai/codex docs/config.md (Codex; a project's file counts where the project is trusted), cursor.com/docs/context/mcp,
// code.visualstudio.com/docs/agents/reference/mcp-configuration (mcp.json of a workspace or of the profile), zed.dev/docs/ai/mcp and zed.dev/docs/configuring-zed.
func Clients() []Client {
	return []Client{
		{Name: "claude-code", Title: "Claude Code", project: ".mcp.json", user: []string{".claude.json"}, key: "mcpServers", inPlace: true},
		{Name: "claude-desktop", Title: "Claude Desktop", user: []string{".config", "Claude", "claude_desktop_config.json"}, key: "mcpServers",
			system: map[string][]string{"darwin": {"Library", "Application Support", "Claude", "claude_desktop_config.json"}, "windows": {"$APPDATA", "Claude", "claude_desktop_config.json"}}},
		{Name: "codex", Title: "Codex", project: ".codex/config.toml", user: []string{"$CODEX_HOME", "config.toml"}, form: toml, key: "mcp_servers", inPlace: true},
		{Name: "cursor", Title: "Cursor", project: ".cursor/mcp.json", folder: "${workspaceFolder}", user: []string{".cursor", "mcp.json"}, key: "mcpServers", typed: true},
		{Name: "vscode", Title: "Visual Studio Code", project: ".vscode/mcp.json", folder: "${workspaceFolder}", user: []string{".config", "Code", "User", "mcp.json"}, form: looseJSON, key: "servers", typed: true,
			system: map[string][]string{"darwin": {"Library", "Application Support", "Code", "User", "mcp.json"}, "windows": {"$APPDATA", "Code", "User", "mcp.json"}}},
		{Name: "zed", Title: "Zed", project: ".zed/settings.json", user: []string{"$XDG_CONFIG_HOME", "zed", "settings.json"}, form: looseJSON, key: "context_servers",
			system: map[string][]string{"darwin": {".config", "zed", "settings.json"}, "windows": {"$APPDATA", "Zed", "settings.json"}}},
	}
}

// FindClient returns the client of a name.
func FindClient(name string) (Client, bool) {
	for _, c := range Clients() {
		if c.Name == name {
			return c, true
		}
	}
	return Client{}, false
}

// Scope is the scope that is meant where none is named: the project, where the client has a file there.
func (c Client) Scope() string {
	if c.project == "" {
		return User
	}
	return Project
}

// The folders of the variables, below the user's home, where they are not set.
var folders = map[string][]string{"$APPDATA": {"AppData", "Roaming"}, "$CODEX_HOME": {".codex"}, "$XDG_CONFIG_HOME": {".config"}}

// ProjectFile is the client's file in a project, from its root; "" for none.
func (c Client) ProjectFile() string { return filepath.FromSlash(c.project) }

// file is the path of the client's file; root is that of the project, absolute, and getenv where the user's folders are looked up.
func (c Client) file(scope, root string, getenv func(string) string) (string, error) {
	switch {
	case scope == Project && c.project != "":
		return filepath.Join(root, filepath.FromSlash(c.project)), nil
	case scope == Project:
		return "", fmt.Errorf("%s has no configuration in a project: write that of the user", c.Title)
	case scope != User:
		return "", fmt.Errorf("scope %q: there are %s and %s", scope, Project, User)
	}
	parts := c.user
	if own := c.system[runtime.GOOS]; own != nil {
		parts = own
	}
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	if parts[0][0] == '$' {
		if dir := getenv(parts[0][1:]); dir != "" {
			return filepath.Join(append([]string{dir}, parts[1:]...)...), nil
		}
		parts = append(append([]string{}, folders[parts[0]]...), parts[1:]...)
	}
	home := getenv(map[bool]string{false: "HOME", true: "USERPROFILE"}[runtime.GOOS == "windows"])
	if home == "" {
		return "", errors.New("the user has no home folder")
	}
	return filepath.Join(append([]string{home}, parts...)...), nil
}
