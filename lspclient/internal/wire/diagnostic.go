package wire

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

// DiagnosticList are diagnostics as a server gives them.
type DiagnosticList struct {
	Items []Diagnostic
	Lost  Losses
}

type Diagnostic struct {
	Range    Range           `json:"range"`
	Severity Number          `json:"severity"`
	Code     json.RawMessage `json:"code"`
	Source   string          `json:"source"`
	Message  json.RawMessage `json:"message"`
	Tags     []Number        `json:"tags"`
	Related  []struct {
		Location struct {
			URI   string `json:"uri"`
			Range Range  `json:"range"`
		} `json:"location"`
		Message string `json:"message"`
	} `json:"relatedInformation"`
}

// Text returns the message, a string or MarkupContent.
func (w Diagnostic) Text() string {
	text, _, _ := markup(w.Message)
	return text
}

func (l *DiagnosticList) take(raw json.RawMessage) error {
	if Kind(raw) == '{' {
		return fmt.Errorf("a list of diagnostics expected, got %s", excerpt.Clip(string(raw), 100))
	}
	list, err := elements[Diagnostic](raw, "a list of diagnostics")
	if err != nil {
		return err
	}
	l.Items = make([]Diagnostic, 0, len(list))
	for _, d := range list {
		if _, ok := d.Range.Get(); !ok || d.Text() == "" {
			l.Lost.Add("a diagnostic without a place or a message (%q)", d.Text())
			continue
		}
		l.Items = append(l.Items, d)
	}
	return l.Lost.all(len(l.Items))
}

// PublishedDiagnostics is what textDocument/publishDiagnostics says.
type PublishedDiagnostics struct {
	URI     string
	Version Number
	DiagnosticList
}

func (p *PublishedDiagnostics) FromWire(raw json.RawMessage) error {
	var w struct {
		URI         string          `json:"uri"`
		Version     Number          `json:"version"`
		Diagnostics json.RawMessage `json:"diagnostics"`
	}
	if Kind(raw) != '{' {
		return fmt.Errorf("published diagnostics expected, got %s", excerpt.Clip(string(raw), 100))
	}
	if err := Unmarshal(raw, &w); err != nil {
		return err
	}
	if w.URI == "" {
		return errors.New("diagnostics of no file")
	}
	p.URI, p.Version = w.URI, w.Version
	return p.take(w.Diagnostics)
}

// DiagnosticReport is the answer of textDocument/diagnostic.
type DiagnosticReport struct {
	DiagnosticList
}

func (r *DiagnosticReport) FromWire(raw json.RawMessage) error {
	var w struct {
		Kind  string          `json:"kind"`
		Items json.RawMessage `json:"items"`
	}
	if Kind(raw) != '{' {
		return fmt.Errorf("a report of diagnostics expected, got %s", excerpt.Clip(string(raw), 100))
	}
	if err := Unmarshal(raw, &w); err != nil {
		return err
	}
	// A report says whether the server has looked. One of no kind is what a server gives that has not: taking its empty
	// list for "no problems" would be a lie. No earlier report is ever named to the server, so that it cannot be unchanged.
	if w.Kind != "full" {
		return fmt.Errorf("a report of diagnostics of kind %q, where only \"full\" can be", excerpt.Clip(w.Kind, 40))
	}
	if Kind(w.Items) == 'n' {
		return errors.New("a full report of diagnostics without items")
	}
	return r.take(w.Items)
}
