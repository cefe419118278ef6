package hosttools

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/written"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// maxMarked bounds the texts, and the keys, of one call.
const maxMarked = 200

type markInput struct {
	Doc   string   `json:"doc" alias:"document,paper_id,name" jsonschema:"the PDF: its id, name, or part of its name or title"`
	Texts []string `json:"texts,omitempty" alias:"text,phrases,find" jsonschema:"texts to highlight wherever they stand"`
	Keys  []string `json:"keys,omitempty" alias:"key" jsonschema:"keys of evidence in this document, such as D1, to highlight"`
	agenttools.Budget
}

// A Marked is a text that was to be marked, and where it is.
type Marked struct {
	Key     string          `json:"key,omitempty"`
	Text    string          `json:"text"`
	Places  []extract.Place `json:"places"`            // one for each page; never nil
	Missing string          `json:"missing,omitempty"` // why there is none, with the nearest text that is there
}

// A MarkedCopy is what a host made of a PDF.
type MarkedCopy struct {
	Name  string   `json:"name"`            // of the document
	Where string   `json:"where,omitempty"` // a file or an address; empty: nothing was found to mark
	Marks []Marked `json:"marks"`
}

// A Marker marks texts, and the items of an answer that was not sealed, in the PDF of a document, which the tool does not know itself.
type Marker func(ctx context.Context, doc string, texts []string, a *evidence.Answer) (*MarkedCopy, error)

// Mark is the tool mark_pdf. named finds a document; writes says that the host keeps the copy as a file.
func Mark(s *agenttools.Session, named func(ctx context.Context, name string) (evidence.Place, error), mark Marker, writes bool) agenttools.Definition {
	b := agenttools.New("mark_pdf", "Highlights texts, or evidence by its keys, in a copy of a PDF, and says where the marks are and where the copy is. The original stays as it is. "+
		"Signed, encrypted and damaged files are refused; a text that is not there is named with the nearest that is.",
		"Use it to show a person where something stands.", func(ctx context.Context, in markInput) (*skill.Result, error) {
			switch {
			case len(in.Texts)+len(in.Keys) == 0:
				return nil, errors.New("mark_pdf: give texts or keys")
			case len(in.Texts) > maxMarked || len(in.Keys) > maxMarked:
				return nil, fmt.Errorf("mark_pdf: %w: at most %d texts and %d keys in one call", errs.TooLarge, maxMarked, maxMarked)
			}
			at, err := named(ctx, in.Doc)
			if err != nil {
				return nil, agenttools.NotHere(err, "list_documents lists them")
			}
			if !strings.EqualFold(path.Ext(at.Name), ".pdf") {
				return nil, fmt.Errorf("mark_pdf: document %s: %w: only PDFs are marked", at.Name, errs.Unsupported)
			}
			a := &evidence.Answer{}
			for _, key := range in.Keys {
				key = strings.Trim(key, "[] ")
				it, ok := s.Ledger.Get(key)
				switch {
				case !ok:
					return nil, fmt.Errorf("mark_pdf: key %.40q: %w: nothing was found under it", key, errs.NotFound)
				case it.At.Doc != at.Doc:
					return nil, fmt.Errorf("mark_pdf: %s is not in %s but in %s", key, at.Name, it.At)
				}
				a.Items = append(a.Items, it)
			}
			done, err := mark(ctx, at.Doc, in.Texts, a)
			if err != nil {
				return nil, err
			}
			return agenttools.Lines(markedLines(done), done, agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens)}), nil
		})
	b.Writes = writes
	return b
}

func markedLines(done *MarkedCopy) []string {
	n, lines := 0, []string{}
	for _, m := range done.Marks {
		key := ""
		if m.Key != "" {
			key = "[" + m.Key + "] "
		}
		if len(m.Places) == 0 {
			lines = append(lines, fmt.Sprintf("not found: %s%s: %s\n", key, short(oneLine(m.Text)), oneLine(m.Missing)))
		}
		for _, p := range m.Places {
			n++
			lines = append(lines, fmt.Sprintf("[%s] %s%s\n", written.AddressOf(done.Name, p.Page, p.Line, p.Text), key, short(oneLine(p.Text))))
		}
	}
	if done.Where == "" {
		return append([]string{"nothing is marked in " + done.Name + ", so that there is no copy\n"}, lines...)
	}
	return append([]string{fmt.Sprintf("%d marks in a copy of %s: %s\n", n, done.Name, done.Where)}, lines...)
}
