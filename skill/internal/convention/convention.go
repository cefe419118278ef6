package convention

import "strings"

// The tools that search steps call.
const (
	SearchDocs = "search_internal"
	SearchCode = "search_entity"
)

// Searches reports whether a failing call of the tool, by its main name, means that a search was not answered.
func Searches(tool string) bool {
	switch tool {
	case SearchDocs, SearchCode, References, ServerReferences, SearchText, "search_file":
		return true
	}
	return false
}

// Verdict returns v in the form of the constants.
func Verdict(v string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(v)))
}

// The tools that measures tell apart, by their main names.
const (
	References       = "references"
	ServerReferences = "lsp_references"
	SearchText       = "search_text"
)

const RunScript = "run_script"

// SearchToolsFor are the tools that a search in docs, code or both calls.
func SearchToolsFor(in string) []string {
	switch in {
	case "code":
		return []string{SearchCode}
	case "both":
		return []string{SearchDocs, SearchCode}
	}
	return []string{SearchDocs}
}

// Writers are tools that write wherever they are offered.
func Writers() []string { return []string{"write_file", "edit_file", "run_command", RunScript} }
