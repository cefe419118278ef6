package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program of this test is described: what it links, and nothing twice.
func TestWrite(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var first, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&first, &again} {
		if err := write(w, "findspot", "v1.2.3", []library{{"musl", "1.2.5"}}, []string{self}); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != again.String() {
		t.Error("two documents about one program differ")
	}
	var doc document
	if err := json.Unmarshal(first.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	sum, err := fileHash(self)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]component{doc.Metadata.Component.Ref: doc.Metadata.Component}
	for _, c := range doc.Components {
		if _, ok := known[c.Ref]; ok {
			t.Errorf("%s is there twice", c.Ref)
		}
		known[c.Ref] = c
	}
	if c := known["file:"+filepath.Base(self)]; len(c.Hashes) != 1 || c.Hashes[0] != (hash{"SHA-256", sum}) || c.Version != "v1.2.3" {
		t.Errorf("the program: %+v, want the hash %s", c, sum)
	}
	if c := known["pkg:generic/musl@1.2.5"]; c.Version != "1.2.5" {
		t.Errorf("what is linked from elsewhere: %+v", c)
	}
	std := false
	for _, d := range doc.Dependencies {
		for _, ref := range append(d.DependsOn, d.Ref) {
			if _, ok := known[ref]; !ok {
				t.Errorf("%s is named and not described", ref)
			}
			std = std || strings.HasPrefix(ref, "pkg:golang/std@1.")
		}
	}
	if !std {
		t.Errorf("the standard library is missing:\n%s", first.String())
	}
}

func TestWriteOfNoProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(file, []byte("no program\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(new(bytes.Buffer), "findspot", "v1", nil, []string{file}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("write = %v, want an error that names the file", err)
	}
}
