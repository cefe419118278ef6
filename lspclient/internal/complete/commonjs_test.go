package complete

import (
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
)

func TestExportedAt(t *testing.T) {
	for _, tt := range []struct{ text, want string }{ // the name is behind "|", "want" is what stands at the column
		{"module.exports = { |helper };", "helper };"},
		{"module.exports = {\n  other,\n  |helper,\n};", "helper,"},
		{"module.exports = { find: |helper };", "find: helper };"},
		{"exports.find = |helper;", "find = helper;"},
		{"module.exports.find = |helper;", "find = helper;"},
		{"module.exports = { a: { |helper } };", ""},
		{"module.exports = { a };\n|helper();", ""},
		{"const x = { |helper };", ""},
		{"module.exports = { a: 1 + |helper };", ""},
		{"my.exports.find = |helper;", ""},
	} {
		checkHelper(t, exportedAt, tt.text, tt.want)
	}
}

func TestRequiredAt(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`const { |helper } = require("./a");`, `helper } = require("./a");`},
		{"const {\n  |helper,\n  other\n} = require('./a');", "helper,"},
		{`const { |helper: find, x } = require("./a");`, `find, x } = require("./a");`},
		{`const { |helper } = other;`, ""},
		{`|helper(); const { x } = require("./a");`, ""},
		{`const a = { |helper }; const { x } = require("./a");`, ""},
	} {
		checkHelper(t, RequiredAt, tt.text, tt.want)
	}
}

// checkHelper asks for the column that belongs to the name "helper" behind "|", and compares what stands there.
func checkHelper(t *testing.T, find func(*source.Text, place.Location) int, marked, want string) {
	t.Helper()
	before, after, _ := strings.Cut(marked, "|")
	line := 1 + strings.Count(before, "\n")
	col := len(before) - strings.LastIndexByte(before, '\n')
	c := source.NewText([]byte(before + after))
	got := ""
	if at := find(c, place.Location{Line: line, Col: col, EndLine: line, EndCol: col + len("helper")}); at > 0 {
		l, _ := c.Line(line)
		got = string(l[at-1:])
	}
	if got != want {
		t.Errorf("%q: %q, want %q", marked, got, want)
	}
}
