package lspclient

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
