package questions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/documents"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"go.lsp.dev/protocol"
)

const (
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

// DiagnosticsResult holds what a server complains about in one file.
type DiagnosticsResult struct {
	Path string `json:"path"`
	session.Answer
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
func (r *DiagnosticsResult) None() bool { return r.Total == 0 && r.State == session.Complete }

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

// diagnose asks a server for the diagnostics of a file, or waits until it has published them.
func diagnose(ctx context.Context, s *session.Session, abs string) (looked, error) {
	if _, err := s.Documents.Open(ctx, abs); err != nil {
		return looked{}, err
	}
	var r wire.DiagnosticReport
	if pulled, err := s.PullDiagnostics(ctx, abs, &r); pulled || err != nil {
		return looked{list: r.DiagnosticList, pulled: true}, err
	}
	list, lack, err := s.Documents.AwaitPublished(ctx, abs, s.Conn.Done)
	if errors.Is(err, documents.ErrEnded) {
		err = s.Conn.Failure()
	}
	if err != nil && (jsonrpc.IsEnded(err) || ctx.Err() != nil) {
		err = s.Fail(protocol.MethodTextDocumentPublishDiagnostics, err)
	}
	return looked{list: list, why: lack}, err
}

// convertDiagnostic converts one.
func ConvertDiagnostic(v *session.Converter, uri string, w wire.Diagnostic) (Diagnostic, bool) {
	at, _ := w.Range.Get()
	loc, ok := v.Location(uri, at)
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
			if loc, ok := v.Location(rel.Location.URI, at); ok {
				d.Related = append(d.Related, RelatedPlace{Location: loc, Message: excerpt.Clip(rel.Message, 1000)})
			}
		}
	}
	return d, true
}

// Diagnostics asks what the server complains about in a file, of the severity or a worse one; empty means all.
func (c *Finder) Diagnostics(ctx context.Context, path string, limit int, severity string) (*DiagnosticsResult, error) {
	if limit <= 0 {
		limit = defaultLimit
	}
	least := len(severities)
	if severity != "" {
		if least = slices.Index(severities, severity) + 1; least == 0 {
			return nil, fmt.Errorf("severity %q is none of %s: %w", excerpt.Clip(severity, 40), strings.Join(severities, ", "), errs.Unsupported)
		}
	}
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	abs, v, err := c.pool.FileServer(ctx, path)
	if err != nil {
		return nil, err
	}
	a, err := session.Ask(ctx, v, session.Question[looked]{
		Method: protocol.MethodTextDocumentDiagnostic,
		Same:   sameLooked,
		Open:   func(ctx context.Context, s *session.Session) error { _, err := s.Documents.Open(ctx, abs); return err },
		Ask:    func(ctx context.Context, s *session.Session) (looked, error) { return diagnose(ctx, s, abs) },
	})
	if err != nil {
		return nil, err
	}
	r := &DiagnosticsResult{Path: c.pool.Tree.Relative(abs), Answer: a.Answer(), Diagnostics: []Diagnostic{}, Pulled: a.Value.pulled}
	conv := a.Session.Converter()
	uri := source.FileURI(abs)
	for _, w := range a.Value.list.Items {
		if w.Severity.N > int64(least) {
			continue
		}
		if d, ok := ConvertDiagnostic(conv, uri, w); ok {
			r.Diagnostics = append(r.Diagnostics, d)
		}
	}
	slices.SortStableFunc(r.Diagnostics, func(a, b Diagnostic) int {
		return cmp.Or(place.Compare(a.Location, b.Location), cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)))
	})
	r.Diagnostics = slices.CompactFunc(r.Diagnostics, func(a, b Diagnostic) bool {
		return a.Location == b.Location && a.Message == b.Message && a.Severity == b.Severity && a.Code == b.Code && a.Source == b.Source
	})
	a.Session.Degrade(&r.Answer, a.Value.why, a.Value.list.Lost.String(), conv.Rejected())
	r.Total = len(r.Diagnostics)
	if len(r.Diagnostics) > limit {
		r.Diagnostics, r.Truncated = r.Diagnostics[:limit], true
	}
	return r, nil
}
