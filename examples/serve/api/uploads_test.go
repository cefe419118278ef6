package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve/api"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
)

func (w *world) upload(name, text string) *docsearch.Document {
	w.t.Helper()
	code, body := w.post("/documents?filename="+name, strings.NewReader(text))
	var doc docsearch.Document
	if err := json.Unmarshal(body, &doc); err != nil || code >= 300 {
		w.t.Fatalf("POST /documents %s: %d %s", name, code, body)
	}
	return &doc
}

// names lists what is in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// listed are the names of the documents.
func (w *world) listed() []string {
	w.t.Helper()
	list, err := w.client().ListDocuments(w.t.Context(), &v1.ListDocumentsRequest{})
	if err != nil {
		w.t.Fatal(err)
	}
	out := []string{}
	for _, d := range list.Documents {
		out = append(out, d.Name)
	}
	return out
}

// TestUploads: what is uploaded is kept as it is, replaced as a whole, shown, and deleted with its file.
func TestUploads(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "uploads")
	w := newWorld(t, &api.Options{Uploads: dir})
	doc := w.upload("notes.md", "# Notes\n\nalpha beta\n")
	if _, file := w.send("GET", "/documents/"+doc.ID+"/file", "", nil); string(file) != "# Notes\n\nalpha beta\n" {
		t.Errorf("the file is %q", file)
	}
	again := w.upload("notes.md", "# Notes\n\ngamma delta\n")
	if again.ID != doc.ID || again.Change != docsearch.Replaced {
		t.Errorf("the same name again: %+v", again)
	}
	res, file := w.send("GET", "/documents/"+doc.ID+"/file", "", nil)
	if string(file) != "# Notes\n\ngamma delta\n" || res.Header.Get("Content-Type") != "text/markdown; charset=utf-8" ||
		res.Header.Get("Content-Disposition") != "attachment; filename=notes.md" || res.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the file is %q, %v", file, res.Header)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"notes.md"}) {
		t.Errorf("the folder holds %v", got)
	}
	if info, err := os.Stat(filepath.Join(dir, "notes.md")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
	if res, body := w.send("DELETE", "/documents/"+doc.ID, "", nil); res.StatusCode != http.StatusOK {
		t.Errorf("DELETE: %d %s", res.StatusCode, body)
	}
	if got, left := names(t, dir), w.listed(); len(got) != 0 || len(left) != 0 {
		t.Errorf("after deleting: %v, %v", got, left)
	}
	if res, _ := w.send("DELETE", "/documents/"+doc.ID, "", nil); res.StatusCode != http.StatusNotFound {
		t.Errorf("DELETE again: %d", res.StatusCode)
	}
}

// TestUploadsBehindLink: a folder that lies behind a link has one name in the run that makes it and in the next, so that deleting finds the file.
func TestUploadsBehindLink(t *testing.T) {
	base := t.TempDir()
	link := filepath.Join(base, "link")
	if err := os.Mkdir(filepath.Join(base, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Skip("no symbolic links here")
	}
	real, err := filepath.EvalSymlinks(link)
	if err != nil {
		t.Fatal(err)
	}
	index, dir := filepath.Join(link, "index"), filepath.Join(link, "index", "uploads")
	open := func() *world { return openWorld(t, index, &api.Options{Uploads: dir}) }
	w := open()
	first := w.upload("first.md", "# First\n\nalpha\n")
	if want := filepath.Join(real, "index", "uploads", "first.md"); first.Origin != want {
		t.Errorf("its file is %s, want %s", first.Origin, want)
	}
	w.end()
	w = open()
	w.upload("second.md", "# Second\n\nbeta\n") // waits until the folder is mended
	if got := w.listed(); !slices.Equal(got, []string{"first.md", "second.md"}) {
		t.Errorf("documents in the second run: %v", got)
	}
	if res, body := w.send("DELETE", "/documents/"+first.ID, "", nil); res.StatusCode != http.StatusOK {
		t.Errorf("DELETE: %d %s", res.StatusCode, body)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"second.md"}) {
		t.Errorf("after deleting the folder holds %v", got)
	}
}

// TestFile: parts of a PDF, as viewers ask for them, and no file but the one that was read.
func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "papers")
	if err := os.CopyFS(dir, os.DirFS(papers)); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, &api.Options{Uploads: filepath.Join(t.TempDir(), "uploads")})
	var doc *docsearch.Document
	for d, err := range w.ws.AddDocs(t.Context(), dir) {
		if err != nil {
			t.Fatal(err)
		}
		doc = d
	}
	url := "/documents/" + doc.ID + "/file"
	whole, err := os.ReadFile(doc.Origin)
	if err != nil {
		t.Fatal(err)
	}
	res, body := w.send("GET", url, "", nil)
	if !bytes.Equal(body, whole) || res.Header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(res.Header.Get("Content-Disposition"), "inline; filename=") {
		t.Errorf("%d bytes, %v", len(body), res.Header)
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", w.url+url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Range", "bytes=100-199")
	part, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer part.Body.Close()
	var got bytes.Buffer
	if _, err := got.ReadFrom(part.Body); err != nil || part.StatusCode != http.StatusPartialContent || !bytes.Equal(got.Bytes(), whole[100:200]) {
		t.Errorf("a part: %d, %d bytes, %v", part.StatusCode, got.Len(), err)
	}
	refused := func(when string) {
		t.Helper()
		res, body := w.send("GET", url, "", nil)
		if res.StatusCode != http.StatusConflict || bytes.Contains(body, []byte("secret")) || bytes.Contains(body, []byte(dir)) || !json.Valid(body) {
			t.Errorf("%s: %d %.200s", when, res.StatusCode, body)
		}
	}
	other := bytes.Clone(whole)
	other[200]++
	if err := os.WriteFile(doc.Origin, other, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(doc.Origin, time.Now(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	refused("the file was changed")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, bytes.Repeat([]byte("secret"), int(doc.Size)/6+1)[:doc.Size], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(doc.Origin); err != nil {
		t.Fatal(err)
	}
	refused("the file is gone")
	if err := os.Symlink(secret, doc.Origin); err != nil {
		t.Skip("no symbolic links here")
	}
	refused("a link took its place")
	mem, err := w.ws.AddDocument(t.Context(), "memory.md", []byte("# M\n\ntext"))
	if err != nil {
		t.Fatal(err)
	}
	url = "/documents/" + mem.ID + "/file"
	refused("there never was a file")
}

// TestPartOfText: a part of a text that is masked is one of the masked text, however long it is.
func TestPartOfText(t *testing.T) {
	w := newWorld(t, &api.Options{Uploads: filepath.Join(t.TempDir(), "uploads")})
	token := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	for name, lines := range map[string]int{"short.txt": 10, "long.txt": 200_000} {
		doc := w.upload(name, "token "+token+"\n"+strings.Repeat("a line of text\n", lines))
		res, whole := w.send("GET", "/documents/"+doc.ID+"/file", "", nil)
		if int64(len(whole)) != doc.Size || bytes.Contains(whole, []byte(token)) {
			t.Errorf("%s: %d bytes, %.60q", name, len(whole), whole)
		}
		req, err := http.NewRequestWithContext(t.Context(), "GET", w.url+"/documents/"+doc.ID+"/file", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Range", "bytes=3-49")
		req.Header.Set("If-Range", res.Header.Get("ETag"))
		part, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		_, err = got.ReadFrom(part.Body)
		part.Body.Close()
		if err != nil || part.StatusCode != http.StatusPartialContent || !bytes.Equal(got.Bytes(), whole[3:50]) {
			t.Errorf("%s: a part: %d, %q, %v", name, part.StatusCode, got.Bytes(), err)
		}
	}
}

// TestCrash: whatever state a crash leaves, the next service has index and folder agree.
func TestCrash(t *testing.T) {
	index, dir := t.TempDir(), filepath.Join(t.TempDir(), "uploads")
	w := openWorld(t, index, &api.Options{Uploads: dir})
	for _, name := range []string{"kept.md", "deleted.md", "replaced.md"} {
		w.upload(name, "# A\n\nfirst text of "+name)
	}
	w.end()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Remove(filepath.Join(dir, "deleted.md")))                                              // between the file and the index
	must(os.WriteFile(filepath.Join(dir, ".upload-X"), []byte("# half"), 0o600))                   // while it was written
	must(os.WriteFile(filepath.Join(dir, "replaced.md"), []byte("# A\n\nsecond text"), 0o600))     // as after a backup was brought back
	must(os.WriteFile(filepath.Join(dir, "new.md"), []byte("# N\n\nanother text"), 0o600))         // likewise
	must(os.Chtimes(filepath.Join(dir, "replaced.md"), time.Now(), time.Now().Add(2*time.Second))) // some file systems have whole seconds
	w = openWorld(t, index, &api.Options{Uploads: dir})
	w.upload("later.md", "# L\n\nlater") // waits until the folder is mended
	if got, want := w.listed(), []string{"kept.md", "later.md", "new.md", "replaced.md"}; !slices.Equal(got, want) {
		t.Errorf("documents %v, want %v", got, want)
	}
	if got, want := names(t, dir), []string{"kept.md", "later.md", "new.md", "replaced.md"}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	text, err := w.client().GetText(t.Context(), &v1.GetTextRequest{Doc: "replaced.md"})
	if err != nil || !strings.Contains(text.GetText().GetText(), "second text") {
		t.Errorf("GetText = %v, %v", text, err)
	}
}

// TestManyUploads: many at once, of one name and of several, end with index and folder agreeing.
func TestManyUploads(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "uploads")
	w := newWorld(t, &api.Options{Uploads: dir})
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			name := fmt.Sprintf("n%d.md", i%3)
			res, err := http.Post(w.url+"/documents?filename="+name, "text/markdown", strings.NewReader(fmt.Sprintf("# T\n\ntext number %d", i)))
			if err != nil {
				t.Error(err)
				return
			}
			res.Body.Close()
			if res.StatusCode >= 300 {
				t.Errorf("%s: %d", name, res.StatusCode)
			}
		})
	}
	wg.Wait()
	if got, want := names(t, dir), []string{"n0.md", "n1.md", "n2.md"}; !slices.Equal(got, want) || !slices.Equal(w.listed(), want) {
		t.Errorf("files %v, documents %v", got, w.listed())
	}
	for _, name := range names(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		text, gerr := w.client().GetText(t.Context(), &v1.GetTextRequest{Doc: name})
		if err != nil || gerr != nil || strings.TrimSpace(text.GetText().GetText()) == "" || !strings.Contains(text.GetText().GetText(), strings.TrimSpace(string(data[5:]))) {
			t.Errorf("%s: the file has %q, the index %q: %v, %v", name, data, text.GetText().GetText(), err, gerr)
		}
	}
}

// TestCutOff: an upload whose client goes is in neither.
func TestCutOff(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "uploads")
	w := newWorld(t, &api.Options{Uploads: dir})
	w.upload("big.md", "# Big\n\nfirst")
	text := "# Big\n\n" + strings.Repeat("many words that take a while to be read\n\n", 200_000)
	ctx, cancel := context.WithCancel(t.Context())
	stream, err := w.client().AddDocument(ctx, &v1.AddDocumentRequest{Name: "big.md", Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	if !stream.Receive() || stream.Msg().GetProgress() == nil {
		t.Fatalf("first event %v, %v", stream.Msg(), stream.Err())
	}
	cancel()
	for stream.Receive() {
	}
	stream.Close()
	w.upload("small.md", "# S\n\nsmall")
	for range 200 { // the server learns a little later that the client is gone
		if slices.Equal(names(t, dir), []string{"big.md", "small.md"}) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	doc, err := w.client().GetDocument(t.Context(), &v1.GetDocumentRequest{Doc: "big.md"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "big.md"))
	if err != nil || int(doc.Size) != len(data) {
		t.Errorf("the index has %v bytes, the file %d: %v", doc.Size, len(data), err)
	}
	if res, _ := w.send("GET", "/documents/"+doc.Id+"/file", "", nil); res.StatusCode != http.StatusOK {
		t.Errorf("its file: %d", res.StatusCode)
	}
}

// TestAdd: adding tells how far it is, what was added and what could not be read.
func TestAdd(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "papers")
	if err := os.CopyFS(dir, os.DirFS(papers)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.pdf"), []byte("%PDF-1.4 and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(root, "receiver"), os.DirFS(receiver)); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, &api.Options{Roots: []string{root}})
	folder, err := w.client().AddFolder(t.Context(), &v1.AddFolderRequest{Path: "papers", Collections: []string{"radio"}})
	if err != nil {
		t.Fatal(err)
	}
	progress, docs, problems := 0, 0, 0
	var sum *v1.AddSummary
	for folder.Receive() {
		switch e := folder.Msg().Event.(type) {
		case *v1.AddEvent_Progress:
			progress++
		case *v1.AddEvent_Document:
			docs++
		case *v1.AddEvent_Problem:
			problems++
			if e.Problem.Name != "broken.pdf" || e.Problem.Reason == "" || strings.Contains(e.Problem.Reason, root) {
				t.Errorf("problem %v", e.Problem)
			}
		case *v1.AddEvent_Done:
			sum = e.Done
		}
	}
	if err := folder.Err(); err != nil || progress == 0 || docs != 3 || problems != 1 || sum.GetAdded() != 3 || sum.GetFailed() != 1 {
		t.Errorf("%d progress, %d documents, %d problems, %v, %v", progress, docs, problems, sum, err)
	}
	list, err := w.client().ListDocuments(t.Context(), &v1.ListDocumentsRequest{Collection: "radio", Limit: 2})
	if err != nil || len(list.Documents) != 2 || list.Next == "" {
		t.Fatalf("a page: %v, %v", list, err)
	}
	rest, err := w.client().ListDocuments(t.Context(), &v1.ListDocumentsRequest{Collection: "radio", Limit: 2, After: list.Next})
	if err != nil || len(rest.Documents) == 0 || rest.Documents[0].Id == list.Documents[0].Id || rest.Next != "" {
		t.Errorf("the next page: %v, %v", rest, err)
	}
	repo, err := w.client().AddRepository(t.Context(), &v1.AddRepositoryRequest{Path: filepath.Join(root, "receiver")})
	if err != nil {
		t.Fatal(err)
	}
	var added *v1.Repository
	for repo.Receive() {
		if r := repo.Msg().GetRepository(); r != nil {
			added = r
		}
	}
	if repo.Err() != nil || added.GetChanges().GetAdded() == 0 {
		t.Errorf("repository %v, %v", added, repo.Err())
	}
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, path := range []string{"/etc", "..", "papers/../..", "nothing", "link", outside} {
		stream, err := w.client().AddFolder(t.Context(), &v1.AddFolderRequest{Path: path})
		if err == nil {
			if stream.Receive() {
				t.Errorf("%s: %v", path, stream.Msg())
			}
			err = stream.Err()
		}
		if err == nil || !strings.Contains(err.Error(), "permission_denied") || strings.Contains(err.Error(), root) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestRefusedUpload: what cannot be read is refused as a whole. Nothing of it is kept, and what had its name stays as it was.
func TestRefusedUpload(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "uploads")
	for name, o := range map[string]*api.Options{"kept": {Uploads: dir}, "from memory": nil} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o)
			doc := w.upload("notes.md", "# Notes\n\nalpha beta\n")
			for file, want := range map[string]int{"x.pdf": http.StatusUnprocessableEntity, "x.zip": http.StatusUnsupportedMediaType, "notes.md": http.StatusUnprocessableEntity} {
				if code, body := w.post("/documents?filename="+file, strings.NewReader("bin\x00ary")); code != want {
					t.Errorf("%s: %d %s, want %d", file, code, body, want)
				}
			}
			stream, err := w.client().AddDocument(t.Context(), &v1.AddDocumentRequest{Name: "y.pdf", Data: []byte("no PDF")})
			if err != nil {
				t.Fatal(err)
			}
			for stream.Receive() {
			}
			if stream.Err() == nil {
				t.Error("AddDocument took what is no PDF")
			}
			if got := w.listed(); !slices.Equal(got, []string{"notes.md"}) {
				t.Errorf("documents %v, want notes.md alone", got)
			}
			if text, err := w.client().GetText(t.Context(), &v1.GetTextRequest{Doc: doc.ID}); err != nil || !strings.Contains(text.GetText().GetText(), "alpha") {
				t.Errorf("what had the name: %v, %v", text, err)
			}
			if o != nil {
				if got := names(t, dir); !slices.Equal(got, []string{"notes.md"}) {
					t.Errorf("the folder holds %v", got)
				}
			}
		})
	}
}
