package marking

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/mark"
)

// marked makes a copy with marks, and keeps it where keep says.
func marked(ctx context.Context, r findspot.MarkRequest, keep func(name string, pdf []byte) (where string, err error)) (*findspot.MarkedPDF, error) {
	var marks []mark.Mark
	if r.Answer != nil && len(r.Answer.Items) > 0 {
		sum := sha256.Sum256(r.PDF)
		var err error
		if marks, err = mark.OfAnswer(r.Answer, hex.EncodeToString(sum[:])); err != nil {
			return nil, fmt.Errorf("document %s: %w", r.Doc.Name, err)
		}
	}
	for _, text := range r.Texts {
		marks = append(marks, mark.Mark{Text: text, All: true})
	}
	var b bytes.Buffer
	rep, err := mark.Write(ctx, &b, bytes.NewReader(r.PDF), int64(len(r.PDF)), marks, nil)
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", r.Doc.Name, err)
	}
	out := &findspot.MarkedPDF{}
	for _, m := range rep.Marks {
		out.Marks = append(out.Marks, findspot.MarkedText{Key: m.Key, Text: m.Text, Places: append([]extract.Place{}, m.Places...), Missing: m.Missing})
	}
	if rep.Placed() > 0 {
		out.Where, err = keep(path.Base(r.Doc.Name), b.Bytes())
	}
	return out, err
}

// maxCopies bounds the copies of one document in a folder.
const maxCopies = 1000

// InFolder has copies written into a folder, beside what is there: paper-marked.pdf, paper-marked-2.pdf. The agent is told the name of the file.
func InFolder(dir string) *findspot.MarkOptions {
	return &findspot.MarkOptions{Writes: true, Mark: func(ctx context.Context, r findspot.MarkRequest) (*findspot.MarkedPDF, error) {
		return marked(ctx, r, func(name string, pdf []byte) (string, error) {
			root, err := os.OpenRoot(dir)
			if err != nil {
				return "", err
			}
			defer root.Close()
			stem := strings.TrimSuffix(name, path.Ext(name)) + "-marked"
			for i := 1; i <= maxCopies; i++ {
				file := stem + ".pdf"
				if i > 1 {
					file = fmt.Sprintf("%s-%d.pdf", stem, i)
				}
				f, err := root.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
				if errors.Is(err, fs.ErrExist) {
					continue
				}
				if err != nil {
					return "", err
				}
				_, err = f.Write(pdf)
				if err = errors.Join(err, f.Close()); err != nil {
					return "", errors.Join(err, root.Remove(file))
				}
				return file, nil
			}
			return "", fmt.Errorf("%s: there are %d copies of it already", stem, maxCopies)
		})
	}}
}

// OnShelf has copies kept on a shelf. The agent is told the address, without the server's name.
func OnShelf(s *Shelf) *findspot.MarkOptions {
	return &findspot.MarkOptions{Mark: func(ctx context.Context, r findspot.MarkRequest) (*findspot.MarkedPDF, error) {
		select { // a PDF and its copies are held in memory
		case s.places <- struct{}{}:
			defer func() { <-s.places }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return marked(ctx, r, s.keep)
	}}
}

const (
	defaultSize = 256 << 20
	maxAtOnce   = 2 // PDFs that are marked
)

// A Shelf keeps marked PDFs in memory, the newest ones. It is safe for concurrent use.
type Shelf struct {
	most   int64
	places chan struct{}

	mu     sync.Mutex // guards what follows
	copies []kept     // the oldest first
	size   int64
}

type kept struct {
	id, name string
	pdf      []byte
	at       time.Time
}

// NewShelf returns a shelf of at most so many bytes; 0 means 256 MB.
func NewShelf(most int64) *Shelf {
	if most <= 0 {
		most = defaultSize
	}
	return &Shelf{most: most, places: make(chan struct{}, maxAtOnce)}
}

func (s *Shelf) keep(name string, pdf []byte) (string, error) {
	if int64(len(pdf)) > s.most {
		return "", fmt.Errorf("the marked copy of %s: %w: %d bytes, the limit is %d", name, findspot.ErrTooLarge, len(pdf), s.most)
	}
	c := kept{rand.Text(), name, bytes.Clone(pdf), time.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size += int64(len(pdf))
	s.copies = append(s.copies, c)
	for s.size > s.most {
		s.size -= int64(len(s.copies[0].pdf))
		s.copies[0] = kept{}
		s.copies = s.copies[1:]
	}
	return "/marked/" + c.id, nil
}

// ServeHTTP gives the copy that the value {id} of the path names, also in parts.
func (s *Shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	s.mu.Lock()
	var found *kept
	for i := range s.copies {
		if s.copies[i].id == id {
			c := s.copies[i]
			found = &c
		}
	}
	s.mu.Unlock()
	if found == nil {
		http.Error(w, "there is no such copy, or it is not kept any more: mark the document again", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": strings.TrimSuffix(found.name, path.Ext(found.name)) + "-marked.pdf"}))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private")
	http.ServeContent(w, r, "", found.at, bytes.NewReader(found.pdf))
}
