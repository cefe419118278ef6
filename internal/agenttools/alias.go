package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/findspot/findspot/skill"
)

// An alias is a tool of another system: its name, its arguments as that system has them, and what it is here. Guards,
// allowed-tools and counts mean all names of a tool. Where the arguments have other names, the tool itself takes those too;
// where they mean something else, change translates them.
type alias struct {
	name, of    string
	full        bool // a part of the full profile
	description string
	in          *input
	change      func(map[string]json.RawMessage)
}

type (
	queryArgs struct {
		Query string `json:"query" jsonschema:"words, a phrase or an identifier to look for"`
		Limit int    `json:"limit,omitempty" jsonschema:"max documents to return; 0 means 10"`
	}
	allFilesArgs struct {
		Query string `json:"query" jsonschema:"words to look for; | separates alternatives"`
	}
	paperSearchArgs struct {
		Query   string `json:"query" jsonschema:"what to look for"`
		MinYear int    `json:"min_year,omitempty" jsonschema:"only documents of this year or later"`
		MaxYear int    `json:"max_year,omitempty" jsonschema:"only documents of this year or earlier"`
	}
	evidenceArgs struct {
		Question string `json:"question" max:"65536" jsonschema:"what the evidence is for"`
	}
	snippetArgs struct {
		Terms   []string `json:"search_terms,omitempty" jsonschema:"names, ids such as src/a.py:Class.method, or words of the code"`
		Lines   []int    `json:"line_nums,omitempty" jsonschema:"lines of the file, from 1: the entities there"`
		Pattern string   `json:"file_path_or_pattern,omitempty" jsonschema:"a file, or a pattern of files such as **/*.py"`
	}
	exploreArgs struct {
		Start     []string `json:"start_entities" jsonschema:"ids such as src/a.py:Class.method or src/a.py; / for the root"`
		Direction string   `json:"direction,omitempty" enum:"downstream,upstream,both" jsonschema:"what they depend on (the default), what depends on them, or both"`
		Depth     int      `json:"traversal_depth,omitempty" jsonschema:"hops; 0 means 1, -1 means no limit"`
		Kinds     []string `json:"entity_type_filter,omitempty" enum:"directory,file,class,function" jsonschema:"entities to visit"`
		Edges     []string `json:"dependency_type_filter,omitempty" enum:"contains,imports,invokes,inherits" jsonschema:"edges to follow"`
	}
	entityNamesArgs struct {
		Names []string `json:"entity_names" jsonschema:"ids such as src/a.py:Class.method or src/a.py"`
	}
	findSymbolArgs struct {
		NamePath string `json:"name_path_pattern" jsonschema:"a name, or Class/method"`
		Path     string `json:"relative_path,omitempty" jsonschema:"only in this file or folder"`
		Body     bool   `json:"include_body,omitempty" jsonschema:"with the source"`
		Max      int    `json:"max_matches,omitempty" jsonschema:"max entities to return"`
	}
	referencingArgs struct {
		NamePath string `json:"name_path" jsonschema:"a name, or Class/method"`
		Path     string `json:"relative_path,omitempty" jsonschema:"the file that defines it"`
	}
	overviewArgs struct {
		Path string `json:"relative_path" jsonschema:"file, relative to the repository's root"`
	}
	patternArgs struct {
		Pattern string `json:"substring_pattern" jsonschema:"a regular expression (RE2)"`
		Path    string `json:"relative_path,omitempty" jsonschema:"only in this file or folder"`
		Glob    string `json:"paths_include_glob,omitempty" jsonschema:"only files of this pattern, such as src/**/*.py"`
	}
)

// jsonText is a JSON string.
func jsonText(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return b
}

// insideFile turns a path of names and the file that holds it into one name: a target is a name or a place, not both.
func insideFile(m map[string]json.RawMessage) {
	var file, name string
	if json.Unmarshal(m["relative_path"], &file) == nil && json.Unmarshal(m["name_path"], &name) == nil && file != "" && name != "" {
		m["name_path"] = jsonText(file + ":" + name)
		delete(m, "relative_path")
	}
}

// aliases are the tools of other systems, in the order in which they are listed.
func aliases() []alias {
	return []alias{
		{name: "search_knowledge_base", of: "search_internal", full: true, in: inputOf[queryArgs]("search_knowledge_base"),
			description: "Searches the project's own documents and returns passages with document, page and lines."},
		{name: "search_all_files", of: "search_internal", in: inputOf[allFilesArgs]("search_all_files"),
			description: "Searches all documents; | separates alternatives.",
			change: func(m map[string]json.RawMessage) {
				var q string
				if json.Unmarshal(m["query"], &q) == nil {
					m["query"] = jsonText(strings.ReplaceAll(q, "|", " "))
				}
			}},
		{name: "paper_search", of: "search_internal", in: inputOf[paperSearchArgs]("paper_search"),
			description: "Searches the documents, optionally only some years."},
		{name: "gather_evidence", of: "ask", in: inputOf[evidenceArgs]("gather_evidence"),
			description: "Gathers passages and code for a question, each with a key to cite."},
		{name: "search_code_snippets", of: "search_entity", in: inputOf[snippetArgs]("search_code_snippets"),
			description: "Finds code by names, words or lines of a file."},
		{name: "explore_tree_structure", of: "traverse_graph", in: inputOf[exploreArgs]("explore_tree_structure"),
			description: "Walks the code graph from entities, to what they depend on or what depends on them."},
		{name: "get_entity_contents", of: "retrieve_entity", in: inputOf[entityNamesArgs]("get_entity_contents"),
			description: "Returns the source of entities."},
		{name: "find_symbol", of: "search_entity", in: inputOf[findSymbolArgs]("find_symbol"),
			description: "Finds classes and functions by name, or by a path of names."},
		{name: "find_referencing_symbols", of: "references", in: inputOf[referencingArgs]("find_referencing_symbols"),
			description: "Shows who uses a symbol, and a verdict."},
		{name: "get_symbols_overview", of: "document_symbols", in: inputOf[overviewArgs]("get_symbols_overview"),
			description: "Lists the declarations of a file."},
		{name: "find_implementations", of: "lsp_implementation", in: inputOf[referencingArgs]("find_implementations"), change: insideFile,
			description: "Finds what implements an interface or overrides a method."},
		{name: "get_diagnostics_for_file", of: "lsp_diagnostics", in: inputOf[overviewArgs]("get_diagnostics_for_file"),
			description: "Lists the diagnostics of a file."},
		{name: "search_for_pattern", of: "search_text", in: inputOf[patternArgs]("search_for_pattern"),
			description: "Searches files line by line for a regular expression.",
			change: func(m map[string]json.RawMessage) {
				if m["regexp"] == nil {
					m["regexp"] = json.RawMessage("true")
				}
				if m["paths_include_glob"] != nil { // the narrower of the two
					delete(m, "relative_path")
				}
				for _, n := range []string{"context_lines_before", "context_lines_after", "max_answer_chars"} {
					delete(m, n)
				}
			}},
	}
}

// Aliases gives the tools their other names.
func Aliases(tools []skill.Tool, all bool) []skill.Tool {
	byName := map[string]skill.Tool{}
	for _, t := range tools {
		byName[t.Name] = t
	}
	var out []skill.Tool
	for _, a := range aliases() {
		main, ok := byName[a.of]
		if !ok || !a.full && !all {
			continue
		}
		call := main.Call
		out = append(out, skill.Tool{
			Name: a.name, AliasOf: a.of, Description: a.description, Guidance: "It is " + a.of + " under another name.", Schema: a.in.json(false), Writes: main.Writes, Changes: main.Changes, Offline: main.Offline,
			Call: func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
				if err := a.in.check(args); err != nil {
					return nil, err
				}
				res, err := call(ctx, a.arguments(args))
				if m := a.in.missing(args); err != nil && m != "" { // the tool names its own
					return nil, fmt.Errorf("%s: argument %q is missing: %w", a.name, m, err)
				}
				if err != nil {
					return nil, fmt.Errorf("%s: %w", a.name, err)
				}
				return res, nil
			},
		})
	}
	return out
}

// arguments translates those of the other system. Arguments that do not parse are passed on as they are: the tool reports the error.
func (a *alias) arguments(args json.RawMessage) json.RawMessage {
	var m map[string]json.RawMessage
	if a.change == nil || json.Unmarshal(args, &m) != nil || m == nil {
		return args
	}
	m = maps.Clone(m)
	a.change(m)
	out, err := json.Marshal(m)
	if err != nil {
		return args
	}
	return out
}
