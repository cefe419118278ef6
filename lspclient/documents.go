package lspclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// maxOpen bounds the documents that are open in a server. The least recently used one is closed.
const maxOpen = 32

// document is a file that is open in a server, with the text the server has.
type document struct {
	path    string
	content *content
	info    os.FileInfo
	readAt  time.Time
	version int32
	used    int
}

func protocolURI(abs string) uri.URI { return uri.URI(uriOf(abs)) }

// sync tells the server what has changed on disk since it was last told, open documents first of all.
func (s *session) sync(ctx context.Context) error {
	now, err := s.srv.client.scan(ctx)
	if err != nil {
		return err
	}
	s.docMu.Lock()
	defer s.docMu.Unlock()
	for _, d := range s.docs {
		if err := s.refresh(ctx, d); err != nil {
			return err
		}
	}
	if now == s.told {
		return nil
	}
	events, moved := s.changesFrom(s.told, now)
	if len(events) > 0 {
		if moved {
			s.ready.disturb()
		}
		err := s.conn.notify(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: events})
		if err != nil {
			return err
		}
	}
	s.told = now
	return nil
}

// refresh reads an open document again when it may have changed, and tells the server; the lock is held.
func (s *session) refresh(ctx context.Context, d *document) error {
	info, err := os.Stat(d.path)
	if err == nil && os.SameFile(info, d.info) && info.Size() == d.info.Size() && info.ModTime().Equal(d.info.ModTime()) &&
		d.readAt.Sub(info.ModTime()) > racy {
		return nil
	}
	text, info, err := readFile(d.path)
	if err != nil {
		// Gone, or no longer something to show: the server is to look at the disk by itself.
		delete(s.docs, d.path)
		return s.conn.notify(ctx, protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: protocolURI(d.path)},
		})
	}
	same := bytes.Equal(text.text, d.content.text)
	d.content, d.info, d.readAt = text, info, time.Now()
	if same {
		return nil
	}
	d.version++
	return s.conn.notify(ctx, protocol.MethodTextDocumentDidChange, &protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: protocolURI(d.path)},
			Version:                d.version,
		},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangeWholeDocument{Text: string(text.text)},
		},
	})
}

// open shows the server a file, unless it is open, and returns the text the server has.
func (s *session) open(ctx context.Context, abs string) (*content, error) {
	s.docMu.Lock()
	defer s.docMu.Unlock()
	s.clock++
	if d := s.docs[abs]; d != nil {
		d.used = s.clock
		return d.content, nil
	}
	text, info, err := readFile(abs)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", s.srv.client.relative(abs), ErrNotFound)
		}
		return nil, err
	}
	if len(s.docs) >= maxOpen {
		var oldest *document
		for _, d := range s.docs {
			if oldest == nil || d.used < oldest.used {
				oldest = d
			}
		}
		delete(s.docs, oldest.path)
		err := s.conn.notify(ctx, protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: protocolURI(oldest.path)},
		})
		if err != nil {
			return nil, err
		}
	}
	d := &document{path: abs, content: text, info: info, readAt: time.Now(), version: 1, used: s.clock}
	err = s.conn.notify(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{
			URI:        protocolURI(abs),
			LanguageID: protocol.LanguageKind(s.srv.spec.languageOf(abs)),
			Version:    d.version,
			Text:       string(text.text),
		},
	})
	if err != nil {
		return nil, err
	}
	s.docs[abs] = d
	return text, nil
}

// text returns the text of a file as the server sees it: that of the open document, else the file's.
func (s *session) text(abs string) (*content, error) {
	s.docMu.Lock()
	if d := s.docs[abs]; d != nil {
		defer s.docMu.Unlock()
		return d.content, nil
	}
	s.docMu.Unlock()
	text, _, err := readFile(abs)
	return text, err
}
