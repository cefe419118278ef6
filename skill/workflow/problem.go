package workflow

import "fmt"

// A Problem is one thing wrong with a skill file, with its place.
type Problem struct {
	File string `json:"file"` // slash path in the file system that was loaded
	Line int    `json:"line"` // from 1; 0: the file as a whole
	Text string `json:"text"`
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}
