package findspot_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill/evidence"
)

// TestQuotesOverPages: a quotation that goes on over the end of a page may leave out what stands between the pages, and nothing else.
func TestQuotesOverPages(t *testing.T) {
	papers := filepath.Join("examples", "testdata", "papers")
	ws := open(t, t.TempDir(), nil)
	if err := addDocs(t.Context(), ws, papers); err != nil {
		t.Fatal(err)
	}
	folders, err := findspot.OpenFolders([]string{papers}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer folders.Close()
	for name, src := range map[string]interface {
		VerifyText(context.Context, string, *findspot.VerifyTextOptions) (*evidence.TextCheck, error)
	}{"index": ws, "folders": folders} {
		for _, tt := range []struct {
			text, want string // a problem; "" for none
		}{
			// A page number, a figure and its caption stand between.
			{`It "is a matched filter for each of the three references" [pss-detection.pdf p. 1-2].`, ""},
			{`It "is a matched filter for each of the three references" [pss-detection.pdf p. 1, l. 98-116].`, ""},
			{`It "is a matched filter for each of the three references" [pss-detection.pdf p. 1, l. 99; pss-detection.pdf p. 2, l. 115].`, ""},
			{`It "is a matched filter for each" of something [pss-detection.pdf p. 1-2].`, ""}, // whose meaning is not decided
			{"> The detector is a matched filter for each of the three references:\n\n[pss-detection.pdf p. 1-2]\n", ""},
			// A foot, a head, a caption and a table.
			{`"subcarriers from 0 at the lowest frequency. Blocks of a burst set lie at fixed symbols of the half frame." [fs-12.401-cell-search.pdf p. 1-2]`, ""},
			// Its words are the document's, but text of it is left out: at the end of the page, behind its beginning, within it.
			{`It says "and nothing else. filter for each of the three references" [pss-detection.pdf p. 1-2].`, "is not at"},
			{`"The detector is a matched where ε is a hypothesis of the carrier frequency offset" [pss-detection.pdf p. 1-2]`, "is not at"},
			{`"It shall test at least the hypotheses in subcarrier spacings" [fs-12.401-cell-search.pdf p. 2-3]`, "is not at"},
			// The page that it goes on to is not cited, or a line of text between is not.
			{`It "is a matched filter for each of the three references" [pss-detection.pdf p. 1].`, "is not at"},
			{`It "is a matched filter for each of the three references" [pss-detection.pdf p. 1; pss-detection.pdf p. 3].`, "is not at"},
			{`"subcarriers from 0 at the lowest frequency. 5.2.3. Threshold" [fs-12.401-cell-search.pdf p. 1; fs-12.401-cell-search.pdf p. 3]`, "is not at"},
			{`It says "the samples of a symbol that carries the sequence with filter for each" [pss-detection.pdf p. 1, l. 97; pss-detection.pdf p. 2, l. 115].`, "is not at"},
		} {
			rep, err := src.VerifyText(t.Context(), tt.text, nil)
			if err != nil || len(rep.Sentences) != 1 {
				t.Fatalf("%s: %s: %+v, %v", name, tt.text, rep, err)
			}
			s := rep.Sentences[0]
			if problems := strings.Join(s.Problems, "; "); s.Holds != (tt.want == "") || !strings.Contains(problems, tt.want) {
				t.Errorf("%s: %s: holds %v, %s, %q, want %q", name, tt.text, s.Holds, s.Reason, problems, tt.want)
			}
		}
	}
}

// TestNameAlone: the name of a document or file is no place, and the message says how one in it is written.
func TestNameAlone(t *testing.T) {
	papers := filepath.Join("examples", "testdata", "papers")
	folders, err := findspot.OpenFolders([]string{papers, write(t, map[string]string{"notes.md": "It is so.\n"})}, []string{write(t, map[string]string{"rx.py": "pass\n"})}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer folders.Close()
	for text, want := range map[string]string{
		"It is so [pss-detection.pdf].": "names no page: write it behind the name, such as [pss-detection.pdf p. 2], ",
		"It is so [notes.md].":          "names no lines: write them behind the name, such as [notes.md l. 10-14]",
		"It is so [rx.py].":             "names no lines: write them behind the name, such as [rx.py:10-24]",
		"The Primary Synchronization Signal [v1.x] is so [pss-detection.pdf p. 1].": "", // no file
	} {
		rep, err := folders.VerifyText(t.Context(), text, &findspot.VerifyTextOptions{NoMeaning: true})
		if err != nil || len(rep.Keys) != 1 || !strings.Contains(rep.Keys[0].Problem, want) || (rep.Keys[0].Problem == "") != (want == "") {
			t.Errorf("%s: %+v, %v, want %q", text, rep, err, want)
		}
	}
}

// TestSameNames: documents of one name in two folders are told apart by their folders, as an index names them.
func TestSameNames(t *testing.T) {
	top := t.TempDir()
	data, err := os.ReadFile(filepath.Join("examples", "testdata", "papers", "sync-raster.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	var docs []string
	for _, dir := range []string{"old", "new", "a/old", "b/old"} {
		docs = append(docs, filepath.Join(top, dir))
		if err := os.MkdirAll(docs[len(docs)-1], 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, dir, "sync-raster.pdf"), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		docs []string
		want map[string]string // problems of names; "" for none
	}{
		{[]string{docs[0], docs[1], docs[0]}, map[string]string{"new//sync-raster.pdf": "", "sync-raster.pdf": "names 2 documents: old//sync-raster.pdf", "other//sync-raster.pdf": "not found"}},
		{docs[2:], map[string]string{"b/old//sync-raster.pdf": "", "old//sync-raster.pdf": "names 2 documents: a/old//sync-raster.pdf", "sync-raster.pdf": "names 2 documents: a/old//sync-raster.pdf"}},
	} {
		folders, err := findspot.OpenFolders(tt.docs, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer folders.Close()
		for key, want := range tt.want {
			rep, err := folders.VerifyText(t.Context(), "It is so ["+key+" p. 1].", &findspot.VerifyTextOptions{NoMeaning: true})
			if err != nil || len(rep.Keys) != 1 || !strings.Contains(rep.Keys[0].Problem, want) || (rep.Keys[0].Problem == "") != (want == "") || want == "" && rep.Keys[0].At.Name != key {
				t.Errorf("%s: %+v, %v, want %q", key, rep, err, want)
			}
		}
	}
}
