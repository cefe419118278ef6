package skill

import "strings"

// The tools that search steps call.
const (
	searchDocsTool = "search_internal"
	searchCodeTool = "search_entity"
)

// searchTools are those whose failing means that a search was not answered.
var searchTools = []string{searchDocsTool, searchCodeTool, "references", "lsp_references", "search_text", "search_file"}

// verdict returns v in the form of the constants.
func verdict(v string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(v)))
}

// The tools that measures tell apart, by their main names.
const (
	referencesTool       = "references"
	serverReferencesTool = "lsp_references"
	textSearchTool       = "search_text"
)

const runScriptTool = "run_script"
