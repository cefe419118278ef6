package lspclient

import (
	"strings"
	"testing"
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
		before, after, _ := strings.Cut(tt.text, "|")
		line := 1 + strings.Count(before, "\n")
		col := len(before) - strings.LastIndexByte(before, '\n')
		c := newContent([]byte(before + after))
		got := ""
		if at := exportedAt(c, Location{Line: line, Col: col, EndLine: line, EndCol: col + len("helper")}); at > 0 {
			l, _ := c.line(line)
			got = string(l[at-1:])
		}
		if got != tt.want {
			t.Errorf("exportedAt(%q) = %q, want %q", tt.text, got, tt.want)
		}
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
		before, after, _ := strings.Cut(tt.text, "|")
		line := 1 + strings.Count(before, "\n")
		col := len(before) - strings.LastIndexByte(before, '\n')
		c := newContent([]byte(before + after))
		got := ""
		if at := requiredAt(c, Location{Line: line, Col: col, EndLine: line, EndCol: col + len("helper")}); at > 0 {
			l, _ := c.line(line)
			got = string(l[at-1:])
		}
		if got != tt.want {
			t.Errorf("requiredAt(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
