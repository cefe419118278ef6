package findspot

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/findspot/findspot/internal/disk"
)

//go:embed guide.md
var guideText string

// The marks around what findspot writes into a file of instructions. The text outside of them is never touched.
const (
	guideBegin = "<!-- findspot:begin (written by `findspot guide`; edits between the marks are lost) -->"
	guideEnd   = "<!-- findspot:end -->"
	beginMark  = "<!-- findspot:begin"
)

// Guide returns the text that teaches an agent when to use which tool: the rules of the house, the skills of the
// workspace, and the project's own rules. It is meant for a system prompt, and ends with a newline.
func (w *Workspace) Guide() string {
	var b strings.Builder
	b.WriteString(guideText)
	if len(w.skills) > 0 {
		b.WriteString("\n## Skills\n\nA skill is a method that a researcher wrote. When a task fits one, follow its steps in order; what it denies before a gate stays denied.\n\n")
		for _, s := range w.skills {
			fmt.Fprintf(&b, "- **%s**: %s\n", s.Name, strings.Join(strings.Fields(s.Description), " "))
		}
	}
	if rules := strings.TrimSpace(w.opt.Rules); rules != "" {
		b.WriteString("\n## Rules of this project\n\n" + rules + "\n")
	}
	return b.String()
}

// WriteGuide puts the guide into the file at path, between two marks, and keeps everything else in it. A file that is
// not there is made; a block that is there is replaced; what is up to date is not written again. The result says whether
// the file changed.
func (w *Workspace) WriteGuide(path string) (changed bool, err error) {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if len(old) > 4<<20 {
		return false, fmt.Errorf("%s: %w: a file of instructions has at most 4 MB", path, ErrTooLarge)
	}
	block := guideBegin + "\n\n" + w.Guide() + "\n" + guideEnd + "\n"
	from := bytes.Index(old, []byte(beginMark))
	end := bytes.Index(old, []byte(guideEnd))
	var out []byte
	switch {
	case from < 0 && end < 0:
		out = append(out, old...)
		if len(out) > 0 {
			out = append(bytes.TrimRight(out, "\n"), "\n\n"...)
		}
		out = append(out, block...)
	case from >= 0 && end > from:
		rest := old[end+len(guideEnd):]
		rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
		out = append(append(append(out, old[:from]...), block...), rest...)
	default:
		return false, fmt.Errorf("%s: %w: the marks %q and %q do not pair: repair or delete them", path, ErrFormat, beginMark+" ... -->", guideEnd)
	}
	if bytes.Equal(old, out) {
		return false, nil
	}
	return true, disk.WriteFile(path, out)
}
