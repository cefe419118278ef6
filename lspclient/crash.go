package lspclient

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
)

const (
	// maxCrashes bounds the remembered inputs of one server; the oldest are forgotten.
	maxCrashes = 256
	// crashMemory is how long a refused input is refused; then it is tried once more.
	crashMemory = 10 * time.Minute
	// maxTrial bounds how long a suspected request keeps all others waiting.
	maxTrial = 5 * time.Second
	// badRequests on one text make the text itself the input that is refused.
	badRequests = 3
)

// crashes remembers the inputs that a server had when it crashed. An input is a request (method, parameters and the text of
// its document) or the text of a document that was just shown. One that was alone at a crash is guilty; of several each
// is suspected, and from then on asked alone until it is guilty or has an answer. What was with a server at two crashes,
// at one of them alone, is refused, until its text or the server changes.
type crashes struct {
	gate gate

	mu   sync.Mutex
	list map[crashKey]*crashRecord
}

// crashKey names an input: a method and what it was asked, as a digest. For a document it is didOpen and the URI.
type crashKey struct {
	method string
	about  [sha256.Size]byte
}

type crashRecord struct {
	input        CrashInput
	text         [sha256.Size]byte  // digest of the document's text, or zero
	folder       *filetree.Snapshot // for a request about no document: the files at that time
	build        string             // of the server
	alone, among int
	bad          int // for a document: requests about it that were refused
	last         time.Time
	how, stderr  string // of the last crash
}

func (r *crashRecord) refused() bool {
	return r.alone >= 2 || r.alone == 1 && r.among >= 1 || r.bad >= badRequests
}

// crashInput is an input as it is now: its key, and what its record must match.
type crashInput struct {
	key    crashKey
	input  CrashInput
	text   [sha256.Size]byte
	folder *filetree.Snapshot
}

// about is what the parameters of a request say about it.
type about struct {
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
	Item struct {
		URI string `json:"uri"`
	} `json:"item"`
	Position *struct {
		Line      uint32 `json:"line"`
		Character uint32 `json:"character"`
	} `json:"position"`
	Query string `json:"query"`
}

func requestKey(method string, params json.RawMessage) crashKey {
	return crashKey{method, sha256.Sum256(params)}
}

func documentKey(uri string) crashKey {
	return crashKey{protocol.MethodTextDocumentDidOpen, sha256.Sum256([]byte(uri))}
}

// requestInput describes a request. The lock docMu must not be held.
func (s inputGuard) requestInput(method string, params json.RawMessage) crashInput {
	in := crashInput{key: requestKey(method, params), input: CrashInput{Method: method}}
	var a about
	if json.Unmarshal(params, &a) != nil {
		return in
	}
	in.input.Query = excerpt.Clip(a.Query, 200)
	uri := cmp.Or(a.TextDocument.URI, a.Item.URI)
	path, ok := source.PathOf(uri)
	s.documents.docMu.Lock()
	defer s.documents.docMu.Unlock()
	if uri == "" || !ok {
		in.folder = s.documents.told
		return in
	}
	in.input.Path = s.srv.client.tree.Relative(path)
	if d := s.documents.docs[path]; d != nil {
		in.text = d.content.Digest()
		if p := a.Position; p != nil {
			in.input.Line, in.input.Col, _ = s.placeOf(d.content, *p)
		}
	}
	return in
}

func (s inputGuard) documentInput(path string, text *source.Text) crashInput {
	return crashInput{
		key: documentKey(source.FileURI(path)), text: text.Digest(),
		input: CrashInput{Method: protocol.MethodTextDocumentDidOpen, Path: s.srv.client.tree.Relative(path)},
	}
}

// find returns the record of an input that is still what it was, nil when there is none; the lock is held.
func (c *crashes) find(s *session, in crashInput) *crashRecord {
	r := c.list[in.key]
	if r == nil {
		return nil
	}
	if r.text != in.text || r.folder != in.folder || r.build != s.build {
		delete(c.list, in.key)
		return nil
	}
	if r.refused() && time.Since(r.last) > crashMemory {
		r.alone, r.among, r.bad = 0, 1, 0 // it gets one more try
	}
	return r
}

// known reports whether there may be a record of the key, so that most requests need not be described.
func (c *crashes) known(key crashKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.list[key] != nil
}

// charge notes that an input was with the server at a crash.
func (c *crashes) charge(s *session, in crashInput, alone bool, how, stderr string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.find(s, in)
	if r == nil {
		if c.list == nil {
			c.list = map[crashKey]*crashRecord{}
		}
		if len(c.list) >= maxCrashes {
			var oldest crashKey
			for k, old := range c.list {
				if have := c.list[oldest]; have == nil || old.last.Before(have.last) {
					oldest = k
				}
			}
			delete(c.list, oldest)
		}
		r = &crashRecord{input: in.input, text: in.text, folder: in.folder, build: s.build}
		c.list[in.key] = r
	}
	was := r.refused()
	if alone {
		r.alone++
	} else {
		r.among++
	}
	r.last, r.how, r.stderr = time.Now(), how, stderr
	if !was && r.refused() && in.input.Method != protocol.MethodTextDocumentDidOpen && in.input.Path != "" {
		c.bad(s, r)
	}
}

// bad notes a refused request in the record of its document; the lock is held.
func (c *crashes) bad(s *session, of *crashRecord) {
	key := documentKey(source.FileURI(callsOf(s.srv.client).absolute(of.input.Path)))
	doc := c.list[key]
	if doc == nil || doc.text != of.text {
		doc = &crashRecord{
			input: CrashInput{Method: protocol.MethodTextDocumentDidOpen, Path: of.input.Path},
			text:  of.text, build: of.build,
		}
		c.list[key] = doc
	}
	doc.bad++
	doc.last, doc.how, doc.stderr = of.last, of.how, of.stderr
}

// clear forgets an input, since the server has survived it.
func (c *crashes) clear(key crashKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.list, key)
}

// verdict says what is known of an input: an error when it is refused, or whether it is suspected.
func (c *crashes) verdict(s *session, in crashInput) (suspected bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.find(s, in)
	if r == nil {
		return false, nil
	}
	if !r.refused() {
		return r.alone+r.among > 0, nil
	}
	return false, &ServerError{
		Server: s.label, Method: in.input.Method, Stderr: r.stderr,
		Err: &CrashInputError{Input: in.input, Crashes: max(r.alone+r.among, r.bad), Last: errors.New(r.how)},
	}
}

// refusesDocument returns an error when the text of a document is what crashes the server.
func (s inputGuard) refusesDocument(path string, text *source.Text) error {
	c := &s.srv.crashes
	if !c.known(documentKey(source.FileURI(path))) {
		return nil
	}
	_, err := c.verdict(s.session, s.documentInput(path, text))
	return err
}

// guarded puts a request to the server unless it is one that crashes it. A suspected one is asked while no other is under
// way.
func (s inputGuard) guarded(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	var sent any // nil when there are no parameters
	if params != nil {
		sent = params
	}
	c := &s.srv.crashes
	key := requestKey(method, params)
	suspected := false
	if c.known(key) {
		var err error
		if suspected, err = c.verdict(s.session, s.requestInput(method, params)); err != nil {
			return nil, err
		}
	}
	leave, err := c.gate.enter(ctx, s.conn.Done, suspected)
	if err != nil {
		if dead := s.conn.Failure(); dead != nil {
			return nil, s.post(dead, false)
		}
		return nil, err
	}
	defer leave()
	if suspected {
		timer := time.AfterFunc(maxTrial, leave)
		defer timer.Stop()
		in := s.requestInput(method, params)
		if suspected, err = c.verdict(s.session, in); err != nil { // another call has tried it meanwhile
			return nil, err
		}
		if err := s.prove(ctx, in); err != nil {
			return nil, s.post(err, true)
		}
	}
	moves := s.ready.FileMoves()
	raw, err := s.conn.Send(ctx, method, sent, jsonrpc.RequestOptions{Trial: suspected, Seen: func() { s.ready.AnsweredSince(moves) }})
	switch {
	case err == nil:
		if c.known(key) {
			c.clear(key)
		}
	case jsonrpc.IsEnded(err):
		err = s.post(err, suspected)
	}
	return raw, err
}

// aliveMethod is a request that no server knows. The protocol makes them answer requests whose names begin with "$/" with
// an error at once.
const aliveMethod = "$/findspot/alive"

// prove shows, for a request about a document that is suspected itself, whether the server survives the document alone:
// it is asked something that needs nothing, and has read the document when it answers.
func (s inputGuard) prove(ctx context.Context, in crashInput) error {
	c := &s.srv.crashes
	path := callsOf(s.srv.client).absolute(in.input.Path)
	key := documentKey(source.FileURI(path))
	if in.input.Path == "" || !c.known(key) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	params, err := json.Marshal(map[string]any{"textDocument": map[string]string{"uri": source.FileURI(path)}})
	if err != nil {
		return err
	}
	_, err = s.conn.Send(ctx, aliveMethod, json.RawMessage(params), jsonrpc.RequestOptions{Trial: true})
	if jsonrpc.IsEnded(err) {
		return err
	}
	var answered *jsonrpc.ResponseError
	if err == nil || errors.As(err, &answered) {
		c.clear(key)
	}
	return nil // a server that does not answer this is asked the question itself
}

// post returns the error of a call whose connection has ended, after what the server was at has been noted. Trial says
// that the call was asked alone.
func (s inputGuard) post(err error, trial bool) error {
	s.autopsy()
	var dead *jsonrpc.EndedError
	if errors.As(err, &dead) {
		return &jsonrpc.EndedError{Cause: dead.Cause, Shared: s.sharedEnd && !trial}
	}
	return err
}

// autopsy finds what the server was at when it ended by itself, once; it waits until that is done.
func (s inputGuard) autopsy() {
	s.ended.Do(func() {
		if s.retired.Load() {
			return
		}
		s.proc.Settle()
		if s.proc.WasKilled() {
			return // somebody wanted that; no input did it
		}
		how, stderr := s.conn.Failure().Error(), s.proc.Stderr.String()
		if end := s.proc.Status(); end != "" {
			how += " (" + end + ")"
		}
		var trial, others []crashInput
		for _, p := range s.conn.Unanswered() {
			in := s.requestInput(p.Method, p.Params)
			if p.Method == aliveMethod { // it stands for the document
				in.key = documentKey(source.FileURI(callsOf(s.srv.client).absolute(in.input.Path)))
				in.input.Method = protocol.MethodTextDocumentDidOpen
			}
			if p.Trial {
				trial = append(trial, in)
			} else {
				others = append(others, in)
			}
		}
		if len(trial) == 0 {
			others = append(others, s.unproven()...)
		}
		slices.SortFunc(others, func(a, b crashInput) int { return slices.Compare(a.key.about[:], b.key.about[:]) })
		others = slices.CompactFunc(others, func(a, b crashInput) bool { return a.key == b.key })
		for _, in := range trial {
			s.srv.crashes.charge(s.session, in, true, how, stderr)
		}
		for _, in := range others {
			s.srv.crashes.charge(s.session, in, len(others) == 1 && len(trial) == 0, how, stderr)
		}
		s.sharedEnd = len(trial) > 0 || len(others) > 1
		if len(trial)+len(others) > 0 {
			s.srv.client.opts.Logger.Info("lspclient: server crashed", "server", s.label, "reason", how,
				"inputs", fmt.Sprint(len(trial)+len(others)))
		}
	})
}

// unproven describes the open documents that were shown after the server's last answer.
func (s inputGuard) unproven() []crashInput {
	last := s.conn.Answered()
	s.documents.docMu.Lock()
	defer s.documents.docMu.Unlock()
	var list []crashInput
	for _, d := range s.documents.docs {
		if d.readAt.After(last) {
			list = append(list, s.documentInput(d.path, d.content))
		}
	}
	return list
}

// gate lets requests through, all at once, or a suspected one alone.
type gate struct {
	mu      sync.Mutex
	inside  int  // ordinary requests
	trial   bool // a suspected one is inside
	queue   int  // suspected ones that wait
	changed chan struct{}
}

// enter waits for a place. leave may be called more than once.
func (g *gate) enter(ctx context.Context, done <-chan struct{}, alone bool) (leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if alone {
		g.queue++
		defer func() { g.queue--; g.wake() }()
	}
	patience := time.Now().Add(maxTrial) // for ordinary requests to end; they are innocent so far
	for {
		free := !g.trial && (alone || g.queue == 0)
		if alone && g.inside > 0 && time.Now().Before(patience) {
			free = false
		}
		if free {
			break
		}
		if g.changed == nil {
			g.changed = make(chan struct{})
		}
		changed := g.changed
		g.mu.Unlock()
		timer := time.NewTimer(time.Until(patience) + time.Millisecond)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			err = ctx.Err()
		case <-done:
			err = errors.New("the connection ended")
		}
		timer.Stop()
		g.mu.Lock()
		if err != nil {
			return nil, err
		}
	}
	if alone {
		g.trial = true
	} else {
		g.inside++
	}
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if alone {
			g.trial = false
		} else {
			g.inside--
		}
		g.wake()
	}), nil
}

// wake lets those look again who wait; the lock is held.
func (g *gate) wake() {
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}

// inputGuard keeps inputs that crash a server from it.
type inputGuard struct{ *session }

func guardOf(s *session) inputGuard { return inputGuard{s} }
