package codetools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type symbolInput struct {
	Symbol string `json:"symbol" alias:"name,id,entity,query,name_path,function,symbol_name" jsonschema:"an entity's id or a name as people write it: detect_pss, Server.Run"`
	Path   string `json:"path,omitempty" alias:"relative_path,file_path,file" jsonschema:"the file that defines it, if the name is ambiguous"`
	Skip   int    `json:"skip,omitempty" alias:"offset" only:"full" jsonschema:"number of first ones to skip: already shown"`
	agenttools.Budget
}

// A use is one caller or reference as the tool references gives it to workflows.
type use struct {
	ID   string `json:"id"` // entity
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Call bool   `json:"call"`
	Test bool   `json:"test"`
	Via  string `json:"via"`
	Key  string `json:"key"`
}

func (t *Tools) references(ctx context.Context, in symbolInput) (*skill.Result, error) {
	symbol := strings.ReplaceAll(in.Symbol, "/", ".")
	if strings.ContainsAny(in.Symbol, ".:") { // an id has its path
		symbol = in.Symbol
	}
	if in.Path != "" && !strings.Contains(symbol, ":") {
		symbol = in.Path + ":" + symbol
	}
	in.Symbol = symbol
	res, err := t.callers(ctx, in.Symbol)
	if err != nil {
		if missing := t.missingSymbol(in.Symbol, err); missing != nil {
			return missing, nil
		}
		return nil, agenttools.NotHere(err, "search_entity finds names, and search_text any text")
	}
	var list []evidence.Item
	for _, u := range res.Uses {
		list = append(list, items.Caller(u))
	}
	head := fmt.Sprintf("%s: %s, %d callers and uses (%d in test code), by %s", in.Symbol, res.Verdict, len(list), res.Tests(), cmp.Or(res.Via, "nothing that knows"))
	for _, why := range res.Why {
		head += "\n" + why
	}
	list = append(list, items.Verdict(res, nil))
	skip := min(max(in.Skip, 0), len(list))
	whole := slices.Clone(list)
	out := t.s.Result(list[skip:], nil, head, agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens), Rest: agenttools.SkipTo(skip)})
	for i := range whole {
		whole[i] = t.s.Add(whole[i])
	}
	if x, ok := out.Structured.(*agenttools.Structured); ok && out.Cut == "" { // the item of the verdict says it
		_, x.Head, _ = strings.Cut(x.Head, "\n")
	} else if ok { // the verdict has a field
		x.Head = strings.Replace(x.Head, ": "+string(res.Verdict)+", ", ": ", 1)
	}
	out.Items = whole
	t.s.Remember(ctx, "references", in.Symbol, whole[:len(res.Uses)]) // what can be read: not the verdict
	uses := []use{}
	for i, c := range res.Uses {
		it := out.Items[i]
		uses = append(uses, use{ID: it.At.Entity, Path: it.At.Path, Line: it.At.Line, Text: it.Text, Call: c.Call, Test: c.Entity.Test, Via: it.Via, Key: it.Key})
	}
	out.Data = uses
	out.Verdict = strings.ReplaceAll(string(res.Verdict), " ", "_")
	out.Searched = []evidence.Searched{{Tool: "references", Query: in.Symbol, Total: len(list), Full: res.Verdict != callers.NoneKnown, Fresh: true}}
	return out, nil
}

// missingReferences is the data of a result of the tool references when no symbol has the name.
type missingReferences struct {
	Missing string   `json:"missing"` // the name that was asked for
	Near    []string `json:"near"`    // ids of entities with names like it, nearest first
}

// missingSymbol is the answer of the tool references for a name that is no symbol: near names, and a search that gave no
// answer, so that no run takes it for "nobody uses it". It is nil for any other error.
func (t *Tools) missingSymbol(symbol string, err error) *skill.Result {
	if !errors.Is(err, errs.NotFound) {
		return nil
	}
	repos, bad := t.repos.Known()
	if bad != nil {
		return nil
	}
	near := repository.Near(repos, symbol)
	text := fmt.Sprintf("no symbol is named %q", symbol)
	if len(near) > 0 {
		text += "; near names: " + strings.Join(near, ", ")
	}
	out := agenttools.TextOnly(text+"\nnothing is known of its callers and uses", missingReferences{Missing: symbol, Near: near}, agenttools.SearchTokens, "search_entity finds names")
	out.Structured = &agenttools.Structured{Lines: []string{text}} // the verdict says the rest
	out.Verdict, out.Searched = skill.VerdictNoneKnown, []evidence.Searched{{Tool: "references", Query: symbol, Failed: text}}
	return out
}
