package scan

import (
	"strings"
	"testing"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/internal/walk"
)

// A change of folders names each once.
func TestCraftedFolders(t *testing.T) {
	old := &walk.Tree{Root: &walk.Folder{}}
	for i := range 1000 {
		old.Root.Dirs = append(old.Root.Dirs, &walk.Folder{Name: strings.Repeat("d", i+1)})
	}
	var w Writer
	w.Uint(TreeNew)
	w.Buf = append(w.Buf, make([]byte, 8)...)
	w.Uint(folderBelow)
	w.Uint(2)
	for range 2 {
		w.Uint(3)
		w.Uint(folderSame)
	}
	r := Reader{codec.Reader{Buf: w.Buf}}
	if r.tree(old); !r.Bad {
		t.Error("a folder that changes twice is read")
	}
}
