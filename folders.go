package findspot

import (
	"context"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/citation"
	"github.com/findspot/findspot/internal/written"
	"github.com/findspot/findspot/skill/evidence"
)

// FoldersOptions of [OpenFolders].
type FoldersOptions struct {
	OCR extract.OCR // reads scanned pages; nil: they have no text
	// Files says what the content of documents was, as hex SHA-256 by document id, as the sources of an answer file have it. A document
	// that was added under another name or id is found by it.
	Files map[string]string
}

// Folders gives the text at places straight from folders of documents and repositories, without any index: a document is read anew when a
// place in it is first asked for. It is an [evidence.Describer] and safe for concurrent use.
type Folders struct{ folders *citation.Folders }

// OpenFolders opens folders of documents, or single documents, and roots of repositories. None of it is read yet, and nothing of
// it is reached through a link that leads out of a repository.
func OpenFolders(docs, repos []string, o *FoldersOptions) (*Folders, error) {
	f, err := citation.OpenFolders(docs, repos, (*citation.FolderOptions)(o))
	if err != nil {
		return nil, err
	}
	return &Folders{f}, nil
}

// Close closes the folders.
func (f *Folders) Close() error { return f.folders.Close() }

// Text returns the text at a place, as [Workspace.Text] does.
func (f *Folders) Text(ctx context.Context, at evidence.Place) (string, error) {
	return f.folders.Text(ctx, at)
}

// Describe returns the hash of the file that a place is in, and what reads it.
func (f *Folders) Describe(ctx context.Context, at evidence.Place) (file, reader string, err error) {
	return f.folders.Describe(ctx, at)
}

// Original returns the content of a document's file, as [Workspace.Original] does.
func (f *Folders) Original(ctx context.Context, at evidence.Place) ([]byte, error) {
	return f.folders.Original(ctx, at)
}

// VerifyText checks an answer as people and models write them, as [Workspace.VerifyText] does.
func (f *Folders) VerifyText(ctx context.Context, text string, o *VerifyTextOptions) (*evidence.TextCheck, error) {
	return written.Check(ctx, text, f.folders, (*written.Options)(o))
}
