package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/secrets"
)

// extractors read documents by their endings.
var extractors = sync.OnceValue(func() map[string]extract.Extractor {
	all := formats.All()
	all[".pdf"] = pdf.New(nil)
	return all
})

func ending(name string) string { return strings.ToLower(filepath.Ext(name)) }

// original opens the file that a document was read from, when it is still what was read. The library's word alone says which file that is: nobody can ask for
// another one.
func (s *shelf) original(doc *docsearch.Document) (*os.File, error) {
	name := filepath.Base(doc.Origin)
	switch {
	case !filepath.IsAbs(doc.Origin):
		return nil, noFile(doc, "it was added from memory, and its file was not kept: add it again to a server that keeps uploads")
	case docsearch.IsJSONLines(doc.Origin):
		return nil, noFile(doc, "it is a line of a file with other documents")
	case doc.Hash == "":
		return nil, noFile(doc, "its file was never read")
	}
	if why, secret := secrets.Name(name); secret && s.mask {
		return nil, fmt.Errorf("document %s: %w: %s", doc.Name, findspot.ErrRefused, why)
	}
	f, err := rootfs.Open(doc.Origin)
	if err != nil {
		s.log.Info("original not opened", "doc", doc.ID, "reason", err)
		return nil, fmt.Errorf("document %s: its file is gone: %w", doc.Name, findspot.ErrStale)
	}
	ok, err := s.known.same(f, doc)
	if err == nil && !ok {
		err = fmt.Errorf("document %s: its file is another one than was read: %w", doc.Name, findspot.ErrStale)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// originals remembers which files were seen to have the content that documents were read from, so that each is hashed once.
type originals struct {
	mu   sync.Mutex // guards seen
	seen map[string]seenFile
}

type seenFile struct {
	size int64
	time time.Time
	hash string
}

// maxSeen bounds what is remembered.
const maxSeen = 10_000

func (o *originals) same(f *os.File, doc *docsearch.Document) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() != doc.Size {
		return false, err
	}
	o.mu.Lock()
	have, ok := o.seen[doc.Origin]
	o.mu.Unlock()
	if !ok || have.size != info.Size() || !have.time.Equal(info.ModTime()) {
		sum := sha256.New()
		if _, err := io.Copy(sum, io.LimitReader(f, doc.Size+1)); err != nil {
			return false, err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return false, err
		}
		have = seenFile{info.Size(), info.ModTime(), hex.EncodeToString(sum.Sum(nil))}
		o.mu.Lock()
		if o.seen == nil || len(o.seen) >= maxSeen {
			o.seen = map[string]seenFile{}
		}
		o.seen[doc.Origin] = have
		o.mu.Unlock()
	}
	return have.hash == doc.Hash, nil
}
