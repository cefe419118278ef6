package lspclient

import (
	"context"

	"github.com/findspot/findspot/lspclient/internal/edit"
)

// RenameOptions of [Client.Rename].
type RenameOptions struct {
	// Context is how many unchanged lines the diff shows around a change; 0 means 3, a negative number none.
	Context int
}

// RenameResult is the preview of a renaming. Nothing has been written.
type RenameResult struct {
	// Target is the identifier at which the server was asked: the definition, where there is one below the root.
	Target Location `json:"target"`
	Answer
	OldName string `json:"old_name"`
	NewName string `json:"new_name"`
	// Files are sorted by path. Never null in JSON.
	Files []FileEdits `json:"files"`
	// Operations are what the server wants done to files besides, in its order: a class whose file has its name is renamed
	// with its file. They are not in the diff. Never null in JSON.
	Operations []FileOperation `json:"operations"`
	// Collisions are declarations of the new name beside the renamed one, in the same class or at the top of the same
	// file. Servers differ in whether they refuse such a renaming. Never null in JSON.
	Collisions []Location `json:"collisions"`
	// Diff is a unified diff of all the edits, for "git apply" or "patch -p1" in the root.
	Diff string `json:"diff"`
	// Total counts the edits.
	Total int `json:"total"`
}

// FileEdits are the edits of one file.
type FileEdits struct {
	Path  string `json:"path"`
	Edits []Edit `json:"edits"` // sorted by place; they do not overlap
}

// Edit replaces a range by a text.
type Edit struct {
	Location Location `json:"location"`
	Old      string   `json:"old"` // what is there now
	New      string   `json:"new"`
	// Label and Confirm are the server's remark: what kind of edit it is, and that a person should look at it first.
	Label   string `json:"label,omitempty"`
	Confirm bool   `json:"confirm,omitempty"`
}

// FileOperation is something a server wants done to a file or folder.
type FileOperation struct {
	Kind string `json:"kind"` // "create", "rename" or "delete"
	Path string `json:"path"`
	To   string `json:"to"` // the new path, for "rename"
	// Label and Confirm are as in Edit.
	Label   string `json:"label,omitempty"`
	Confirm bool   `json:"confirm,omitempty"`
}

// Rename returns the edits that give the target a new name, as the server finds them. It writes nothing.
//
// The new name must be an identifier of the language, no keyword, and another one than the old; the error says what is
// wrong with it and wraps ErrUnsupported. The server is asked at the definition, because some rename only locally when
// asked at a use; a symbol that is defined outside the root cannot be renamed (ErrUnsupported). An alias is renamed
// itself. A server that refuses is a *ServerError with its words.
//
// Edits that overlap, or lie where the file has no such place, make an error that wraps ErrFormat; edits of files outside
// the root one that wraps ErrUnsupported; edits of a text that is not the present one an error that wraps ErrStale. The
// other errors are those of [Client.Definition]. A state that is not complete means that uses may be missing: such a
// preview should not be applied.
func (c *Client) Rename(ctx context.Context, t Target, newName string, o *RenameOptions) (*RenameResult, error) {
	around := 3
	if o != nil && o.Context != 0 {
		around = max(0, min(o.Context, 1000))
	}
	r, err := c.ask.Renames.Rename(ctx, t.query, newName, around)
	if err != nil {
		return nil, public(err)
	}
	return &RenameResult{
		Target: Location(r.Target), Answer: answer(r.Answer), OldName: r.OldName, NewName: r.NewName,
		Files: convert(r.Files, func(f edit.FileEdits) FileEdits {
			return FileEdits{f.Path, convert(f.Edits, func(e edit.Edit) Edit {
				return Edit{Location(e.Location), e.Old, e.New, e.Label, e.Confirm}
			})}
		}),
		Operations: convert(r.Operations, func(o edit.FileOperation) FileOperation { return FileOperation(o) }),
		Collisions: locations(r.Collisions), Diff: r.Diff, Total: r.Total,
	}, nil
}
