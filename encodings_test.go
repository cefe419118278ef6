package findspot_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

func inUTF16(order binary.AppendByteOrder, s string) string {
	b := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// latin1 writes text that has only characters of Latin-1 in it.
func latin1(s string) string {
	var b []byte
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

// Sources in other encodings have entities, edges and words like those in UTF-8, and every answer shows the same text.
func TestEncodings(t *testing.T) {
	const (
		c      = "/* Größe */\r\nint messen(int größe) {\r\n  /* Überlauf prüfen */\r\n  return größe;\r\n}\r\nint rufen(void) { return messen(1); }\r\n"
		python = "# Größe\ndef messen(n):\n  # Überlauf prüfen\n  return n\n\ndef rufen(): return messen(1)\n"
		script = "// Größe\nfunction messen(n) {\n  // Überlauf prüfen\n  return n\n}\nfunction rufen() { return messen(1) }\n"
		golang = "// Größe\npackage m; func messen(n int) int {\n  // Überlauf prüfen\n  return n\n}\nfunc rufen() int { return messen(1) }\n"
		cookie = "# -*- coding: latin-1 -*-\n"
	)
	for _, tt := range []struct{ name, path, raw, text string }{
		{"UTF-8", "a.c", c, c},
		{"UTF-8 with a mark, C", "a.c", "\ufeff" + c, c},
		{"UTF-8 with a mark, Go", "a.go", "\ufeff" + golang, golang},
		{"UTF-8 with a mark, Python", "a.py", "\ufeff" + python, python},
		{"UTF-16, C++", "a.cpp", inUTF16(binary.LittleEndian, c), c},
		{"UTF-16, a header", "a.h", inUTF16(binary.BigEndian, c), c},
		{"UTF-16, JavaScript", "a.js", inUTF16(binary.LittleEndian, script), script},
		{"UTF-16, TypeScript", "a.ts", inUTF16(binary.BigEndian, script), script},
		{"Latin-1, C", "a.c", latin1(c), c},
		{"Windows-1252, JavaScript", "a.js", strings.ReplaceAll(latin1(script), "//", "// \x80 \x93"), strings.ReplaceAll(script, "//", "// € “")},
		{"Latin-1, Python, declared", "a.py", latin1(cookie + python), cookie + python},
		{"Latin-1, Python, not declared", "a.py", latin1(python), python},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
			dir := write(t, map[string]string{tt.path: tt.raw, "go.mod": "\ufeffmodule m\n"})
			info, err := ws.AddRepo(t.Context(), dir, nil)
			if err != nil || len(info.Changes.Skipped) > 0 {
				t.Fatalf("AddRepo = %+v, %v", info, err)
			}
			id := tt.path + ":messen"
			lines := strings.SplitAfter(tt.text, "\n")
			first := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "messen") })
			comment := lines[first+1]
			body := strings.Join(lines[first:slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "rufen") })], "")
			for view, want := range map[codegraph.View]string{codegraph.Full: body, codegraph.Preview: body} {
				got, err := ws.Retrieve(t.Context(), []string{id}, &codegraph.RetrieveOptions{View: view})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(got[0].Text, "\n")); d != "" {
					t.Errorf("Retrieve(%s) (-want +got):\n%s", view, d)
				}
				if got[0].Line != first+1 {
					t.Errorf("line %d, want %d", got[0].Line, first+1)
				}
			}
			got, err := ws.Retrieve(t.Context(), []string{tt.path}, nil)
			if err != nil || got[0].Text != tt.text {
				t.Errorf("Retrieve(%s) = %+v, %v, want %q", tt.path, got, err, tt.text)
			}
			res, err := ws.SearchCode(t.Context(), "Überlauf prüfen", nil)
			if err != nil || len(res.Hits) == 0 || res.Hits[0].ID != id || !slices.Equal(res.Hits[0].Lines, []int{first + 2}) {
				t.Errorf("SearchCode = %+v, %v", res, err)
			}
			found, err := ws.SearchText(t.Context(), "prüfen", nil)
			want := []findspot.TextMatch{{Path: tt.path, Line: first + 2, Col: strings.Index(comment, "prüfen") + 1, Text: strings.TrimRight(comment, "\r\n"),
				Matches: [][2]int{{strings.Index(comment, "prüfen"), strings.Index(comment, "prüfen") + len("prüfen")}}}}
			if d := cmp.Diff(want, found.Matches); err != nil || d != "" {
				t.Errorf("SearchText (-want +got): %v\n%s", err, d)
			}
			it, err := ws.ReadLines(t.Context(), tt.path, first+2, first+2)
			if err != nil || it.Text != comment {
				t.Errorf("ReadLines = %+v, %v, want %q", it, err, comment)
			}
			who, err := ws.Callers(t.Context(), id, nil)
			if err != nil || len(who.Callers) != 1 || who.Callers[0].Entity.Name != "rufen" {
				t.Fatalf("Callers = %+v, %v", who, err)
			}
			call := who.Callers[0].Sites[0]
			line := lines[call.Line-1]
			if from := strings.Index(line, "messen"); call.Col != from+1 {
				t.Errorf("call at %d:%d of %q", call.Line, call.Col, line)
			}
			// An edit is seen by the next question, in UTF-8 from now on.
			later := strings.TrimPrefix(tt.text, cookie)
			if err := os.WriteFile(filepath.Join(dir, tt.path), []byte(later), 0o666); err != nil {
				t.Fatal(err)
			}
			if got, err = ws.Retrieve(t.Context(), []string{tt.path}, nil); err != nil || got[0].Text != later {
				t.Errorf("Retrieve after an edit = %+v, %v", got, err)
			}
		})
	}
}
