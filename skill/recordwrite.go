package skill

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A RecordWriter writes the record of a loop that is the host's own, in the form that [ReadRecord] reads. It is safe for
// concurrent use.
type RecordWriter struct {
	log *journal

	mu    sync.Mutex // guards below
	begun bool
	talks map[int]*conversation
}

// NewRecordWriter returns a writer of one JSON object a line; with a nil w it writes nothing. A nil now means time.Now.
func NewRecordWriter(w io.Writer, now func() time.Time) *RecordWriter {
	if now == nil {
		now = time.Now
	}
	return &RecordWriter{talks: map[int]*conversation{},
		log: &journal{rec: newRecorder(&RunnerOptions{Record: w, Logger: slog.New(slog.DiscardHandler), Now: now})}}
}

// Write writes an event, and stamps it with its number and time. The first one is a [*RunEvent], and no other is. An event that
// another record gave, through [GatherOptions.Events], may be passed on. After a failed write nothing is written, and every
// call returns that error.
func (w *RecordWriter) Write(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	run, first := e.(*RunEvent)
	switch {
	case first == w.begun:
		return errBeginning
	case first && run.Format == 0:
		run.Format = recordFormat
	}
	w.begun = true
	w.log.rec.write(e)
	return w.log.rec.failed()
}

// Ask asks a model for a whole reply, and writes request and reply as a part of the conversation, a number from 1: of each request
// what the one before did not have. by says who asks. One conversation is held by one goroutine at a time. A model that
// ignores the end of ctx is not waited for. What came before an error is returned with it, and the reply is never nil.
func (w *RecordWriter) Ask(ctx context.Context, conversation int, by string, m Model, req *Request) (*Reply, error) {
	w.mu.Lock()
	begun := w.begun
	talk := w.talks[conversation]
	if talk == nil {
		talk = w.log.rec.conversation(by)
		talk.id = conversation
		w.talks[conversation] = talk
	}
	w.mu.Unlock()
	if !begun {
		return &Reply{}, errBeginning
	}
	reply, err := w.log.ask(ctx, talk, m, req)
	if err == nil {
		err = w.log.rec.failed()
	}
	return reply, err
}

var errBeginning = errors.New("record: it begins with a RunEvent, and has one of it")
