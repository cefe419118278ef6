package formats_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/formats"
	"github.com/findspot/findspot/docsearch/memstore"
)

// In a folder, XML that is no RFC is left out, and LaTeX reads what it includes: not what is hidden, of another kind, or outside.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "papers")
	for name, text := range map[string]string{
		"tex/main.tex":         `\documentclass{article}\begin{document}\input{chapters/one} \input{.hidden} \input{notes.yaml} \input{../../outside}\end{document}`,
		"tex/chapters/one.tex": "The gain is twelve.", "tex/.hidden.tex": "A hidden word.", "tex/notes.yaml": "A secret word.", "../outside.tex": "An outside word.",
		"pom.xml": "<project/>", "draft.xml": `<rfc><front><title>Masts</title></front><middle><section title="One"><t>Of masts.</t></section></middle></rfc>`, "a.png": "",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := memstore.Open(&docsearch.Options{Extractors: formats.All()})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	var names []string
	var left map[string]int
	for d, err := range lib.AddAll(t.Context(), lib.Files(dir, &docsearch.FilesOptions{LeftOut: func(m map[string]int) { left = m }})) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, d.Name)
	}
	if got := strings.Join(names, " "); got != "draft.xml tex/chapters/one.tex tex/main.tex" {
		t.Errorf("added %s", got)
	}
	if got := docsearch.FormatEndings(left); got != ".png 1, .xml 1, .yaml 1" {
		t.Errorf("left out %s", got)
	}
	text, err := lib.Read(t.Context(), "tex/main.tex", nil)
	if err != nil || !strings.Contains(text.Text, "The gain is twelve.") {
		t.Errorf("main.tex is %+v, %v", text, err)
	}
	again := func(want docsearch.Change) {
		t.Helper()
		for src, err := range lib.Files(dir, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if src.Name != "tex/main.tex" {
				continue
			}
			if d, err := lib.Add(t.Context(), src); err != nil || d.Change != want {
				t.Errorf("main.tex again: %+v, %v, want %s", d, err, want)
			}
		}
	}
	again(docsearch.Unchanged)
	if err := os.WriteFile(filepath.Join(dir, "tex/chapters/one.tex"), []byte("The gain is thirteen now."), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err := lib.CheckSources(t.Context(), 0); err != nil || c.Changed != 2 {
		t.Errorf("CheckSources = %+v, %v; the chapter changed, and main.tex with it", c, err)
	}
	again(docsearch.Replaced)
	if text, err = lib.Read(t.Context(), "tex/main.tex", nil); err != nil || !strings.Contains(text.Text, "The gain is thirteen now.") {
		t.Errorf("main.tex is then %+v, %v", text, err)
	}
	for _, word := range []string{"hidden word", "secret", "outside word"} {
		if strings.Contains(text.Text, word) {
			t.Errorf("main.tex holds %q", word)
		}
	}
}
