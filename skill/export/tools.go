package export

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/toolset"
	"github.com/findspot/findspot/skill/workflow"
)

// toolPrefix begins the names of the tools of a server named findspot. Houses name tools of servers mcp__SERVER__TOOL.
const toolPrefix = "mcp__findspot__"

// Tools of the houses by what they can do. Whatever stands in neither list, other servers' tools too, is taken to write.
var (
	shells   = []string{"Bash", "PowerShell", "Monitor", "shell", "local_shell", "exec_command", "unified_exec"}
	editors  = []string{"Write", "Edit", "MultiEdit", "NotebookEdit", "apply_patch"}
	harmless = []string{"Read", "Glob", "Grep", "LS", "LSP", "NotebookRead", "WebFetch", "WebSearch", "Task", "Agent", "TodoRead", "TodoWrite", "TaskCreate", "TaskGet", "TaskList",
		"TaskUpdate", "TaskOutput", "TaskStop", "BashOutput", "KillShell", "KillBash", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "Skill", "ToolSearch", "ListMcpResourcesTool",
		"ReadMcpResourceTool", "update_plan", "view_image", "web_search", "spawn_agent", "wait", "wait_agent", "close_agent"}
)

// denies reports whether a guard denies a call of a house's tool. A guard that denies a tool of findspot that writes denies everything of the house that may write.
func denies(set *toolset.Set, g workflow.Guard, tool string, args json.RawMessage) bool {
	if name, ours := strings.CutPrefix(tool, toolPrefix); ours {
		return set.Lists(g.Deny, name)
	}
	if set.Lists(g.Deny, tool) {
		return true
	}
	writes := func(n string) bool { return set.Lists(g.Deny, n) }
	return mayWrite(tool, args) && (slices.ContainsFunc(convention.Writers(), writes) || slices.ContainsFunc(set.Names, func(n string) bool { return set.Writes(n) && writes(n) }))
}

func mayWrite(tool string, args json.RawMessage) bool {
	if slices.Contains(shells, tool) {
		return !readOnly(args)
	}
	return !slices.Contains(harmless, tool)
}

// forges reports whether a call may change what the hook relies on: its state, the settings of houses, and skills. A shell command that may write may, and so
// may a tool of the house that is not known, since it may write prompts as a person does. state is the folder of the state.
func forges(set *toolset.Set, state, tool string, args json.RawMessage) bool {
	if name, ours := strings.CutPrefix(tool, toolPrefix); ours {
		return set.Writes(name) && (strings.HasPrefix(set.Canonical(name), "run_") || holdsFolder(args, state))
	}
	if slices.Contains(editors, tool) || strings.HasPrefix(tool, "mcp__") {
		return holdsFolder(args, state)
	}
	return mayWrite(tool, args)
}

// folders are those that the hook relies on, wherever they stand in a path.
var folders = lazyregexp.New(`(?i)\.findspot|\.claude|\.codex|\.agents|\.mcp\.json`)

// holdsFolder reports whether the arguments of a tool name one of the folders: in the path of an editor, else anywhere.
func holdsFolder(args json.RawMessage, state string) bool {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return true
	}
	var look any = m
	for _, field := range []string{"file_path", "notebook_path"} {
		if p, ok := m[field].(string); ok {
			look = p // what is written may speak of them
		}
	}
	text, err := jsonvalue.Marshal(look)
	return err != nil || folders.Match(text) || strings.Contains(string(text), state)
}

// What a shell command that only reads consists of: pipes between commands of this list, with plain words and short or long options. Left out are commands
// some option of which writes or runs something (sort -o, find -exec, rg --pre, file -C, date -s), and everything that a shell expands or redirects.
var (
	plain    = lazyregexp.New(`^[A-Za-z0-9 ./_,:@%+*?"'=^~#|-]*$`)
	readers  = []string{"ls", "cat", "head", "tail", "wc", "grep", "pwd", "stat", "du", "df", "diff", "cmp", "which", "echo", "basename", "dirname", "realpath", "cut"}
	gitReads = []string{"status", "log", "diff", "show"}
	gitFlags = lazyregexp.New(`^(?:-[0-9]+|-n|-p|--oneline|--stat|--name-only|--name-status|--cached|--staged|--short|--)$`)
)

// readOnly reports whether a shell command is known to only read.
func readOnly(args json.RawMessage) bool {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return false
	}
	command, ok := m["command"].(string)
	if !ok || !plain.MatchString(command) {
		return false
	}
	for part := range strings.SplitSeq(command, "|") {
		words := strings.Fields(part)
		switch {
		case len(words) == 0:
			return false
		case slices.Contains(readers, words[0]):
		case words[0] == "git" && len(words) > 1 && slices.Contains(gitReads, words[1]):
			for _, w := range words[2:] {
				if strings.ContainsAny(w, `"'`) || strings.HasPrefix(w, "-") && !gitFlags.MatchString(w) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
