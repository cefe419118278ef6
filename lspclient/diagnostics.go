package lspclient

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"go.lsp.dev/protocol"
)

const (
	// pushQuiet is how long a server must have published nothing more about a file before its last word counts: servers
	// publish what they find step by step (syntax first, then types).
	pushQuiet = 500 * time.Millisecond
	// emptyQuiet is the same for an empty list, which servers also publish to clear what was there before they look.
	emptyQuiet = 1500 * time.Millisecond
	// pushPatience bounds the wait for the first word.
	pushPatience = 10 * time.Second
	// maxMessage bounds the message of a diagnostic, in bytes.
	maxMessage = 8 << 10
)

// Diagnostic is something a server complains about.
type Diagnostic struct {
	Location place.Location `json:"location"`
	// Severity is "error", "warning", "information" or "hint"; "unknown" when the server does not say.
	Severity string `json:"severity"`
	Message  string `json:"message"` // at most 8 KiB
	Code     string `json:"code"`    // the server's name or number for it; may be empty
	Source   string `json:"source"`  // what found it, such as "compiler" or a linter; may be empty
	// Unnecessary: the code is not used. Deprecated: it is marked as not to be used.
	Unnecessary bool `json:"unnecessary,omitempty"`
	Deprecated  bool `json:"deprecated,omitempty"`
	// Related are other places that belong to it; may be nil.
	Related []RelatedPlace `json:"related,omitempty"`
}

// RelatedPlace is a place that explains a diagnostic.
type RelatedPlace struct {
	Location place.Location `json:"location"`
	Message  string         `json:"message"`
}

// DiagnosticOptions of [Client.Diagnostics].
type DiagnosticOptions struct {
	Limit int // most diagnostics to return; 0 means 1,000
	// Severity is the least one that is returned: "error", "warning", "information" or "hint"; empty means all. One whose
	// severity the server does not say is always returned.
	Severity string
}

// DiagnosticsResult holds what a server complains about in one file.
type DiagnosticsResult struct {
	Path string `json:"path"`
	Answer
	Diagnostics []Diagnostic `json:"diagnostics"` // sorted by place, then severity; never null in JSON
	// Total counts the diagnostics of the asked severity before the limit; Truncated says that the limit left some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
	// Pulled: the server was asked and has answered. Otherwise it published them by itself, and what counts is its last
	// word on the present text, after which it was silent for a while.
	Pulled bool `json:"pulled"`
}

// None reports whether the server has looked at the present text of the file and has nothing to complain about, of the
// asked severity. It is false while the server has not looked.
func (r *DiagnosticsResult) None() bool { return r.Total == 0 && r.State == Complete }

var severities = []string{"error", "warning", "information", "hint"}

// looked is what a server found in a file.
type looked struct {
	list   wire.DiagnosticList
	pulled bool
	why    string // why it may not be all, "" when it is
}

func sameLooked(a, b looked) bool {
	return a.why == b.why && slices.EqualFunc(a.list.Items, b.list.Items, func(a, b wire.Diagnostic) bool {
		return a.Range == b.Range && a.Severity == b.Severity && string(a.Message) == string(b.Message)
	})
}

// pull asks for the diagnostics of a file.
func (s checking) pull(ctx context.Context, abs string, options json.RawMessage) (looked, error) {
	l := looked{pulled: true}
	if _, err := s.documents.open(ctx, abs); err != nil {
		return l, err
	}
	params := map[string]any{"textDocument": map[string]any{"uri": source.FileURI(abs)}}
	if id := identifierOf(options); id != "" {
		params["identifier"] = id
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return l, err
	}
	var r wire.DiagnosticReport
	if err := s.call(ctx, protocol.MethodTextDocumentDiagnostic, json.RawMessage(raw), &r); err != nil {
		return l, err
	}
	l.list = r.DiagnosticList
	return l, nil
}

// identifierOf returns the name under which a server offers diagnostics, "" when it gives none.
func identifierOf(options json.RawMessage) string {
	var registered struct {
		Identifier string `json:"identifier"`
	}
	if wire.Kind(options) != '{' || wire.Unmarshal(options, &registered) != nil {
		return ""
	}
	return registered.Identifier
}

// awaitPush waits until the server has said about the present text of a file what it has to say.
func (s checking) awaitPush(ctx context.Context, abs string) (looked, error) {
	if err := s.watchPushes(ctx, abs); err != nil {
		return looked{}, err
	}
	until := time.Now().Add(pushPatience)
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		if soft := end.Add(-min(left/10, 500*time.Millisecond)); soft.Before(until) {
			until = soft
		}
	}
	for {
		p, changed, ok := s.pushed.look(abs)
		if !ok {
			return looked{}, fmt.Errorf("diagnostics of %d other files were asked for at once: %w", maxPushed, ErrTooLarge)
		}
		st, worked := s.ready.Status()
		now := time.Now()
		wait := until
		if p.list != nil {
			quiet := pushQuiet
			if len(p.list.Items) == 0 {
				quiet = emptyQuiet
			}
			if p.calm || st.Busy == "" && now.Sub(p.at) >= quiet {
				s.pushed.settle(abs, p.version)
				return looked{list: *p.list}, nil
			}
			if calm := p.at.Add(quiet); st.Busy == "" && calm.Before(wait) {
				wait = calm
			}
		}
		if !now.Before(until) {
			l := looked{why: "the server has published nothing about the present text of the file"}
			if p.list != nil {
				l.list, l.why = *p.list, "the server was still publishing when the time was up"
			}
			return l, nil
		}
		timer := time.NewTimer(time.Until(wait))
		select {
		case <-timer.C:
		case <-changed:
		case <-worked:
		case <-s.conn.Done:
			timer.Stop()
			return looked{}, s.failed(protocol.MethodTextDocumentPublishDiagnostics, s.conn.Failure())
		case <-ctx.Done():
			timer.Stop()
			return looked{}, s.failed(protocol.MethodTextDocumentPublishDiagnostics, ctx.Err())
		}
		timer.Stop()
	}
}

// watchPushes shows the server a file so that it publishes anew, unless what it has published is about the present text
// and nothing else has changed since.
func (s checking) watchPushes(ctx context.Context, abs string) error {
	if err := s.showing.Lock(ctx); err != nil {
		return err
	}
	defer s.showing.Unlock()
	s.documents.docMu.Lock()
	d, told := s.documents.docs[abs], s.documents.changes
	s.documents.docMu.Unlock()
	if p, _, ok := s.pushed.look(abs); ok && d != nil && p.version == d.version && p.told == told {
		return nil
	}
	s.pushed.watch(abs)
	// A server need not publish again what it has published before, so that an open file is closed first.
	shown, err := s.reopen(ctx, abs)
	if err == nil && !shown {
		_, err = s.documents.open(ctx, abs)
	}
	return err
}

// reopen closes a document and opens it again; it reports false when it is not open.
func (s checking) reopen(ctx context.Context, abs string) (bool, error) {
	if err := s.documents.telling.Lock(ctx); err != nil {
		return false, err
	}
	defer s.documents.telling.Unlock()
	s.documents.docMu.Lock()
	defer s.documents.docMu.Unlock()
	d := s.documents.docs[abs]
	if d == nil {
		return false, nil
	}
	if err := s.documents.release(ctx, d); err != nil {
		return true, err
	}
	return true, s.documents.present(ctx, d)
}

// diagnostic converts one.
func (v *converter) diagnostic(uri string, w wire.Diagnostic) (Diagnostic, bool) {
	at, _ := w.Range.Get()
	loc, ok := v.location(uri, at)
	if !ok {
		return Diagnostic{}, false
	}
	d := Diagnostic{Location: loc, Severity: "unknown", Message: excerpt.Clip(w.Text(), maxMessage), Source: excerpt.Clip(w.Source, 200)}
	if n := w.Severity.N; n >= 1 && n <= int64(len(severities)) {
		d.Severity = severities[n-1]
	}
	var code string
	switch wire.Kind(w.Code) {
	case '"':
		if json.Unmarshal(w.Code, &code) != nil {
			code = ""
		}
	case '0':
		code = string(w.Code)
	case '{': // an old form, with a link
		var old struct {
			Value json.RawMessage `json:"value"`
		}
		if wire.Unmarshal(w.Code, &old) == nil {
			code = strings.Trim(string(old.Value), `"`)
		}
	}
	d.Code = excerpt.Clip(code, 200)
	for _, tag := range w.Tags {
		d.Unnecessary = d.Unnecessary || tag.N == 1
		d.Deprecated = d.Deprecated || tag.N == 2
	}
	for _, rel := range w.Related[:min(len(w.Related), 20)] {
		if at, ok := rel.Location.Range.Get(); ok {
			if loc, ok := v.location(rel.Location.URI, at); ok {
				d.Related = append(d.Related, RelatedPlace{Location: loc, Message: excerpt.Clip(rel.Message, 1000)})
			}
		}
	}
	return d, true
}

// checking waits for what a server finds wrong in a document that it was shown.
type checking struct{ *session }

func checkingBy(s *session) checking { return checking{s} }
