package codetools

import (
	"context"
	"fmt"
	"path"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// TextInput are the arguments of search_text.
type TextInput struct {
	Pattern    string `json:"pattern" alias:"query,substring_pattern,text,q" jsonschema:"plain text, or a regular expression with regexp"`
	Regexp     bool   `json:"regexp,omitempty" alias:"is_regex,regex" jsonschema:"the pattern is a regular expression (RE2)"`
	Word       bool   `json:"word,omitempty" alias:"whole_word" jsonschema:"whole words only"`
	IgnoreCase bool   `json:"ignore_case,omitempty" alias:"case_insensitive" jsonschema:"ignore case"`
	Path       string `json:"path,omitempty" alias:"glob,relative_path,paths_include_glob,file_pattern,include" jsonschema:"glob of paths such as *.go or src/**/*.py"`
	Limit      int    `json:"limit,omitempty" alias:"max_results,head_limit" jsonschema:"max lines to return; 0 means 100"`
	Skip       int    `json:"skip,omitempty" alias:"offset" only:"full" jsonschema:"number of first ones to skip: already shown"`
	agenttools.Budget
}

// TextDefinition is the tool search_text.
func (t *Tools) TextDefinition() agenttools.Definition {
	d := agenttools.New("search_text", "Searches the files of the repositories line by line, as they are on disk now.",
		"Use it for broad patterns, strings and comments, or when no language server answers; for callers use references.", t.SearchText)
	d.Brief = "Searches the files of the repositories line by line: for broad patterns, strings and comments. For callers use references."
	return d
}

// SearchText searches the text of files.
func (t *Tools) SearchText(ctx context.Context, in TextInput) (*skill.Result, error) {
	skip := min(max(in.Skip, 0), 100_000)
	if in.Path != "" && path.Clean(in.Path) == "." {
		in.Path = ""
	}
	res, err := t.repos.SearchText(ctx, in.Pattern, repository.TextSearch{Regexp: in.Regexp, Word: in.Word, IgnoreCase: in.IgnoreCase, Path: in.Path, Limit: agenttools.AtMost(in.Limit, 100, 2000) + skip})
	if err != nil {
		return nil, err
	}
	res.Lines = res.Lines[min(skip, len(res.Lines)):]
	var items []evidence.Item
	for _, m := range res.Lines {
		items = append(items, evidence.Item{Kind: evidence.KindText, Text: m.Text, Matches: m.Matches, Via: "text",
			At: evidence.Place{Repo: m.Repo, Path: m.Path, Line: m.Line, EndLine: m.Line}})
	}
	shown := agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens), Rest: agenttools.SkipTo(skip)}
	if skip+len(res.Lines) < res.Total {
		shown.Behind = fmt.Sprintf("%d more lines match; ask again with skip %d, or with a path", res.Total-skip-len(res.Lines), skip+len(res.Lines))
	}
	out := t.s.Result(items, res.Lines, fmt.Sprintf("%d of %d lines match %q in %d files (%d files not searched)", len(res.Lines), res.Total, in.Pattern, res.Files, res.Skipped), shown)
	t.s.Remember(ctx, "search_text", in.Pattern, items)
	other, err := t.otherwise(ctx, in, res)
	if err != nil {
		return nil, err
	}
	if other > 0 {
		agenttools.Note(out, fmt.Sprintf("%d lines match in other letter case or within words: ask again with ignore_case, without word", other))
	}
	out.Searched = []evidence.Searched{{Tool: "search_text", Query: in.Pattern, Total: res.Total, Full: res.Skipped == 0 && other == 0, Fresh: true, Scope: in.scope(),
		Size: res.Files, Empty: res.Files == 0}}
	return out, nil
}

// scope says in words what a search in text was limited to; "" for all files.
func (in TextInput) scope() string {
	if in.Path == "" {
		return ""
	}
	return "path " + in.Path
}

// otherwise counts the lines that a search which found none would have found in other letter case and within words.
func (t *Tools) otherwise(ctx context.Context, in TextInput, res *repository.Matches) (int, error) {
	if res.Total > 0 || in.IgnoreCase && !in.Word {
		return 0, nil
	}
	wide, err := t.repos.SearchText(ctx, in.Pattern, repository.TextSearch{Regexp: in.Regexp, IgnoreCase: true, Path: in.Path, Limit: 1})
	if err != nil {
		return 0, err
	}
	return wide.Total, nil
}
