package mark

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/evidence"
)

// OfAnswer returns the marks of an answer in the document whose file has this content, as hex SHA-256: each item of it in a paler colour,
// and what of it the answer says in its words: its quotes, and sentences that stand there. The notes have the sentences that cite the key. It is an error
// wrapping docsearch.ErrNotFound when the answer cites nothing of the file. Whether the answer holds is asked elsewhere, see [evidence.Answer.Verify].
func OfAnswer(a *evidence.Answer, file string) ([]Mark, error) {
	sentences := evidence.Sentences(a.Text)
	files := map[string]string{}
	for _, s := range a.Sources {
		files[s.Key] = s.File
	}
	var out []Mark
	for _, it := range a.Items {
		if file == "" || files[it.Key] != file || it.At.Path != "" {
			continue
		}
		m := Mark{Key: it.Key, Text: it.Text, Page: it.At.Page, Line: it.At.Line, Faint: true}
		m.Table = it.Kind == evidence.KindTable || it.Kind == evidence.KindFigure
		var notes []string
		var said []Mark
		for _, s := range sentences {
			if !slices.Contains(s.Keys, it.Key) {
				continue
			}
			plain := strings.TrimSpace(escaped.Get().ReplaceAllString(citation.Get().ReplaceAllString(s.Text, ""), "$1"))
			notes = append(notes, plain)
			if hasWord(plain) {
				x := m
				x.Text, x.Note, x.Faint, x.Table, x.Optional = plain, plain, false, false, true
				said = append(said, x)
			}
		}
		m.Note = strings.Join(notes, "\n")
		out = append(out, m)
		for _, q := range a.Quotes {
			if q.Key == it.Key {
				x := m
				x.Text, x.Faint, x.Table = q.Text, false, false
				out = append(out, x)
			}
		}
		out = append(out, said...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: the answer cites nothing of a file with the SHA-256 %s: its items are of %s", errs.NotFound, short(file), sources(a, files))
	}
	return out, nil
}

// citation is keys in brackets, as evidence.Keys reads them.
var citation = lazyregexp.New(`\s*\[[DC][1-9]\d*(?:[\s,;&\x{2010}-\x{2014}-]|and |to |[DC]?[1-9]\d*)*\]`)

// escaped are signs that Markdown would take for its own.
var escaped = lazyregexp.New(`\\([\\\[\]*_` + "`" + `#|<>~-])`)

// sources names the documents of an answer, with the beginning of their hashes.
func sources(a *evidence.Answer, files map[string]string) string {
	var out []string
	for _, it := range a.Items {
		if it.At.Doc == "" {
			continue
		}
		s := it.At.Name + " (" + short(files[it.Key]) + ")"
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	switch {
	case len(out) == 0:
		return "no document"
	case len(out) > 5:
		out = append(out[:5], fmt.Sprintf("%d more", len(out)-5))
	}
	return strings.Join(out, ", ")
}

func short(hash string) string { return hash[:min(len(hash), 12)] }
