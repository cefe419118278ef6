package api

import (
	"reflect"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/proof"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
)

// TestFields: every field of a result has its own in the message.
func TestFields(t *testing.T) {
	for _, p := range []struct{ from, to any }{
		{docsearch.Results{}, &v1.SearchResults{}},
		{docsearch.Listing{}, &v1.DocumentList{}},
		{docsearch.Info{}, &v1.DocumentInfo{}},
		{docsearch.Text{}, &v1.DocumentText{}},
		{docsearch.SectionText{}, &v1.SectionText{}},
		{docsearch.Collection{}, &v1.Collection{}},
		{extract.Place{}, &v1.Mark{}},
		{findspot.Answer{}, &v1.Answer{}},
		{findspot.CallersResult{}, &v1.CallersResult{}},
		{findspot.RepoInfo{}, &v1.Repository{}},
		{codegraph.SearchResult{}, &v1.CodeResults{}},
		{codegraph.Walk{}, &v1.Walk{}},
		{codegraph.Retrieved{}, &v1.Retrieved{}},
		{codegraph.LocateResult{}, &v1.LocateResults{}},
		{evidence.Item{}, &v1.Item{}},
		{evidence.TextCheck{}, &v1.AnswerVerdict{}},
		{evidence.Finding{}, &v1.Finding{}},
		{findspot.Cited{}, &v1.Cited{}},
		{evidence.Recheck{}, &v1.RecheckResult{}},
		{MarkReport{}, &v1.MarkedDocument{}},
		{proof.File{}, &v1.BundleFile{}},
		{proof.Document{}, &v1.BundleDocument{}},
		{findspot.TextMatches{}, &v1.TextMatches{}},
		{findspot.Places{}, &v1.Places{}},
		{findspot.Hover{}, &v1.HoverText{}},
		{lspclient.SymbolResult{}, &v1.FileSymbols{}},
		{findspot.SymbolList{}, &v1.SymbolList{}},
		{findspot.CallList{}, &v1.CallList{}},
		{findspot.DiagnosticList{}, &v1.DiagnosticList{}},
		{findspot.Renaming{}, &v1.Renaming{}},
		{findspot.ServerStatus{}, &v1.ServerStatus{}},
		{skill.Result{}, &v1.ToolResult{}},
		{runner.Outcome{}, &v1.Outcome{}},
		{runner.Approval{}, &v1.ApprovalRequest{}},
		{findspot.Progress{}, &v1.Progress{}},
	} {
		for _, name := range message.Missing(reflect.TypeOf(p.from), reflect.TypeOf(p.to)) {
			t.Errorf("%T has no field for %s", p.to, name)
		}
	}
}
