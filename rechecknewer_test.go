package findspot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill/evidence"
)

// Documents that changed since the index was made are read as their files are now, and the index stays as it is.
func TestRecheckNewer(t *testing.T) {
	doc := paragraphs(about, length, floor, lags)
	shapes := []string{"A table of the shapes is in the annex.", "There are three of them, and each cell has one."}
	pdf := printed(preface, shapes)
	const text = "The sequence has length 127 [D1]. A peak is 12 dB above the floor [D2]. The cable is long [D3]. It has three shapes [D4]."
	const cable = "The cable is four metres long."
	items := []evidence.Item{passage("pss.md", 3, length), passage("pss.md", 5, floor), passage("other.md", 1, cable), {Kind: evidence.KindPassage, At: evidence.Place{Name: "pss.pdf", Page: 2, Line: 4, EndLine: 4}, Text: shapes[1]}}
	const stay = "\nD3 holds l. 1 (other.md)\nD4 holds p. 2, l. 4 (pss.pdf)"
	for _, tt := range []struct {
		name   string
		change map[string]string
		want   string
		holds  string
		reason string // in what is said of D1
	}{
		{"moved", map[string]string{"docs/pss.md": paragraphs("New.", about, lags, floor, length)}, "D1 moved l. 9 (pss.md)\nD2 moved l. 7 (pss.md)" + stay, "++++", ""},
		{"a number changed", map[string]string{"docs/pss.md": strings.Replace(doc, "127", "63", 1)}, "D1 changed l. 3 (pss.md) [-127-]{+63+}\nD2 holds l. 5 (pss.md)" + stay, "-+++", ""},
		{"changed elsewhere", map[string]string{"docs/pss.md": doc + "\nMore.\n"}, "D1 holds l. 3 (pss.md)\nD2 holds l. 5 (pss.md)" + stay, "++++", "the file has changed elsewhere"},
		{"moved to another one that changed", map[string]string{"docs/pss.md": paragraphs(about, floor), "docs/other.md": paragraphs(cable, length)}, "D1 moved l. 3 (other.md)\nD2 moved l. 3 (pss.md)" + stay, "++++", ""},
		{"moved to a new one, of which the index does not know", map[string]string{"docs/pss.md": paragraphs(about, floor), "docs/new.md": paragraphs(length)}, "D1 gone\nD2 moved l. 3 (pss.md)" + stay, "-+++", "the index is older than its files"},
		{"another edition of a PDF", map[string]string{"docs/pss.pdf": printed(preface, []string{"A page that was put in."}, shapes)}, "D1 holds l. 3 (pss.md)\nD2 holds l. 5 (pss.md)\nD3 holds l. 1 (other.md)\nD4 moved p. 3, l. 5 (pss.pdf)", "++++", ""},
		{"removed", map[string]string{"docs/pss.md": ""}, "D1 gone\nD2 gone" + stay, "--++", "the document is no longer there"},
		{"a binary in its place", map[string]string{"docs/pss.md": "\x00\x01 no text \x00"}, "D1 unread\nD2 unread" + stay, "--++", "it cannot be read as it is now"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := cite(t, map[string]string{"docs/pss.md": doc, "docs/pss.pdf": pdf, "docs/other.md": cable + "\n", "code/x.py": "x = 1\n"}, text, items...)
			before := indexed(t, s)
			s.put(tt.change)
			r := s.recheck(nil)
			got := strings.ReplaceAll(states(r), "unread ", "unread")
			if got != tt.want {
				t.Errorf("items:\n%s\nwant:\n%s", got, tt.want)
			}
			if !strings.Contains(r.Items[0].Note, tt.reason) {
				t.Errorf("said of D1: %q, want %q", r.Items[0].Note, tt.reason)
			}
			holds := ""
			for _, x := range r.Sentences {
				holds += map[bool]string{true: "+", false: "-"}[x.Holds]
			}
			if holds != tt.holds {
				t.Errorf("sentences %s, want %s: %+v", holds, tt.holds, r.Sentences)
			}
			if after := indexed(t, s); after != before {
				t.Errorf("the index was changed:\n%s\nwas:\n%s", after, before)
			}
			if r.Updated != nil { // it holds for the files as they are: also when they are indexed
				s.change(nil)
				if err := r.Updated.Check(t.Context(), s.ws); err != nil {
					t.Errorf("the updated answer is not verified: %v", err)
				}
			}
		})
	}
}

// indexed is what the index has of the documents.
func indexed(t *testing.T, s *sealedAnswer) string {
	t.Helper()
	lib, err := s.ws.Docs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := lib.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, d := range all {
		x, err := lib.View(t.Context(), d.ID, docsearch.Lines{First: 1})
		if err != nil {
			t.Fatal(err)
		}
		out += d.Name + " " + d.Hash + "\n" + x.Text + "\n"
	}
	return out
}

// A link in the place of a document is not followed: what it leads to is none of the documents.
func TestRecheckNewerLink(t *testing.T) {
	s := cite(t, map[string]string{"docs/pss.md": paragraphs(about, length), "code/x.py": "x = 1\n"}, "The sequence has length 127 [D1].", passage("pss.md", 3, length))
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte(paragraphs("A secret.", strings.Replace(length, "127", "63", 1))), 0o600); err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(s.docs, "pss.md")
	if err := os.Remove(p); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, p); err != nil {
		t.Skip(err)
	}
	r := s.recheck(nil)
	if it := r.Items[0]; it.State != evidence.StateUnread || it.Now != "" || r.Holds {
		t.Errorf("%+v", it)
	}
}
