package procedure

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

// phraseFiles are parts of sentences, one a line: kind, form and text, between tabs.
//
//go:embed phrases/*.tsv
var phraseFiles embed.FS

// A phrase is a part of a sentence.
type phrase struct {
	kind, form, text string
}

// Forms of phrases.
const (
	isOrder = "o" // "grep the handlers for the old flag"
	isState = "s" // that lifts a prohibition: "two pharmacists' signatures"
	isThing = "g" // that is forbidden: "any change to the handlers"
)

var phrases = sync.OnceValue(func() []phrase {
	all, err := readPhrases()
	if err != nil {
		panic(err) // the files are compiled in, and a test reads them
	}
	return all
})

func readPhrases() (out []phrase, err error) {
	files, err := phraseFiles.ReadDir("phrases")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		data, err := phraseFiles.ReadFile("phrases/" + f.Name())
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(f) != 3 {
				return nil, fmt.Errorf("phrases: %d fields in %q, want 3", len(f), line)
			}
			out = append(out, phrase{f[0], f[1], f[2]})
		}
	}
	return out, nil
}
