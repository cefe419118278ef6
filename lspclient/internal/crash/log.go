package crash

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/protocol"
)

const (
	// maxRecords bounds the remembered inputs of one server; the oldest are forgotten.
	maxRecords = 256
	// refusal is how long a refused input is refused; then it is tried once more.
	refusal = 10 * time.Minute
	// badRequests on one text make the text itself the input that is refused.
	badRequests = 3
)

// Log remembers the inputs that a server had when it crashed. An input is a request (method, parameters and the text of its
// document) or the text of a document that was just shown. One that was alone at a crash is guilty; of several each is
// suspected, and from then on asked alone until it is guilty or has an answer. What was with a server at two crashes, at one
// of them alone, is refused, until its text or the server changes. A Log is safe for concurrent use.
type Log struct {
	Gate Gate

	mu      sync.Mutex
	records map[Key]*record
}

// record is what is known of an input.
type record struct {
	input        Input
	alone, among int // crashes at which it was the only input, or one of several
	bad          int // for a document: requests about it that were refused
	last         time.Time
	how, stderr  string // of the last crash
}

func (r *record) refused() bool {
	return r.alone >= 2 || r.alone == 1 && r.among >= 1 || r.bad >= badRequests
}

// find returns the record of an input that is still what it was, nil when there is none; the lock is held.
func (l *Log) find(in Input) *record {
	r := l.records[in.Key]
	if r == nil {
		return nil
	}
	if r.input.state != in.state {
		delete(l.records, in.Key)
		return nil
	}
	if r.refused() && time.Since(r.last) > refusal {
		r.alone, r.among, r.bad = 0, 1, 0 // it gets one more try
	}
	return r
}

// Known reports whether there may be a record of the key, so that most requests need not be described.
func (l *Log) Known(key Key) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.records[key] != nil
}

// Charge notes that an input was with the server at a crash, alone or with others.
func (l *Log) Charge(in Input, alone bool, how, stderr string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.find(in)
	if r == nil {
		if l.records == nil {
			l.records = map[Key]*record{}
		}
		if len(l.records) >= maxRecords {
			var oldest Key
			for k, old := range l.records {
				if have := l.records[oldest]; have == nil || old.last.Before(have.last) {
					oldest = k
				}
			}
			delete(l.records, oldest)
		}
		r = &record{input: in}
		l.records[in.Key] = r
	}
	was := r.refused()
	if alone {
		r.alone++
	} else {
		r.among++
	}
	r.last, r.how, r.stderr = time.Now(), how, stderr
	if !was && r.refused() && in.About.Method != protocol.MethodTextDocumentDidOpen && in.About.Path != "" {
		l.chargeDocument(r)
	}
}

// chargeDocument notes a refused request in the record of its document; the lock is held.
func (l *Log) chargeDocument(of *record) {
	in := of.input.document()
	doc := l.records[in.Key]
	if doc == nil || doc.input.state.text != in.state.text {
		doc = &record{input: in}
		l.records[in.Key] = doc
	}
	doc.bad++
	doc.last, doc.how, doc.stderr = of.last, of.how, of.stderr
}

// Clear forgets an input, since the server has survived it.
func (l *Log) Clear(key Key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.records, key)
}

// Verdict says what is known of an input: an InputError when it is refused, with the last words of the server, or whether it
// is suspected.
func (l *Log) Verdict(in Input) (suspected bool, refused *InputError, stderr string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.find(in)
	if r == nil {
		return false, nil, ""
	}
	if !r.refused() {
		return r.alone+r.among > 0, nil, ""
	}
	return false, &InputError{Input: in.About, Crashes: max(r.alone+r.among, r.bad), Last: errors.New(r.how)}, r.stderr
}

// About is lspclient.CrashInput, documented there.
type About struct {
	Method string
	Path   string
	Line   int
	Col    int
	Query  string
}

func (in About) String() string {
	switch {
	case in.Line > 0:
		return fmt.Sprintf("%s at %s:%d:%d", in.Method, in.Path, in.Line, in.Col)
	case in.Path != "":
		return fmt.Sprintf("%s of %s", in.Method, in.Path)
	case in.Query != "":
		return fmt.Sprintf("%s for %q", in.Method, in.Query)
	}
	return in.Method
}

// InputError is lspclient.CrashInputError, documented there.
type InputError struct {
	Input   About
	Crashes int
	Last    error
}

func (e *InputError) Error() string {
	return fmt.Sprintf("it crashed %d times on this input, which is not sent again: %s; the last time: %v; change the file, or ask something else",
		e.Crashes, e.Input, e.Last)
}
