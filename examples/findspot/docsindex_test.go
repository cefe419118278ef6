package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAddManyIsOneScreen adds more documents than a screen has lines, of several kinds and faults.
func TestAddManyIsOneScreen(t *testing.T) {
	dir := t.TempDir()
	files := filepath.Join(dir, "files")
	if err := os.Mkdir(files, 0o777); err != nil {
		t.Fatal(err)
	}
	const n = 300
	for i := range n {
		name, text := fmt.Sprintf("%03d.md", i), fmt.Sprintf("note %d\n", i)
		switch i % 5 {
		case 0:
			name, text = fmt.Sprintf("%03d.pdf", i), "%PDF-1.4\nnothing\n"
		case 1:
			name, text = fmt.Sprintf("%03d.txt", i), "\x00\x01"
		case 2:
			name = fmt.Sprintf("%03d.x%d", i, i) // endings of their own
		}
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, verbose := range []bool{false, true} {
		args := []string{"--dir", filepath.Join(dir, fmt.Sprint(verbose)), "docs", "add", files}
		if verbose {
			args = append(args, "-v")
		}
		var out, errs bytes.Buffer
		run(t.Context(), args, given(t, "", &out, &errs))
		lines := strings.Count(out.String()+errs.String(), "\n")
		if verbose != (lines > n/2) || !verbose && lines > 40 {
			t.Errorf("verbose %v: %d lines for %d documents:\n%s%s", verbose, lines, n, &out, &errs)
		}
		if want := "120 documents: 120 added"; !verbose && !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
}

// A file of no known format is refused in words of the program, not of the library.
func TestUnknownFormat(t *testing.T) {
	c := caller{dir: t.TempDir()}
	for name, want := range map[string]string{"a.zip": ".zip is not a format that findspot reads; it reads .adoc, ", "a": "a name without an extension is not a format"} {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte("PK"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := c.do(t.Context(), "docs", "add", name); got.Status != exitFailed || !strings.Contains(got.Stderr, want) || strings.Contains(got.Stderr, "Options") {
			t.Errorf("docs add %s: %+v, want %q", name, got, want)
		}
	}
}
