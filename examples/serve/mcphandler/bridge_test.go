package mcphandler

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/findspot/findspot/internal/mcpstdio"
)

// bridge is streamable HTTP before servers on standard input and output, for a suite that speaks HTTP alone. Each session is one connection of lines,
// and so is each request of a version without sessions. What the server sends of itself goes to the request that is open, else to the stream
// that listens: lines do not say what they belong to.
type bridge struct {
	t *testing.T
	h *Handler

	mu       sync.Mutex
	sessions map[string]*line
}

// line is a connection.
type line struct {
	to     io.WriteCloser
	mu     sync.Mutex
	waits  map[string]chan []byte // by id: a request's messages, its answer last
	newest string
	spare  chan []byte // for the stream that listens
	ended  chan struct{}
}

type wireMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Error  *struct {
		Code int `json:"code"`
	} `json:"error"`
}

func (b *bridge) open() *line {
	in, to := io.Pipe()
	from, out := io.Pipe()
	l := &line{to: to, waits: map[string]chan []byte{}, spare: make(chan []byte, 1000), ended: make(chan struct{})}
	go func() { // ends with its input
		defer out.Close()
		if err := b.h.Run(context.Background(), mcpstdio.New(in, out, nil)); err != nil && b.h.closed.Err() == nil {
			b.t.Errorf("a session over lines: %v", err)
		}
	}()
	go func() {
		defer close(l.ended)
		r := bufio.NewReader(from)
		for {
			text, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			var m wireMessage
			if err := json.Unmarshal(text, &m); err != nil {
				b.t.Errorf("a line of the server: %v: %.200s", err, text)
			}
			l.mu.Lock()
			to := l.spare
			if ch := l.waits[l.newest]; ch != nil {
				to = ch
			}
			if m.Method == "" && l.waits[string(m.ID)] != nil {
				to = l.waits[string(m.ID)]
			}
			l.mu.Unlock()
			to <- text
		}
	}()
	return l
}

func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionName)
	b.mu.Lock()
	l := b.sessions[id]
	b.mu.Unlock()
	if id != "" && l == nil {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	switch r.Method {
	case http.MethodDelete:
		b.mu.Lock()
		delete(b.sessions, id)
		b.mu.Unlock()
		l.to.Close()
		return
	case http.MethodGet:
		if l == nil {
			http.Error(w, "no session", http.StatusMethodNotAllowed)
			return
		}
		stream(w, r, l.spare, l.ended, "")
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var m wireMessage
	if err := json.Unmarshal(body, &m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if l == nil {
		l = b.open()
		if m.Method == "initialize" {
			b.mu.Lock()
			id = fmt.Sprintf("session%d", len(b.sessions)+1)
			b.sessions[id] = l
			b.mu.Unlock()
			w.Header().Set(sessionName, id)
		} else {
			defer l.to.Close()
		}
	}
	var answers chan []byte
	if m.Method != "" && m.ID != nil {
		answers = make(chan []byte, 100)
		l.mu.Lock()
		l.waits[string(m.ID)], l.newest = answers, string(m.ID)
		l.mu.Unlock()
		defer func() {
			l.mu.Lock()
			delete(l.waits, string(m.ID))
			l.mu.Unlock()
		}()
	}
	if _, err := l.to.Write(append(body, '\n')); err != nil || answers == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	stream(w, r, answers, l.ended, string(m.ID))
}

// stream sends messages as events until the answer to id, or for as long as the client listens.
func stream(w http.ResponseWriter, r *http.Request, messages <-chan []byte, ended <-chan struct{}, id string) {
	began := false
	for {
		if id == "" && !began {
			began = true
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
		}
		select {
		case text := <-messages:
			var m wireMessage
			_ = json.Unmarshal(text, &m)
			if !began && m.Error != nil && r.Header.Get(versionName) >= withoutState { // as that version has it over HTTP
				w.Header().Set("Content-Type", "application/json")
				status := http.StatusBadRequest
				if m.Error.Code == -32601 {
					status = http.StatusNotFound
				}
				w.WriteHeader(status)
				_, _ = w.Write(text)
				return
			}
			if !began {
				w.Header().Set("Content-Type", "text/event-stream")
			}
			began = true
			fmt.Fprintf(w, "event: message\ndata: %s\n", text)
			_, _ = io.WriteString(w, "\n")
			_ = http.NewResponseController(w).Flush()
			if m.Method == "" && id != "" && string(m.ID) == id {
				return
			}
		case <-ended:
			return
		case <-r.Context().Done():
			return
		}
	}
}
