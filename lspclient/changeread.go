package lspclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
)

// seenTimeout bounds the wait for a server that was told of a changed file and reads it later.
const seenTimeout = 3 * time.Second

// toldOf notes what the server is told about files; it is called before that, with the documents' lock held. Moved: files
// came or went.
func (s *documents) toldOf(events []protocol.FileEvent, moved bool) {
	reload := false
	var last string
	for _, e := range events {
		abs, ok := source.PathOf(string(e.URI))
		if !ok {
			continue
		}
		reload = reload || s.srv.spec.Concerns(filepath.Base(abs))
		if s.docs[abs] == nil {
			last = abs
		}
	}
	switch {
	case reload:
		s.ready.Invalidate(ready.ConfigChanged)
	case moved:
		s.ready.Invalidate(ready.FilesMoved)
	}
	if s.srv.spec.Ready.Seen != "" && last != "" {
		s.unseen = last // servers read files in the order in which they are named
	}
}

// seen waits until the server has read the files it was told of, if its entry says how to tell. When that cannot be
// told in time, answers must agree.
func (s *documents) seen(ctx context.Context) error {
	if s.project != nil {
		return s.takenIn(ctx)
	}
	s.docMu.Lock()
	abs := s.unseen
	s.docMu.Unlock()
	if abs == "" {
		return nil
	}
	until := time.Now().Add(seenTimeout)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		same, err := s.hasText(ctx, abs)
		if err != nil {
			return err
		}
		if same || time.Now().After(until) {
			s.docMu.Lock()
			if s.unseen == abs {
				s.unseen = ""
			}
			s.docMu.Unlock()
			if !same {
				s.ready.RequireAgreement()
			}
			return nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hasText reports whether the server's text of a file is that on disk, or there is neither.
func (s *documents) hasText(ctx context.Context, abs string) (bool, error) {
	text, _, err := source.ReadFile(abs)
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return true, nil // nothing to compare with
	}
	var raw json.RawMessage
	err = s.call(ctx, s.srv.spec.Ready.Seen, &protocol.TextDocumentIdentifier{URI: source.DocumentURI(abs)}, &raw)
	if err != nil {
		if !isAnswered(err) {
			return false, err
		}
		return gone, nil
	}
	var has string
	if json.Unmarshal(raw, &has) != nil {
		return gone, nil
	}
	if gone || !utf8.Valid(text.Bytes) {
		return false, nil
	}
	plain := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
	return bytes.Equal(plain([]byte(has)), plain(text.Bytes)), nil
}
