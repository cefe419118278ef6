package filetree

import (
	"os"
	"time"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// keptText is the text of a file on disk with what the file looked like.
type keptText struct {
	text *source.Text
	is   stamp
}

// readKept returns the text of a file on disk, as readFile does. A text that was read before is taken if the file looks
// as it did, and had not been changed so shortly before it was read that a later change may look the same.
func (t *Tree) readKept(abs string) (*source.Text, os.FileInfo, error) {
	if kept, ok := t.texts.Get(abs); ok {
		if info, err := os.Stat(abs); err == nil && info.Mode().IsRegular() && stampOf(info) == kept.is {
			return kept.text, info, nil
		}
	}
	began := time.Now()
	text, info, err := source.ReadFile(abs)
	if err == nil && began.Sub(changedAt(info)) > racyCoarse {
		t.texts.Put(abs, keptText{text, stampOf(info)}, len(text.Bytes)+8*len(text.Starts))
	}
	return text, info, err
}

const maxTextCache = 32 << 20

// Read returns the text of a file as questions are to see it: its overlay, with no info, else what is on disk.
func (t *Tree) Read(abs string) (*source.Text, os.FileInfo, error) {
	if o := t.Overlays.Of(abs); o != nil {
		return o.Text, nil, nil
	}
	return t.readKept(abs)
}
