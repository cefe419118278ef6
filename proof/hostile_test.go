package proof_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/proof"
	"github.com/findspot/findspot/skill/evidence"
)

// A link in the place of the folder leads nowhere, and neither does one in the place of the folder in which the files are made.
func TestLinks(t *testing.T) {
	h := build(t)
	for name, how := range map[string]func(parent string) (link, to string){
		"to an empty folder": func(p string) (string, string) { return filepath.Join(p, "proof"), filepath.Join(p, "target") },
		"to nothing":         func(p string) (string, string) { return filepath.Join(p, "proof"), filepath.Join(p, "nowhere") },
		"to itself":          func(p string) (string, string) { return filepath.Join(p, "proof"), filepath.Join(p, "proof") },
		"of what is unfinished": func(p string) (string, string) {
			return filepath.Join(p, "proof.unfinished"), filepath.Join(p, "target")
		},
	} {
		parent := t.TempDir()
		if err := os.Mkdir(filepath.Join(parent, "target"), 0o777); err != nil {
			t.Fatal(err)
		}
		link, to := how(parent)
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
		if _, err := proof.Write(t.Context(), filepath.Join(parent, "proof"), h.answer, h.src, byPlaces(nil)); err == nil {
			t.Errorf("a link %s: it was written", name)
		}
		if got, err := os.Readlink(link); err != nil || got != to {
			t.Errorf("a link %s: it is now %q, %v", name, got, err)
		}
		if list, err := os.ReadDir(filepath.Join(parent, "target")); err != nil || len(list) > 0 {
			t.Errorf("a link %s: %d files are where it leads, %v", name, len(list), err)
		}
	}
}

// replacing gives another file for a document than the one that was verified.
type replacing struct {
	*findspot.Folders
	data []byte
	n    *int
}

func (r replacing) Original(ctx context.Context, at evidence.Place) ([]byte, error) {
	if *r.n++; at.Name == "pss-detection.pdf" {
		return r.data, nil
	}
	return r.Folders.Original(ctx, at)
}

// A document that is replaced between the check and the marking is in no bundle.
func TestReplaced(t *testing.T) {
	h := build(t)
	other, err := os.ReadFile("../examples/testdata/papers/sync-raster.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"another PDF": other, "no PDF": []byte("%PDF-1.7\n"), "nothing": nil} {
		dir, n := filepath.Join(t.TempDir(), "proof"), 0
		_, err := proof.Write(t.Context(), dir, h.answer, replacing{h.src, data, &n}, byPlaces(nil))
		if !errors.Is(err, findspot.ErrStale) || !strings.Contains(fmt.Sprint(err), "pss-detection.pdf") || n == 0 {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: there is a bundle", name)
		}
	}
}

// named answers with documents under names that are made to lead elsewhere.
type named struct{ text, data string }

func (s named) Text(context.Context, evidence.Place) (string, error) { return s.text, nil }
func (s named) Describe(context.Context, evidence.Place) (string, string, error) {
	return "hash", "reader", nil
}
func (s named) Original(context.Context, evidence.Place) ([]byte, error) { return []byte(s.data), nil }

// Names of documents, files and keys are no paths of the bundle, whatever they hold.
func TestHostileNames(t *testing.T) {
	hostile := []string{
		"../../etc/passwd.pdf", "/etc/passwd.pdf", `..\..\windows\system32.pdf`, "a\x00b.pdf", "a\nb\r.pdf", "\u202efdp.exe.pdf", ".pdf", "...pdf", "CON.pdf", "con.PDF", "aux .pdf", strings.Repeat("x", 5000) + ".pdf",
		"a//../b.pdf", "README.txt.pdf", "<script>.pdf", "\xff\xfe.pdf", "SHA256SUMS.pdf", "-rf.pdf", "~root.pdf", "$(id).pdf", "a.pdf", "A.pdf",
	}
	led := evidence.NewLedger()
	text := ""
	for i, name := range hostile {
		it := led.Add(evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Doc: fmt.Sprint("d", i), Name: name, Title: name, Page: 1}, Text: "Some words."})
		text += "Some words [" + it.Key + "].\n\n"
	}
	led.Add(evidence.Item{Kind: evidence.KindText, At: evidence.Place{Path: "../../../outside\x1b[31m.py", Line: 1, EndLine: 1}, Text: "Some words."})
	src := named{"Some words.\n", "%PDF-1.7\nno more\n"}
	a := &evidence.Answer{Question: "<script>\x1b[31m\u202e", Text: text}
	if err := a.Seal(t.Context(), src, led); err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	o := &proof.Options{Verify: evidence.VerifyOptions{NoMeaning: true, Places: true}}
	b, err := proof.Write(t.Context(), filepath.Join(parent, "proof"), a, src, o)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(parent); err != nil || len(list) != 1 {
		t.Errorf("beside the bundle there is something else: %v, %v", list, err)
	}
	files := tree(t, filepath.Join(parent, "proof"))
	folded := map[string]bool{}
	for name, content := range files {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./") != "" || strings.Contains(name, "..") || len(name) > 100 || folded[strings.ToLower(name)] {
			t.Errorf("a file is named %q", name)
		}
		folded[strings.ToLower(name)] = true
		if strings.HasPrefix(name, "documents/") {
			continue
		}
		for _, bad := range []string{"\x1b", "\u202e", "\x00", "<script>"} {
			if strings.Contains(content, bad) && !(name == "answer.json") && !(bad == "<script>" && !strings.HasSuffix(name, ".html")) {
				t.Errorf("%s has %q as it is", name, bad)
			}
		}
	}
	if len(b.Documents) != len(hostile) || slices.ContainsFunc(b.Documents, func(d proof.Document) bool { return d.Reason == "" || !strings.HasPrefix(d.File, "documents/") }) {
		t.Errorf("%d documents, want %d that are not marked", len(b.Documents), len(hostile))
	}
}

// What a bundle takes of memory is bounded by its size, and it ends before it has taken more.
func TestMemory(t *testing.T) {
	big := named{"Some words.\n", "%PDF-1.7\n" + strings.Repeat("x", 20<<20)}
	led := evidence.NewLedger()
	text := ""
	for i := range 50 {
		it := led.Add(evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Doc: fmt.Sprint("d", i), Name: fmt.Sprint(i, ".pdf"), Page: 1}, Text: "Some words."})
		text += "Some words [" + it.Key + "].\n\n"
	}
	a := &evidence.Answer{Text: text}
	if err := a.Seal(t.Context(), big, led); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, err := proof.Write(t.Context(), filepath.Join(t.TempDir(), "proof"), a, big, &proof.Options{Verify: evidence.VerifyOptions{NoMeaning: true, Places: true}, MaxBytes: 100 << 20})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, findspot.ErrTooLarge) || n > 1<<30 {
		t.Errorf("%v, after %d MB", err, n>>20)
	}
}
