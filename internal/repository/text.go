package repository

import (
	"context"

	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/source"
)

// MaxFile bounds a file that is read, in bytes.
const MaxFile = 4 << 20

// SourceText gives the text of a file for an answer, in UTF-8: what the workspace's policy allows, with secrets masked. Offsets and lines are those of the
// file in UTF-8, since a mask is as long as what it covers.
func (r *Repository) SourceText(p string) ([]byte, error) {
	if err := r.Policy().Allowed(r.FS, p); err != nil {
		return nil, err
	}
	text, err := r.Text(p)
	if err == nil {
		r.Policy().Mask(text)
	}
	return text, err
}

// shownNow is sourceText for the text as language servers see it: that of an unsaved buffer comes from the host.
func (r *Repository) shownNow(p string) ([]byte, error) {
	if _, ok := r.Overlay(p); ok {
		return r.ReadText(p)
	}
	return r.SourceText(p)
}

// Text gives the text of a file in UTF-8, as the code graph sees it; what is binary as it is. It is for looking at: what answers show goes through
// sourceText.
func (r *Repository) Text(p string) ([]byte, error) {
	data, err := r.Raw(p)
	return charset.UTF8(p, data), err
}

// Raw reads a file of the repository. The time that it takes is bounded by the reader.
func (r *Repository) Raw(p string) ([]byte, error) {
	data, err := r.FS.Read(context.Background(), p, MaxFile)
	return data, source.Hint(err)
}

// Overlay gives the unsaved buffer of a file, if there is one.
func (r *Repository) Overlay(path string) ([]byte, bool) {
	r.texts.Lock()
	defer r.texts.Unlock()
	text, ok := r.buffers[path]
	return text, ok
}

// ReadText reads a file, or its unsaved buffer.
func (r *Repository) ReadText(path string) ([]byte, error) {
	if text, ok := r.Overlay(path); ok {
		return charset.UTF8(path, text), nil
	}
	return r.Text(path)
}

// Unsaved counts the unsaved buffers.
func (r *Repository) Unsaved() int {
	r.texts.Lock()
	defer r.texts.Unlock()
	return len(r.buffers)
}

// SetOverlay keeps an unsaved buffer; nil removes it.
func (r *Repository) SetOverlay(path string, text []byte) {
	r.texts.Lock()
	defer r.texts.Unlock()
	if text == nil {
		delete(r.buffers, path)
		return
	}
	if r.buffers == nil {
		r.buffers = map[string][]byte{}
	}
	r.buffers[path] = text
}

// Policy says what answers may show of the repository.
func (r *Repository) Policy() source.Policy { return r.opt.Policy }
