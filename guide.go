package findspot

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
)

//go:embed guide.md
var guideText string

// The marks around what findspot writes into a file of instructions. The text outside of them is never touched.
const (
	guideBegin = "<!-- findspot:begin (written by `findspot guide`; edits between the marks are lost) -->"
	guideEnd   = "<!-- findspot:end -->"
	beginMark  = "<!-- findspot:begin"
)

// guide is the text of [Workspace.Guide].
func guide(skills []*skill.Skill, rules string) string {
	var b strings.Builder
	b.WriteString(guideText)
	if len(skills) > 0 {
		b.WriteString("\n## Skills\n\nA skill is a method that a researcher wrote. When a task fits one, follow its steps in order; what it denies before a gate stays denied.\n\n")
		for _, s := range skills {
			fmt.Fprintf(&b, "- **%s**: %s\n", s.Name, strings.Join(strings.Fields(s.Description), " "))
		}
	}
	if rules = strings.TrimSpace(rules); rules != "" {
		b.WriteString("\n## Rules of this project\n\n" + rules + "\n")
	}
	return b.String()
}

// maxInstructions bounds the file that the guide is written into, in bytes.
const maxInstructions = 4 << 20

// writeGuide does what [Workspace.WriteGuide] says.
func writeGuide(path, guide string) (changed bool, err error) {
	path, err = rootfs.Output(path) // a link to another name of the same folder stays one
	if err != nil {
		return false, err
	}
	old, err := rootfs.ReadFile(path, maxInstructions)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	block := guideBegin + "\n\n" + guide + "\n" + guideEnd
	from := bytes.Index(old, []byte(beginMark))
	end := bytes.Index(old, []byte(guideEnd))
	out := bytes.Clone(old)
	switch {
	case from < 0 && end < 0: // behind a blank line at the end
		if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, '\n')
		}
		if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n\n")) {
			out = append(out, '\n')
		}
		out = append(append(out, block...), '\n')
	case from >= 0 && end > from:
		out = slices.Concat(old[:from], []byte(block), old[end+len(guideEnd):])
	default:
		return false, fmt.Errorf("%s: %w: the marks %q and %q do not match: repair or delete them", path, ErrFormat, beginMark+" ... -->", guideEnd)
	}
	if bytes.Equal(old, out) {
		return false, nil
	}
	info, statErr := os.Stat(path)
	if err := disk.WriteFile(path, out); err != nil {
		return false, err
	}
	if statErr == nil {
		return true, os.Chmod(path, info.Mode().Perm())
	}
	return true, nil
}
