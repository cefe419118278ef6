package main

import (
	"bytes"
	"testing"

	"github.com/findspot/findspot"
)

// TestProgressInPipe: what is no terminal is shown no progress.
func TestProgressInPipe(t *testing.T) {
	var b bytes.Buffer
	bar := newBar(&b)
	bar.show(findspot.Progress{Room: "code", Name: "a.py", Done: 1, Total: 2})
	bar.show(findspot.Progress{Room: "docs", Name: "a.pdf", Total: 1, Page: 1, Pages: 3})
	bar.end()
	if b.Len() > 0 {
		t.Errorf("written where there is no terminal: %q", b.Bytes())
	}
}
