package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/record"
)

// A RecordError says which line of a record cannot be believed, and why. It wraps [ErrFormat].
type RecordError struct {
	Line   int // from 1
	Reason string
}

func (e *RecordError) Error() string { return fmt.Sprintf("record, line %d: %s", e.Line, e.Reason) }

// Unwrap returns ErrFormat.
func (e *RecordError) Unwrap() error { return errs.Format }

// ReadRecord reads the events of a record in order. The first error ends it (the stop contract); for a line that is
// damaged, missing or cut off it is a [*RecordError], behind all events before it. Records are bounded: 256 MB, 32 MB a line.
func ReadRecord(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for l, err := range readLines(r) {
			if !yield(l.event, err) || err != nil {
				return
			}
		}
	}
}

// A line of a record, as it was written and as it is meant.
type line struct {
	raw   []byte // with its line end
	event Event
}

func readLines(r io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		for l, err := range record.Lines(r) {
			var bad *record.Error
			if errors.As(err, &bad) {
				err = &RecordError{bad.Line, bad.Reason}
			}
			if err != nil {
				yield(line{}, err)
				return
			}
			e, err := parseEvent(l.Event, l.N)
			if err != nil {
				yield(line{}, &RecordError{l.N, err.Error()})
				return
			}
			if !yield(line{l.Raw, e}, nil) {
				return
			}
		}
	}
}

// parseEvent reads the event with number n.
func parseEvent(whole []byte, n int) (Event, error) {
	var head Stamp
	if err := json.Unmarshal(whole, &head); err != nil {
		return nil, fmt.Errorf("it is no event: %v", err)
	}
	e := newEvent(head.Name)
	switch {
	case e == nil:
		return nil, fmt.Errorf("%q is no event that this version knows", head.Name)
	case head.N != n:
		return nil, fmt.Errorf("it says it is event %d: a line is missing, twice there or moved", head.N)
	}
	run, first := e.(*RunEvent)
	if first != (n == 1) {
		return nil, errors.New(`a record begins with the event "run", and has one of it`)
	}
	if first {
		var f struct {
			Format int `json:"format"`
		}
		if err := json.Unmarshal(whole, &f); err != nil || f.Format != recordFormat {
			return nil, fmt.Errorf("the record has format %d, and this version reads %d: run the skill again with --record", f.Format, recordFormat)
		}
	}
	if err := json.Unmarshal(whole, e); err != nil {
		return nil, fmt.Errorf("the event %q does not read: %v", head.Name, err)
	}
	if first {
		run.Inputs = jsonvalue.WholeNumbers(run.Inputs).(map[string]any)
	}
	return e, nil
}
