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
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

const (
	// maxMessage bounds the message of a diagnostic, in bytes.
	maxMessage = 8 << 10
)

// Diagnostic is lspclient.Diagnostic, documented there.
type Diagnostic struct {
	Location    place.Location
	Severity    string
	Message     string
	Code        string
	Source      string
	Unnecessary bool
	Deprecated  bool
	Related     []RelatedPlace
}

// RelatedPlace is lspclient.RelatedPlace, documented there.
type RelatedPlace struct {
	Location place.Location
	Message  string
}

// DiagnosticsResult is lspclient.DiagnosticsResult, documented there.
type DiagnosticsResult struct {
	Path string
	session.Answer
	Diagnostics []Diagnostic
	Total       int
	Truncated   bool
	Pulled      bool
}

var severities = []string{"error", "warning", "information", "hint"}

// diagnosis is what a server found in a file.
type diagnosis struct {
	list   wire.DiagnosticList
	pulled bool
	why    string // why it may not be all, "" when it is
}

func sameDiagnosis(a, b diagnosis) bool {
	return a.why == b.why && slices.EqualFunc(a.list.Items, b.list.Items, func(a, b wire.Diagnostic) bool {
		return a.Range == b.Range && a.Severity == b.Severity && string(a.Message) == string(b.Message)
	})
}

// diagnose asks a server for the diagnostics of a file, or waits until it has published them.
func diagnose(ctx context.Context, s *session.Session, abs string) (diagnosis, error) {
	if _, err := s.Documents.Open(ctx, abs); err != nil {
		return diagnosis{}, err
	}
	var r wire.DiagnosticReport
	if pulled, err := s.PullDiagnostics(ctx, abs, &r); pulled || err != nil {
		return diagnosis{list: r.DiagnosticList, pulled: true}, err
	}
	list, lack, err := s.Documents.AwaitPublished(ctx, abs, s.Conn.Done)
	if errors.Is(err, documents.ErrEnded) {
		err = s.Conn.Failure()
	}
	if err != nil && (jsonrpc.IsEnded(err) || ctx.Err() != nil) {
		err = s.Fail(protocol.MethodTextDocumentPublishDiagnostics, err)
	}
	return diagnosis{list: list, why: lack}, err
}

// ConvertDiagnostic converts one.
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
			return nil, fmt.Errorf("severity %q is not one of %s: %w", excerpt.Clip(severity, 40), strings.Join(severities, ", "), errs.Unsupported)
		}
	}
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	abs, v, err := c.pool.FileServer(ctx, path)
	if err != nil {
		return nil, err
	}
	a, err := session.Ask(ctx, v, session.Question[diagnosis]{
		Method: protocol.MethodTextDocumentDiagnostic,
		Same:   sameDiagnosis,
		Open:   func(ctx context.Context, s *session.Session) error { _, err := s.Documents.Open(ctx, abs); return err },
		Ask:    func(ctx context.Context, s *session.Session) (diagnosis, error) { return diagnose(ctx, s, abs) },
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
