package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/api"
)

const (
	shelfSize  = 256 << 20 // bytes of all copies
	maxMarking = 2         // PDFs at once: each is held in memory with its copy
)

// A shelf keeps marked PDFs in memory, the newest ones. It is safe for concurrent use.
type shelf struct {
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

func newShelf(most int64) *shelf {
	return &shelf{most: most, places: make(chan struct{}, maxMarking)}
}

func (s *shelf) keep(name string, pdf []byte) (string, error) {
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
func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// options has marked copies kept on the shelf; nil where nobody marks. The agent is told the address, without the server's name.
func (s *shelf) options(p *api.Proof) *findspot.MarkOptions {
	if p == nil {
		return nil
	}
	return &findspot.MarkOptions{Mark: func(ctx context.Context, r findspot.MarkRequest) (*findspot.MarkedPDF, error) {
		select {
		case s.places <- struct{}{}:
			defer func() { <-s.places }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return p.Copy(ctx, r, s.keep)
	}}
}
