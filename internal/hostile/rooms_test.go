package hostile

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/skill"
)

// skillAttacks load folders of skills.
func skillAttacks(*testing.T) []Attack {
	const front = "---\nname: evil\ndescription: Steals.\n---\n\n"
	var out []Attack
	load := func(name, must string, make func(t *testing.T, w *world), want int) {
		out = append(out, Attack{"skills", name, must, func(t *testing.T) {
			w := newWorld(t)
			make(t, w)
			fsys, err := skill.Dir(filepath.Join(w.base, "skills"))
			if err != nil {
				t.Fatal(err)
			}
			done := make2(func() ([]*skill.Skill, error) {
				if _, err := skill.Load(os.DirFS(filepath.Join(w.base, "skills"))); err != nil && leaks(err.Error()) != "" {
					t.Errorf("the error gives it away: %v", err)
				}
				return skill.Load(fsys)
			})
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			select {
			case got := <-done:
				if len(got.skills) != want {
					t.Errorf("%d skills, want %d: %v", len(got.skills), want, got.err)
				}
				for _, s := range got.skills {
					if leaks(s.Body+s.Description) != "" {
						t.Errorf("%s holds what lies outside", s.Name)
					}
				}
				if got.err != nil && leaks(got.err.Error()) != "" {
					t.Errorf("the error gives it away: %v", got.err)
				}
			case <-ctx.Done():
				t.Error("hangs")
			}
		}})
	}
	load("a SKILL.md that is a link", "left out", func(t *testing.T, w *world) {
		w.file(t, "outside/SKILL.md", front+outsideMark)
		w.file(t, "skills/evil/.keep", "")
		w.link(t, "../../outside/SKILL.md", "skills/evil/SKILL.md")
	}, 0)
	load("a SKILL.md that is a named pipe", "left out, and nothing hangs", func(t *testing.T, w *world) {
		w.file(t, "skills/evil/.keep", "")
		if err := mkfifo(filepath.Join(w.base, "skills/evil/SKILL.md")); errors.Is(err, errors.ErrUnsupported) {
			t.Skip("there are no named pipes here")
		} else if err != nil {
			t.Fatal(err)
		}
	}, 0)
	load("a workflow file that is a named pipe", "left out, and nothing hangs", func(t *testing.T, w *world) {
		w.file(t, "skills/evil/.keep", "")
		if err := mkfifo(filepath.Join(w.base, "skills/evil/workflow.yaml")); errors.Is(err, errors.ErrUnsupported) {
			t.Skip("there are no named pipes here")
		} else if err != nil {
			t.Fatal(err)
		}
	}, 0)
	load("a folder of skills that is a link", "not entered", func(t *testing.T, w *world) {
		w.file(t, "outside/evil/SKILL.md", front)
		w.file(t, "skills/.keep", "")
		w.link(t, "../outside", "skills/more")
	}, 0)
	load("a workflow that is a link", "left out", func(t *testing.T, w *world) {
		w.file(t, "outside/workflow.yaml", "name: evil\n# "+outsideMark+"\n")
		w.file(t, "skills/evil/SKILL.md", front)
		w.link(t, "../../outside/workflow.yaml", "skills/evil/workflow.yaml")
	}, 0)
	load("a SKILL.md of megabytes", "left out", func(t *testing.T, w *world) { w.file(t, "skills/evil/SKILL.md", front+strings.Repeat("x", 4<<20)) }, 0)
	load("YAML that unfolds without end", "left out or bounded", func(t *testing.T, w *world) {
		w.file(t, "skills/evil/SKILL.md", "---\nname: evil\ndescription: x\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n---\n")
	}, 0)
	return out
}

type loaded struct {
	skills []*skill.Skill
	err    error
}

func make2(f func() ([]*skill.Skill, error)) <-chan loaded {
	done := make(chan loaded, 1)
	go func() {
		s, err := f()
		done <- loaded{s, err}
	}()
	return done
}

// documentAttacks read documents.
func documentAttacks(*testing.T) []Attack {
	var out []Attack
	add := func(door, name, must string, file string, content func() []byte) {
		out = append(out, Attack{door, name, must, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, file), content(), 0o644); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			ws, err := findspot.Open(ctx, filepath.Join(t.TempDir(), "index"), &findspot.Options{NoServers: true})
			if err != nil {
				t.Fatal(err)
			}
			defer ws.Close()
			for _, err := range ws.AddDocs(ctx, dir) {
				if err != nil {
					t.Logf("%v", err)
				}
			}
			if ctx.Err() != nil {
				t.Error("hangs")
			}
			if _, err := ws.SearchDocs(ctx, "anything", nil); err != nil {
				t.Errorf("a search after it: %v", err)
			}
		}})
	}
	head := "%PDF-1.7\n"
	for name, body := range map[string]string{
		"no objects":                     head + "startxref\n0\n%%EOF",
		"cross-references to themselves": head + "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[2 0 R]/Count 1>>\nendobj\nxref\n0 1\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Prev 9/Size 3>>\nstartxref\n9\n%%EOF",
		"deep arrays":                    head + "1 0 obj\n" + strings.Repeat("[", 200_000) + "\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF",
		"deep dictionaries":              head + "1 0 obj\n" + strings.Repeat("<</A", 100_000) + "\nendobj\ntrailer<</Root 1 0 R>>\n%%EOF",
		"a length of terabytes":          head + "1 0 obj\n<</Length 9999999999999>>stream\nx\nendstream\nendobj\ntrailer<</Root 1 0 R/Size 99999999999>>\n%%EOF",
		"a million pages in a circle":    head + "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1000000/Kids[3 0 R 2 0 R 3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/Contents 3 0 R>>endobj\ntrailer<</Root 1 0 R>>",
		"a file of another kind":         "MZ\x90\x00" + strings.Repeat("\x00", 1000),
		"an action that launches":        head + "1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/Launch/F(/bin/sh)>>>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>",
		"a stream in a file elsewhere":   head + "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj\n4 0 obj<</F(/etc/passwd)/Length 0>>stream\nendstream endobj\ntrailer<</Root 1 0 R>>",
	} {
		add("pdf", name, "an error or an empty document, in bounded time", "evil.pdf", func() []byte { return []byte(body) })
	}
	add("html", "100,000 open tags", "read or refused, in bounded time", "evil.html", func() []byte { return []byte(strings.Repeat("<div>", 100_000) + "x") })
	add("html", "entities without end", "read", "entities.html", func() []byte { return []byte("<p>" + strings.Repeat("&amp;#x202e;&#0;&#xfffff;", 50_000)) })
	add("html", "tables in tables", "read or refused, in bounded time", "tables.html", func() []byte { return []byte(strings.Repeat("<table><tr><td>", 5_000)) })
	add("html", "scripts, frames and files", "nothing is fetched or run", "frames.html", func() []byte {
		return []byte(`<iframe src="file:///etc/passwd"></iframe><script>while(1);</script><img src="http://127.0.0.1:1/x"><p>text</p>`)
	})
	packed := func(text string, n int) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return bytes.Repeat(b.Bytes(), n) // files packed one after another are one
	}
	add("archives", "a gigabyte of blanks in a megabyte", "given up, in bounded memory", "bomb.jsonl.gz", func() []byte { return packed(strings.Repeat(" ", 1<<20), 1024) })
	add("archives", "lines that are no records", "given up after a thousand", "lines.jsonl.gz", func() []byte { return packed("{}\n", 100_000) })
	add("archives", "gzip that ends early", "an error", "cut.jsonl.gz", func() []byte { return packed(`{"id":"a","text":"x"}`+"\n", 1000)[:40] })
	add("archives", "deep JSON in a line", "an error", "deep.jsonl", func() []byte { return []byte(`{"id":"a","text":` + strings.Repeat("[", 100_000) + "\n") })
	out = append(out, Attack{"pdf", "a hundred files of random objects", "no panic", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		words := []string{"1 0 obj", "endobj", "<<", ">>", "[", "]", "stream\n", "endstream", "/Type", "/Page", "/Kids", "1 0 R", "2 0 R", "trailer", "/Root", "9999999999", "(", ")", "xref", "/Filter/FlateDecode", "/Length 5"}
		for range 100 {
			b := []byte(head)
			for range 200 {
				b = append(append(b, words[rng.IntN(len(words))]...), ' ')
			}
			doc, err := pdf.New(nil).Open(t.Context(), bytes.NewReader(b), int64(len(b)))
			if err != nil {
				continue
			}
			for range doc.Pages(t.Context(), 1, 0) {
			}
			doc.Close()
		}
	}})
	out = append(out, Attack{"html", "links in a folder of documents", "those that lead out are left out", func(t *testing.T) {
		w := newWorld(t)
		for src, err := range docsearch.Files(w.docs) {
			if err != nil || strings.Contains(src.Name, "leak") || strings.Contains(src.Name, "passwd") || strings.Contains(src.Name, "pipe") {
				t.Errorf("%s, %v", src.Name, err)
			}
		}
	}})
	return out
}

// indexAttacks bring folders of indexes that somebody else made.
func indexAttacks(*testing.T) []Attack {
	var out []Attack
	for _, name := range []string{"base.seg", "delta.log", "VERSION"} {
		out = append(out, Attack{"indexes", name + " of a code graph with changed bytes", "rebuilt or refused, no panic", func(t *testing.T) {
			w := newWorld(t)
			dir := filepath.Join(w.base, "graph")
			open := func() (*codegraph.Index, error) {
				return codegraph.Open(t.Context(), dir, w.repo, findspot.Languages(), nil)
			}
			ix, err := open()
			if err != nil {
				t.Fatal(err)
			}
			ix.Close()
			rng := rand.New(rand.NewPCG(3, 4))
			file := filepath.Join(dir, name)
			whole, err := os.ReadFile(file)
			if os.IsNotExist(err) {
				t.Skipf("there is no %s", name)
			}
			if err != nil {
				t.Fatal(err)
			}
			for range 30 {
				bad := bytes.Clone(whole)
				for range 1 + rng.IntN(4) {
					if len(bad) > 0 {
						bad[rng.IntN(len(bad))] = byte(rng.IntN(256))
					}
				}
				if err := os.WriteFile(file, bad, 0o644); err != nil {
					t.Fatal(err)
				}
				if ix, err := open(); err == nil {
					if _, err := ix.Graph().Search(t.Context(), "good", nil); err != nil {
						t.Errorf("a search: %v", err)
					}
					ix.Close()
				}
			}
		}})
	}
	out = append(out, craftedAttacks()...)
	out = append(out, Attack{"indexes", "records of repositories elsewhere", "left out, or no answer from there", func(t *testing.T) {
		for i, rec := range []string{`{"root":"relative"}`, `{"root":"/etc/../etc"}`, `{`, `[]`, strings.Repeat(" ", 1<<20), fmt.Sprintf(`{"root":%q}`, "/etc")} {
			w := newWorld(t)
			w.file(t, "index/VERSION", "1\n")
			w.file(t, "index/code/evil-123/repo.json", rec)
			ws, err := findspot.Open(t.Context(), filepath.Join(w.base, "index"), &findspot.Options{NoServers: true})
			if err != nil {
				continue // refused whole
			}
			if it, err := ws.ReadLines(t.Context(), "passwd", 1, 3); err == nil {
				t.Errorf("record %d: %q", i, it.Text)
			}
			ws.Close()
		}
	}})
	for _, at := range []string{"", "docs", "code", "facts"} {
		out = append(out, Attack{"indexes", "a link for the folder " + cmp(at, "of the index"), "refused", func(t *testing.T) {
			w := newWorld(t)
			if at == "" {
				w.link(t, "outside", "index")
			} else {
				if ws, err := findspot.Open(t.Context(), filepath.Join(w.base, "index"), nil); err != nil {
					t.Fatal(err)
				} else {
					ws.Close()
				}
				os.RemoveAll(filepath.Join(w.base, "index", at))
				w.link(t, "../outside", "index/"+at)
			}
			ws, err := findspot.Open(t.Context(), filepath.Join(w.base, "index"), &findspot.Options{NoServers: true})
			if err == nil {
				ws.Close()
				t.Error("it opens")
			}
		}})
	}
	out = append(out, Attack{"indexes", "an index that came with a repository", "refused, with the way out", func(t *testing.T) {
		w := newWorld(t)
		w.file(t, "index/VERSION", "1\n")
		w.file(t, "index/code/x/repo.json", `{"root":"/"}`)
		ws, err := findspot.Open(t.Context(), filepath.Join(w.base, "index"), &findspot.Options{NoServers: true})
		if err == nil {
			ws.Close()
			t.Fatal("it opens")
		}
		if !strings.Contains(err.Error(), "TrustIndex") {
			t.Errorf("no way out: %v", err)
		}
	}})
	return out
}

func cmp(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
