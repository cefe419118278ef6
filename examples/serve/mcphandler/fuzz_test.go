package mcphandler

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
)

// FuzzCall calls the tools of a small workspace with any JSON. An answer fits the schema of its tool, or is an error; nothing panics.
func FuzzCall(f *testing.F) {
	dir := f.TempDir()
	for name, text := range map[string]string{
		"repo/a.py":     "def used():\n    pass\n\n\ndef main():\n    used()\n",
		"repo/b.go":     "package b\n\nfunc other() {}\n",
		"docs/notes.md": "# Signals\n\nA signal is detected by its correlation.\n",
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	repo, docs := filepath.Join(dir, "repo"), filepath.Join(dir, "docs")
	ws, err := findspot.Open(f.Context(), filepath.Join(dir, "index"), &findspot.Options{NoServers: true, OnlyRepos: []string{repo}, OnlyDocs: []string{docs}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := ws.Close(); err != nil {
			f.Error(err)
		}
	})
	for _, err := range ws.AddDocs(f.Context(), docs) {
		if err != nil {
			f.Fatal(err)
		}
	}
	if _, err := ws.AddRepo(f.Context(), repo, nil); err != nil {
		f.Fatal(err)
	}
	tools := ws.Tools(&findspot.ToolsOptions{Profile: findspot.ProfileAliases, WriteDir: filepath.Join(dir, "written")})
	var log bytes.Buffer
	c := ready(patient, &log)
	for i, tool := range tools {
		for _, args := range seeds(f, tool.Schema) {
			f.Add(uint8(i), []byte(args))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, args []byte) {
		if !json.Valid(args) {
			return // the protocol's reader refuses it: see FuzzLines
		}
		tool := tools[int(which)%len(tools)]
		log.Reset()
		res, err := c.do(t.Context(), tool.Name, func(ctx context.Context) (*mcp.CallToolResult, error) {
			return (&session{}).answer(ctx, tool, args, true), nil
		})
		if err != nil {
			t.Fatalf("%s %s = %v, want an answer", tool.Name, args, err)
		}
		if log.Len() > 0 {
			t.Errorf("%s %s: %s", tool.Name, args, &log)
		}
		if why := unfit(tool.Schema, args); why != "" && !res.IsError {
			t.Errorf("%s %s: %s, and the answer is no error: %.300s", tool.Name, args, why, text(res))
		}
		if !res.IsError && res.StructuredContent == nil {
			t.Errorf("%s %s: no structured form", tool.Name, args)
		}
		if n := len(text(res)); n > 2<<20 {
			t.Errorf("%s %s: the answer has %d bytes", tool.Name, args, n)
		}
	})
}

type schema struct {
	Properties map[string]struct {
		Type any   `json:"type"`
		Enum []any `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// seeds are arguments for a schema: good ones, and each of them of a wrong kind.
func seeds(tb testing.TB, raw json.RawMessage) []string {
	tb.Helper()
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		tb.Fatal(err)
	}
	values := map[string]any{"string": "used", "integer": 1, "number": 1, "boolean": true, "array": []string{"a.py"}, "object": map[string]any{}}
	good := map[string]any{}
	for name, p := range s.Properties {
		if kind, ok := p.Type.(string); ok && slices.Contains(s.Required, name) {
			good[name] = values[kind]
		}
	}
	out := []string{"{}", "null", "[]", `""`, `{"":0}`}
	add := func(m map[string]any) {
		data, err := json.Marshal(m)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, string(data))
	}
	add(good)
	for name, p := range s.Properties {
		for kind, v := range values {
			with := map[string]any{}
			for k, v := range good {
				with[k] = v
			}
			with[name] = v
			if kind == p.Type && len(p.Enum) > 0 {
				with[name] = p.Enum[0]
			}
			add(with)
		}
	}
	return out
}

// unfit says what of the arguments a schema cannot mean, whatever leniency a tool has with numbers and single values: no object,
// or an object in place of a string, a number or a truth value.
func unfit(raw json.RawMessage, args []byte) string {
	var got map[string]any
	if err := json.Unmarshal(args, &got); err != nil {
		return "not an object"
	}
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return fmt.Sprintf("schema: %v", err)
	}
	for name, v := range got {
		p, known := s.Properties[name]
		if _, object := v.(map[string]any); known && object && (p.Type == "string" || p.Type == "integer" || p.Type == "number" || p.Type == "boolean") {
			return fmt.Sprintf("%s is an object, not %v", name, p.Type)
		}
	}
	for _, name := range s.Required {
		if len(got) == 0 {
			return fmt.Sprintf("%s is missing", name)
		}
	}
	return ""
}
