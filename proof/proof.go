package proof

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/mark"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill/evidence"
)

const maxDocuments = 500

// Sources give the texts and files that an answer cites. *findspot.Workspace and *findspot.Folders are such.
type Sources interface {
	evidence.Source
	// Original returns the content of the file of a document. An error wrapping the house's not-found or unsupported error says that there
	// is no file of it: its lines are in the bundle all the same.
	Original(ctx context.Context, at evidence.Place) ([]byte, error)
}

// Options of [Write] and [Documents]. The zero value, and nil, are fine.
type Options struct {
	Verify   evidence.VerifyOptions // how the answer is checked before
	MaxBytes int64                  // most bytes of a bundle; 0 means 1 GB
	OCR      extract.OCR            // what read the scanned pages of the documents, if anything
	Logger   *slog.Logger           // what was passed over and why; nil discards
}

func (o *Options) withDefaults() Options {
	var v Options
	if o != nil {
		v = *o
	}
	if v.MaxBytes <= 0 {
		v.MaxBytes = 1 << 30
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	return v
}

// A File is one file of a bundle.
type File struct {
	Name   string `json:"name"` // slash path in the bundle
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hex
}

// A Bundle says what was written.
type Bundle struct {
	Dir       string     `json:"dir"`
	Files     []File     `json:"files"`     // by name; SHA256SUMS has all but itself
	Documents []Document `json:"documents"` // the PDFs, by first citation; never nil
}

// A Document is a PDF that an answer cites, and where in it.
type Document struct {
	Name   string       `json:"name"`             // of the document
	File   string       `json:"file,omitempty"`   // in the bundle; empty when nothing was written
	SHA256 string       `json:"sha256"`           // hex, of the original
	Size   int64        `json:"size"`             // of the original, with which the file in the bundle begins
	Keys   []string     `json:"keys"`             // of the answer's items in it
	Marks  []mark.Found `json:"marks"`            // what is marked, and what was not found; never nil
	Reason string       `json:"reason,omitempty"` // why it is not marked

	data   []byte // what the bundle has
	sealed string // hash of the file that the answer was sealed with
}

// Documents says where in its PDFs an answer's items and quotes are, with their boxes on the pages, and writes nothing. It does not check the answer.
func Documents(ctx context.Context, a *evidence.Answer, src Sources, o *Options) ([]Document, error) {
	return documents(ctx, a, src, o.withDefaults(), false)
}

// Write writes the bundle of a sealed answer into dir, which is made, or is an empty folder. The answer is checked before: an error of
// [evidence.Verification.Err] says what does not hold. Errors name the file, and the page where one is at fault.
func Write(ctx context.Context, dir string, a *evidence.Answer, src Sources, o *Options) (*Bundle, error) {
	opt := o.withDefaults()
	if err := free(dir); err != nil {
		return nil, err
	}
	w, err := bundle(ctx, a, src, opt)
	if err != nil {
		return nil, err
	}
	files, err := w.save(ctx, dir)
	if err != nil {
		return nil, err
	}
	return w.bundle(dir, files), nil
}

// WriteZIP writes the bundle of a sealed answer to out as a ZIP archive, under the names that its files have in a folder. The answer is checked before, as by
// [Write], and all of it is made before the first byte is written: nothing is when it does not hold. Errors are those of Write, and those of out.
func WriteZIP(ctx context.Context, out io.Writer, a *evidence.Answer, src Sources, o *Options) (*Bundle, error) {
	w, err := bundle(ctx, a, src, o.withDefaults())
	if err != nil {
		return nil, err
	}
	b := w.bundle("", w.list())
	archive := zip.NewWriter(out)
	for _, f := range b.Files {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		to, err := archive.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}) // the same answer makes the same bytes
		if err == nil {
			_, err = to.Write(w.byName[f.Name])
		}
		if err != nil {
			return nil, err
		}
	}
	return b, archive.Close()
}

// bundle makes the files of a bundle of an answer that holds.
func bundle(ctx context.Context, a *evidence.Answer, src Sources, opt Options) (*writer, error) {
	rep, err := a.Verify(ctx, src, &opt.Verify)
	if err == nil {
		err = rep.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("no bundle of an answer that does not hold: %w", err)
	}
	docs, err := documents(ctx, a, src, opt, true)
	if err != nil {
		return nil, err
	}
	w := &writer{a: a, src: src, opt: opt, docs: docs, byName: map[string][]byte{}}
	if err := w.fill(ctx); err != nil {
		return nil, err
	}
	for i := range docs {
		docs[i].data = nil // it is among the files
	}
	return w, nil
}

// bundle says what was made.
func (w *writer) bundle(dir string, files []File) *Bundle {
	return &Bundle{Dir: dir, Files: files, Documents: w.docs}
}

// free makes sure that a folder is not there, or is empty.
func free(dir string) error {
	if dir == "" {
		return fmt.Errorf("bundle: %w: no folder is named", errs.Unsupported)
	}
	if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("bundle %s: %w: it is a link: name the folder itself", dir, errs.Unsupported)
	}
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("bundle: %w", err)
	case len(list) > 0:
		return fmt.Errorf("bundle %s: %w: the folder is not empty: choose a new one", dir, errs.Unsupported)
	}
	return nil
}

// documents finds, and with writing marks, what an answer cites of its PDFs.
func documents(ctx context.Context, a *evidence.Answer, src Sources, opt Options, writing bool) ([]Document, error) {
	out := []Document{}
	names := newNames()
	var total int64
	for _, items := range byDocument(a) {
		first := items[0].At
		data, err := src.Original(ctx, first)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if errors.Is(err, errs.NotFound) || errors.Is(err, errs.Unsupported) {
			opt.Logger.Info("proof: document left out", "doc", first.Name, "reason", err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(out) == maxDocuments {
			return nil, fmt.Errorf("bundle: %w: over %d documents", errs.TooLarge, maxDocuments)
		}
		if total += int64(len(data)); total > opt.MaxBytes {
			return nil, fmt.Errorf("bundle: %w: the documents have over %d bytes", errs.TooLarge, opt.MaxBytes)
		}
		d := Document{Name: first.Name, SHA256: sum(data), Size: int64(len(data)), Marks: []mark.Found{}}
		for _, it := range items {
			d.Keys = append(d.Keys, it.Key)
		}
		part := *a // with the items of this document alone: another one may have the same content
		part.Items = items
		if d.sealed = sealedFile(a, items[0].Key); writing && !opt.Verify.Places && d.sealed != "" && d.sealed != d.SHA256 {
			return nil, fmt.Errorf("bundle: document %s: its file was replaced meanwhile: %w", first.Name, errs.Stale)
		}
		if err := d.mark(ctx, &part, data, opt, writing); err != nil {
			return nil, fmt.Errorf("%s: %w", first.Name, err)
		}
		if writing {
			d.File = names.file("documents", first.Name, ".pdf")
		}
		out = append(out, d)
	}
	return out, nil
}

// byDocument is the items in PDFs, those of one document together.
func byDocument(a *evidence.Answer) (out [][]evidence.Item) {
	at := map[string]int{}
	for _, it := range a.Items {
		if it.At.Doc == "" || it.At.Path != "" || !isPDF(it.At.Name) {
			continue
		}
		i, ok := at[it.At.Doc]
		if !ok {
			i = len(out)
			at[it.At.Doc] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], it)
	}
	return out
}

// sealedFile is the hash of the file that an item was sealed with.
func sealedFile(a *evidence.Answer, key string) string {
	for _, s := range a.Sources {
		if s.Key == key {
			return s.File
		}
	}
	return ""
}

// mark finds the marks of a document, and makes a copy that has them. What cannot be marked stays as it is, and says why.
func (d *Document) mark(ctx context.Context, a *evidence.Answer, data []byte, opt Options, writing bool) error {
	d.data = data
	marks, err := mark.OfAnswer(a, d.sealed)
	if err != nil {
		d.Reason = err.Error()
		return nil
	}
	var b sized
	o := &mark.Options{OCR: opt.OCR, Logger: opt.Logger}
	var rep *mark.Report
	if writing {
		rep, err = mark.Write(ctx, &b, bytes.NewReader(data), int64(len(data)), marks, o)
	} else {
		rep, err = mark.Locate(ctx, bytes.NewReader(data), int64(len(data)), marks, o)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errs.Encrypted) || errors.Is(err, errs.Format) || errors.Is(err, errs.Unsupported):
		d.Reason = err.Error()
		return nil
	case err != nil:
		return err
	}
	if d.Marks = append(d.Marks, rep.Marks...); rep.Original > 0 {
		d.data = b.data
	}
	return nil
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// save writes the files into a folder beside dir, and gives it that name once all of them are there.
func (w *writer) save(ctx context.Context, dir string) (files []File, err error) {
	temp := filepath.Clean(dir) + ".unfinished"
	if err := os.MkdirAll(filepath.Dir(temp), 0o777); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if err := os.Mkdir(temp, 0o777); err != nil {
		return nil, fmt.Errorf("bundle: %w: remove what an earlier run may have left", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(temp)
		}
	}()
	root, err := os.OpenRoot(temp)
	if err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	for _, f := range w.list() {
		if ctx.Err() != nil {
			root.Close()
			return nil, ctx.Err()
		}
		if err := writeNew(root, f.Name, w.byName[f.Name]); err != nil {
			root.Close()
			return nil, fmt.Errorf("bundle: %w", err)
		}
		files = append(files, f)
	}
	if err := root.Close(); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) { // it was empty
		return nil, fmt.Errorf("bundle: %w", err)
	}
	if err := os.Rename(temp, dir); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return files, nil
}

func writeNew(root *os.Root, name string, data []byte) error {
	if dir := filepath.Dir(filepath.FromSlash(name)); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}
