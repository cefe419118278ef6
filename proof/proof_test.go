package proof_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch/pdf/mark"
	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/proof"
	"github.com/findspot/findspot/skill/evidence"
)

func TestMain(m *testing.M) { os.Exit(home.Run(m)) }

// What documents, code and the answer try.
const (
	hostile = "</pre></article><script>alert(1)</script> <img src=x onerror=alert(2)> \"'&lt; [x](javascript:alert(3)) ![y](http://example.org/y) \u202Eback"
	oddName = "a <b> \"c\" [d](e).md"
)

// A house is an answer with its sources.
type house struct {
	docs, code string
	src        *findspot.Folders
	answer     *evidence.Answer
}

func build(t *testing.T) *house {
	t.Helper()
	h := &house{docs: t.TempDir(), code: t.TempDir()}
	for to, from := range map[string]string{
		"pss-detection.pdf": "../examples/testdata/papers/pss-detection.pdf", "locked.pdf": "../docsearch/pdf/internal/cos/testdata/aes-256-empty.pdf",
		"deeper/pss-detection.pdf": "../examples/testdata/papers/pss-detection.pdf", // the same content
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(h.docs, to), data)
	}
	put(t, filepath.Join(h.docs, oddName), []byte("A note.\nThe length is 127 "+hostile+"\n```\n<b> [x](javascript:alert(7))\n```\nThe end.\n"))
	put(t, filepath.Join(h.code, "rx.py"), []byte("x = 1\ny = '"+hostile+"'\nz = 3\n"))
	var err error
	if h.src, err = findspot.OpenFolders([]string{h.docs}, []string{h.code}, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.src.Close() })
	at := func(name string, page, line, end int) evidence.Place {
		id := md5.Sum([]byte(name))
		return evidence.Place{Doc: hex.EncodeToString(id[:]), Name: name, Page: page, Line: line, EndLine: end}
	}
	led := evidence.NewLedger()
	for _, it := range []evidence.Item{
		{Kind: evidence.KindPassage, At: at("pss-detection.pdf", 2, 146, 150)},
		{Kind: evidence.KindPassage, At: at(oddName, 1, 2, 5)},
		{Kind: evidence.KindPassage, At: at("locked.pdf", 1, 1, 1)},
		{Kind: evidence.KindPassage, At: at("deeper/pss-detection.pdf", 1, 8, 12)},
		{Kind: evidence.KindText, At: evidence.Place{Path: "rx.py", Line: 2, EndLine: 2}},
	} {
		text, err := h.src.Text(t.Context(), it.At)
		if err != nil {
			t.Fatal(err)
		}
		it.Text = strings.TrimSpace(text)
		led.Add(it)
	}
	h.answer = &evidence.Answer{
		Question: "How long? " + hostile,
		Text: "The noise floor is an estimate. [D1]\n\nIt says <script>alert(4)</script> and [z](javascript:alert(5)). [D2, D3; C1]\n# no heading [D4]\n" +
			"```\n</pre><script>alert(6)</script> [D1]\n```\n\n1. www.example.org and a@example.org [D1-D2] [D9x] [D1](javascript:alert(8)) [D2]: javascript:alert(9)\n",
		Quotes: []evidence.Quote{{Key: "D1", Text: firstWords(t, led, "D1")}},
	}
	if err := h.answer.Seal(t.Context(), h.src, led); err != nil {
		t.Fatal(err)
	}
	return h
}

func firstWords(t *testing.T, led *evidence.Ledger, key string) string {
	it, ok := led.Get(key)
	if !ok {
		t.Fatalf("no item %s", key)
	}
	return strings.Join(strings.Fields(it.Text)[:5], " ")
}

func put(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, data, 0o666)); err != nil {
		t.Fatal(err)
	}
}

// tree is the content of all files of a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

// byPlaces leaves the meaning of sentences alone: the answer of the tests is of words that no evidence has.
func byPlaces(o *proof.Options) *proof.Options {
	if o == nil {
		o = &proof.Options{}
	}
	o.Verify.NoMeaning = true
	return o
}

func TestWrite(t *testing.T) {
	h := build(t)
	dir := filepath.Join(t.TempDir(), "new", "proof")
	b, err := proof.Write(t.Context(), dir, h.answer, h.src, byPlaces(nil))
	if err != nil {
		t.Fatal(err)
	}
	files := tree(t, dir)
	var names []string
	for _, f := range b.Files {
		names = append(names, f.Name)
		if files[f.Name] == "" || int64(len(files[f.Name])) != f.Size || sum(files[f.Name]) != f.SHA256 {
			t.Errorf("%s is not what the bundle says", f.Name)
		}
	}
	want := []string{"README.txt", "SHA256SUMS", "answer.html", "answer.json", "answer.md", "documents/locked.pdf", "documents/pss-detection-2.pdf",
		"documents/pss-detection.pdf", "excerpts/C1.txt", "excerpts/D2.txt", "excerpts/D3.txt"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if len(files) != len(want) {
		t.Errorf("%d files are there, %d are named", len(files), len(want))
	}
	// Every file but the list itself has its hash in it.
	listed := map[string]string{}
	for line := range strings.Lines(files["SHA256SUMS"]) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		listed[name] = hash
	}
	for name, content := range files {
		if name != "SHA256SUMS" && listed[name] != sum(content) {
			t.Errorf("SHA256SUMS has %q for %s", listed[name], name)
		}
	}
	// The PDFs begin with the originals, and README.txt says how far.
	for i, original := range []string{"pss-detection.pdf", "locked.pdf", "deeper/pss-detection.pdf"} {
		data, err := os.ReadFile(filepath.Join(h.docs, original))
		if err != nil {
			t.Fatal(err)
		}
		d := b.Documents[i]
		if !strings.HasPrefix(files[d.File], string(data)) || d.Size != int64(len(data)) || d.SHA256 != sum(string(data)) {
			t.Errorf("%s does not begin with the original", d.File)
		}
		if line := fmt.Sprintf("head -c %d %s | sha256sum\n    %s\n", d.Size, d.File, d.SHA256); !strings.Contains(files["README.txt"], line) {
			t.Errorf("README.txt lacks %q", line)
		}
		if marked := strings.Contains(files[d.File][len(data):], "/Subtype/Highlight"); marked != (original != "locked.pdf") || marked != (d.Reason == "") {
			t.Errorf("%s: marked: %v, reason %q", d.File, marked, d.Reason)
		}
	}
	for i, key := range []string{"D1", "D3", "D4"} { // also where two have the same content
		d := b.Documents[i]
		if !slices.Equal(d.Keys, []string{key}) || slices.ContainsFunc(d.Marks, func(m mark.Found) bool { return m.Key != key }) {
			t.Errorf("%s has the keys %v and the marks %+v, want those of %s", d.File, d.Keys, d.Marks, key)
		}
	}
	if !strings.Contains(files["README.txt"], "documents/locked.pdf is not marked: encrypted") {
		t.Error("README.txt does not say why a document is not marked")
	}
	if got := files["excerpts/C1.txt"]; !strings.HasPrefix(got, "rx.py:2\n") || !strings.Contains(got, "\n     2  y = '</pre>") || !strings.Contains(got, "[U+202E]back'") {
		t.Errorf("excerpt of C1:\n%s", got)
	}
	ans, err := evidence.ReadAnswer(strings.NewReader(files["answer.json"]))
	if err != nil || ans.Digest != h.answer.Digest {
		t.Errorf("answer.json is another one: %v", err)
	}
	checkPage(t, files)
	checkMarkdown(t, files)

	again := filepath.Join(t.TempDir(), "again")
	if err := os.Mkdir(again, 0o777); err != nil { // an empty folder will do
		t.Fatal(err)
	}
	if _, err := proof.Write(t.Context(), again, h.answer, h.src, byPlaces(nil)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files, tree(t, again)); diff != "" {
		t.Errorf("another time it is not the same:\n%.2000s", diff)
	}
	docs, err := proof.Documents(t.Context(), h.answer, h.src, byPlaces(nil))
	if err != nil || len(docs) != 3 || docs[0].File != "" || len(docs[0].Marks) != len(b.Documents[0].Marks) || len(docs[0].Marks[0].Places[0].Boxes) == 0 {
		t.Errorf("Documents = %+v, %v", docs, err)
	}
}

// checkPage makes sure that the page is strict, that nothing of a source is markup in it, and that its links lead somewhere.
func checkPage(t *testing.T, files map[string]string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(files["answer.html"]))
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string][]string{
		"html": {"lang"}, "head": nil, "meta": {"charset", "http-equiv", "content", "name"}, "title": nil, "style": nil, "body": nil, "main": nil, "h1": {"dir"}, "h2": nil,
		"h3": {"dir"}, "p": {"dir"}, "pre": {"dir"}, "a": {"href", "class"}, "article": {"id"}, "div": {"class", "dir"},
	}
	ids, hrefs := map[string]bool{}, map[string]string{}
	style, policy := "", ""
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attrs, ok := allowed[n.Data]
		if !ok {
			t.Errorf("the page has an element %s", n.Data)
		}
		for _, a := range n.Attr {
			if !slices.Contains(attrs, a.Key) {
				t.Errorf("the page has %s with %s=%q", n.Data, a.Key, a.Val)
			}
			switch {
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "href":
				hrefs[a.Val] = n.FirstChild.Data
			case a.Key == "content" && strings.HasPrefix(a.Val, "default-src"):
				policy = a.Val
			}
		}
		if n.Data == "style" {
			style = n.FirstChild.Data
		}
	}
	hash := sha256.Sum256([]byte(style))
	if want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; base-uri 'none'; form-action 'none'"; policy != want {
		t.Errorf("policy %q, want %q", policy, want)
	}
	for href := range hrefs {
		if id, ok := strings.CutPrefix(href, "#"); ok && ids[id] {
			continue
		}
		name, _, _ := strings.Cut(href, "#")
		if _, ok := files[name]; !ok {
			t.Errorf("a link leads to %q", href)
		}
	}
	for _, want := range []string{"#D1", "#D2", "#D3", "#D4", "#C1", "documents/pss-detection.pdf#page=2", "documents/pss-detection-2.pdf#page=1", "excerpts/D2.txt", "excerpts/C1.txt"} {
		if _, ok := hrefs[want]; !ok {
			t.Errorf("no link leads to %s: %v", want, hrefs)
		}
	}
	if strings.Contains(files["answer.html"], "\u202E") || !strings.Contains(files["answer.html"], "[U+202E]back") {
		t.Error("what cannot be seen is not written out")
	}
}

var (
	links  = regexp.MustCompile(`[^\\]\]\(([^)]*)\)`)
	opened = regexp.MustCompile(`(^|[^\\])[<!]`)
)

// checkMarkdown makes sure that nothing of a source is markup outside of the fences.
func checkMarkdown(t *testing.T, files map[string]string) {
	t.Helper()
	md := files["answer.md"]
	listings, fence := 0, ""
	var outside strings.Builder
	for line := range strings.Lines(md) {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			listings, fence = listings+1, ticks
		case fence == "":
			outside.WriteString(line)
		case strings.HasPrefix(ticks, fence) && ticks == strings.TrimSpace(line):
			fence = ""
		}
	}
	if listings != 6 || fence != "" { // a listing of the answer and five items
		t.Errorf("%d listings, want 6, and the last is open: %v:\n%s", listings, fence != "", md)
	}
	rest := outside.String()
	for _, m := range links.FindAllStringSubmatch(rest, -1) {
		name, _, _ := strings.Cut(m[1], "#")
		if _, ok := files[name]; !ok {
			t.Errorf("a link leads to %q", m[1])
		}
	}
	if m := opened.FindString(rest); m != "" {
		t.Errorf("there is %q in:\n%s", m, rest)
	}
	for _, bad := range []string{")](", ")]:"} { // a bracket of keys is no link, and defines none
		if strings.Contains(rest, bad) {
			t.Errorf("there is %q in:\n%s", bad, rest)
		}
	}
	for _, want := range []string{"\n1\\. www\\.example.org", "[D1](documents/pss-detection.pdf#page=2)", "\n\\# no heading", "[C1](excerpts/C1.txt)"} {
		if !strings.Contains(rest, want) {
			t.Errorf("there is no %q in:\n%s", want, rest)
		}
	}
}

func TestRefused(t *testing.T) {
	h := build(t)
	parent := t.TempDir()
	full := filepath.Join(parent, "full")
	put(t, filepath.Join(full, "mine.txt"), []byte("mine"))
	file := filepath.Join(parent, "file")
	put(t, file, []byte("mine"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	fresh := filepath.Join(parent, "fresh")
	for name, tt := range map[string]struct {
		ctx context.Context
		dir string
		o   *proof.Options
		is  error
		say string
	}{
		"a folder with files": {t.Context(), full, nil, findspot.ErrUnsupported, "the folder is not empty"},
		"a file":              {t.Context(), file, nil, nil, "bundle: "},
		"no name":             {t.Context(), "", nil, findspot.ErrUnsupported, "no folder"},
		"too large":           {t.Context(), fresh, &proof.Options{MaxBytes: 1000}, findspot.ErrTooLarge, "over 1000 bytes"},
		"too large in sum":    {t.Context(), fresh, &proof.Options{MaxBytes: 340_000}, findspot.ErrTooLarge, "over 340000 bytes"},
		"ended":               {ended, fresh, nil, context.Canceled, ""},
	} {
		_, err := proof.Write(tt.ctx, tt.dir, h.answer, h.src, byPlaces(tt.o))
		if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(fmt.Sprint(err), tt.say) {
			t.Errorf("%s: Write = %v", name, err)
		}
	}
	put(t, filepath.Join(h.code, "rx.py"), []byte("x = 1\ny = 2\n"))
	if _, err := proof.Write(t.Context(), fresh, h.answer, h.src, byPlaces(nil)); !errors.Is(err, findspot.ErrStale) || !strings.Contains(fmt.Sprint(err), "C1") {
		t.Errorf("an answer that does not hold: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(parent, "*"))
	if err != nil || !slices.Equal(left, []string{file, full}) {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// ending is a context that ends when it was asked so many times.
type ending struct {
	context.Context
	asked, last *int
}

func (e ending) Err() error {
	if *e.asked++; *e.asked > *e.last {
		return context.Canceled
	}
	return nil
}

// TestEnds ends a call at several of its steps, also while files are written: nothing is left behind.
func TestEnds(t *testing.T) {
	h := build(t)
	parent := t.TempDir()
	asked, last := 0, 1<<30
	write := func(name string) error {
		asked = 0
		_, err := proof.Write(ending{t.Context(), &asked, &last}, filepath.Join(parent, name), h.answer, h.src, byPlaces(nil))
		return err
	}
	if err := write("whole"); err != nil {
		t.Fatal(err)
	}
	n := asked
	for _, last = range []int{0, n / 2, n - 10, n - 5, n - 1} {
		if err := write("part"); !errors.Is(err, context.Canceled) {
			t.Errorf("ended at step %d of %d: %v", last, n, err)
		}
		if left, err := filepath.Glob(filepath.Join(parent, "part*")); err != nil || len(left) > 0 {
			t.Errorf("ended at step %d of %d: %v is left behind", last, n, left)
		}
	}
}

// TestNoFile makes sure that a document without a file has its lines in the bundle.
func TestNoFile(t *testing.T) {
	ws, err := findspot.Open(t.Context(), t.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	data, err := os.ReadFile("../examples/testdata/papers/sync-raster.pdf")
	if err != nil {
		t.Fatal(err)
	}
	d, err := ws.AddDocument(t.Context(), "mine.pdf", data)
	if err != nil {
		t.Fatal(err)
	}
	at := evidence.Place{Doc: d.ID, Name: d.Name, Page: 1, Line: 5, EndLine: 6}
	text, err := ws.Text(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	led := evidence.NewLedger()
	led.Add(evidence.Item{Kind: evidence.KindPassage, At: at, Text: text})
	a := &evidence.Answer{Text: "Yes. [D1]\n"}
	if err := a.Seal(t.Context(), ws, led); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "proof")
	b, err := proof.Write(t.Context(), dir, a, ws, nil)
	if err != nil || len(b.Documents) != 0 {
		t.Fatalf("Write = %+v, %v", b, err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "excerpts", "D1.txt")); err != nil || !bytes.Contains(data, []byte("\n     5  ")) {
		t.Errorf("excerpt: %v:\n%s", err, data)
	}
	if _, err := ws.Original(t.Context(), at); !errors.Is(err, findspot.ErrNotFound) {
		t.Errorf("Original of bytes: %v", err)
	}
	if _, err := ws.Original(t.Context(), evidence.Place{Path: "a.go"}); !errors.Is(err, findspot.ErrUnsupported) {
		t.Errorf("Original of code: %v", err)
	}
}
