package citation

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/skill/evidence"
)

// FolderOptions of [OpenFolders].
type FolderOptions struct {
	OCR extract.OCR // reads scanned pages; nil: they have no text
	// Files says what the content of documents was, as hex SHA-256 by document id, as the sources of an answer file have it. A document
	// that was added under another name or id is found by it.
	Files map[string]string
}

// Folders gives the text at places straight from folders of documents and repositories, without any index: a document is read anew when a
// place in it is first asked for. It is an [evidence.Describer] and safe for concurrent use.
type Folders struct {
	opt   FolderOptions
	docs  []string
	repos []*rootfs.Dir
	names []string // of repos: the names of their folders

	mu    sync.Mutex // guards all below
	lib   *docsearch.Library
	known map[string]error // documents that were looked for
	files map[string]docsearch.Source
}

// OpenFolders opens folders of documents, or single documents, and roots of repositories. None of it is read yet, and nothing of
// it is reached through a link that leads out of a repository.
func OpenFolders(docs, repos []string, o *FolderOptions) (*Folders, error) {
	f := &Folders{docs: append([]string(nil), docs...), known: map[string]error{}, files: map[string]docsearch.Source{}}
	if o != nil {
		f.opt = *o
	}
	for _, d := range docs {
		if _, err := os.Stat(d); err != nil {
			return nil, err
		}
	}
	for _, r := range repos {
		abs, err := rootfs.Real(r)
		if err == nil {
			dir := rootfs.New(abs)
			if _, err = dir.ReadDir("."); err == nil {
				f.repos, f.names = append(f.repos, dir), append(f.names, filepath.Base(abs))
				continue
			}
		}
		return nil, errors.Join(fmt.Errorf("repository %s: %w", r, err), f.Close())
	}
	readers := formats.All()
	readers[".pdf"] = pdf.New(&pdf.Options{OCR: f.opt.OCR})
	lib, err := memstore.Open(&docsearch.Options{Extractors: readers})
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.lib = lib
	return f, nil
}

// Close closes the folders.
func (f *Folders) Close() error {
	if f.lib == nil {
		return nil
	}
	return f.lib.Close()
}

// Text returns the text at a place, as [Sources.Text] does.
func (f *Folders) Text(ctx context.Context, at evidence.Place) (string, error) {
	if at.Doc == "" {
		data, err := f.file(at)
		if err != nil {
			return "", err
		}
		first, last := codeLines(at)
		text := charset.UTF8(at.Path, data)
		secrets.Mask(text) // as answers have it
		lines := repository.SplitLines(text)
		if first > len(lines) {
			return "", repository.NoLine(at.Path, first, len(lines))
		}
		return string(bytes.Join(lines[first-1:min(last, len(lines))], nil)), nil
	}
	if err := f.read(ctx, at); err != nil {
		return "", err
	}
	text, err := documentText(ctx, f.lib, at)
	return masked(text), err
}

// Describe returns the hash of the file that a place is in, and what reads it.
func (f *Folders) Describe(ctx context.Context, at evidence.Place) (file, reader string, err error) {
	if at.Doc == "" {
		data, err := f.file(at)
		return sum(data), "", err
	}
	if err := f.read(ctx, at); err != nil {
		return "", "", err
	}
	d, err := f.lib.Resolve(ctx, at.Doc)
	if err != nil {
		return "", "", err
	}
	return d.Hash, readerOf(d.Name, f.opt.OCR), nil
}

// Original returns the content of the file of a document, as it was read.
func (f *Folders) Original(ctx context.Context, at evidence.Place) ([]byte, error) {
	if at.Doc == "" {
		return nil, noOriginal(at)
	}
	if err := f.read(ctx, at); err != nil {
		return nil, err
	}
	d, err := f.lib.Resolve(ctx, at.Doc)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	src := f.files[at.Doc]
	f.mu.Unlock()
	r, err := src.Open()
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", d.Name, err)
	}
	defer r.Close() // read only
	data, err := original(r)
	if err == nil && sum(data) != d.Hash {
		err = fmt.Errorf("its file has changed since it was read: %w", errs.Stale)
	}
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", d.Name, err)
	}
	return data, nil
}

// Named returns the place of the document that a name means: its id, its name or the end of that, with or without its ending, or its name behind folders that tell it
// from others ("old//paper.pdf"). Several are an error that names them.
func (f *Folders) Named(ctx context.Context, name string) (evidence.Place, error) {
	var found []docsearch.Source
	told := strings.Contains(name, "//") // which of several of that name
	for _, root := range f.docs {
		for src, err := range f.lib.Files(root, nil) {
			if ctx.Err() != nil {
				return evidence.Place{}, ctx.Err()
			}
			if err != nil || slices.ContainsFunc(found, func(have docsearch.Source) bool { return have.ID == src.ID && have.Origin == src.Origin }) {
				continue // or it was given twice
			}
			if told && inFolders(name, src) || !told && (src.ID == name && name != "" || sameEnd(name, src.Name) || sameEnd(name, strings.TrimSuffix(src.Name, path.Ext(src.Name)))) {
				found = append(found, src)
			}
		}
	}
	named := map[string]int{} // documents of a name
	for _, src := range found {
		named[src.Name]++
	}
	if named[name] > 0 {
		found = slices.DeleteFunc(found, func(src docsearch.Source) bool { return src.Name != name })
	}
	switch len(found) {
	case 0:
		return evidence.Place{}, fmt.Errorf("document %q: %w in %s", name, errs.NotFound, cmp.Or(strings.Join(f.docs, ", "), "no folder of documents"))
	case 1:
		if told {
			return evidence.Place{Doc: md5Name(name), Name: name}, nil
		}
		return evidence.Place{Doc: cmp.Or(found[0].ID, md5Name(found[0].Name)), Name: found[0].Name}, nil
	}
	e := &docsearch.AmbiguousError{Ref: name, Total: len(found)}
	for _, src := range found {
		if named[src.Name] > 1 {
			src.Name = withFolders(src, found)
		}
		e.Candidates = append(e.Candidates, &docsearch.Document{ID: cmp.Or(src.ID, md5Name(src.Name)), Name: src.Name})
	}
	return evidence.Place{}, e
}

// file reads the file of a place in code, from the repository of that name, or the first that has the file.
func (f *Folders) file(at evidence.Place) ([]byte, error) {
	if err := stated(at); err != nil {
		return nil, err
	}
	if len(f.repos) == 0 {
		return nil, fmt.Errorf("read %s: %w", at.Path, repository.ErrNone)
	}
	var bad error
	for i, r := range f.repos {
		if at.Repo != "" && len(f.repos) > 1 && f.names[i] != at.Repo {
			continue
		}
		data, err := r.Read(context.Background(), at.Path, repository.MaxFile)
		if err == nil {
			return data, nil
		}
		if bad == nil {
			bad = fmt.Errorf("read %s in %s: %w", at.Path, f.names[i], err)
			if errors.Is(err, fs.ErrNotExist) {
				bad = fmt.Errorf("read %s in %s: the file is gone: %w", at.Path, f.names[i], errs.NotFound)
			}
		}
	}
	if bad == nil {
		bad = fmt.Errorf("read %s: %w: no repository here is named %q", at.Path, errs.NotFound, at.Repo)
	}
	return nil, bad
}

// read makes sure that the document of a place is read, under its id.
func (f *Folders) read(ctx context.Context, at evidence.Place) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err, ok := f.known[at.Doc]; ok {
		return err
	}
	src, err := f.find(ctx, at)
	if err == nil {
		src.ID, src.ByContent = at.Doc, false
		if sameEnd(at.Name, src.Name) { // the folder was added with a prefix, or from further up or down
			src.Name = at.Name
		}
		_, err = f.lib.Add(ctx, src)
		f.files[at.Doc] = src
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f.known[at.Doc] = err
	return err
}

// find looks for the document of a place: by its id, by its name, then by its content.
func (f *Folders) find(ctx context.Context, at evidence.Place) (docsearch.Source, error) {
	want := f.opt.Files[at.Doc]
	var named, other []docsearch.Source
	for _, root := range f.docs {
		for src, err := range f.lib.Files(root, nil) {
			if ctx.Err() != nil {
				return docsearch.Source{}, ctx.Err()
			}
			if err != nil {
				continue // it is missed below if it is the one
			}
			switch {
			case src.ID == at.Doc || src.ID == "" && md5Name(src.Name) == at.Doc:
				return src, nil
			case sameEnd(at.Name, src.Name):
				named = append(named, src)
			case path.Ext(src.Name) == path.Ext(at.Name) || at.Name == "":
				other = append(other, src)
			}
		}
	}
	for _, src := range append(named, other...) {
		if want == "" && len(at.Doc) != 32 || ctx.Err() != nil {
			break
		}
		if hash, err := content(src); err == nil && (hash == want || strings.HasPrefix(hash, at.Doc) && len(at.Doc) == 32) {
			return src, nil
		}
	}
	for _, src := range named { // changed; a name with folders before it says which one it is
		if inFolders(at.Name, src) {
			return src, nil
		}
	}
	if len(named) > 0 { // or its id does not depend on name or content
		return named[0], nil
	}
	return docsearch.Source{}, fmt.Errorf("document %s, %q: %w in %s", at.Doc, at.Name, errs.NotFound, strings.Join(f.docs, ", "))
}

// inFolders reports whether a name with folders before it ("old//paper.pdf") is that of a document.
func inFolders(name string, src docsearch.Source) bool {
	folders, base, ok := strings.Cut(name, "//")
	return ok && strings.HasSuffix(filepath.ToSlash(src.Origin), "/"+path.Join(folders, base))
}

// withFolders is the name of a document with as many of its folders before it as tell it from others.
func withFolders(src docsearch.Source, others []docsearch.Source) (name string) {
	dirs := strings.Split(strings.TrimSuffix(filepath.ToSlash(src.Origin), "/"+src.Name), "/")
	for i := len(dirs) - 1; i >= 0; i-- {
		name = strings.Join(dirs[i:], "/") + "//" + src.Name
		if !slices.ContainsFunc(others, func(o docsearch.Source) bool { return o.Origin != src.Origin && inFolders(name, o) }) {
			break
		}
	}
	return name
}

// sameEnd reports whether one of two names is the end of the other's path.
func sameEnd(a, b string) bool {
	return a != "" && b != "" && (strings.HasSuffix("/"+a, "/"+b) || strings.HasSuffix("/"+b, "/"+a))
}

func content(src docsearch.Source) (string, error) {
	r, err := src.Open()
	if err != nil {
		return "", err
	}
	defer r.Close() // read only
	return sumReader(r)
}

// md5Name is the id that a document has by its name.
func md5Name(name string) string {
	h := md5.Sum([]byte(name))
	return hex.EncodeToString(h[:])
}
