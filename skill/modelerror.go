package skill

import (
	"fmt"
	"strings"
	"time"
)

// What went wrong with a model, as [ModelError] says it. Steps name them in retry (on: rate_limit).
const (
	FaultRateLimit  = "rate_limit" // too many requests or tokens for now
	FaultOverloaded = "overloaded" // the provider is in trouble: 500, 502, 503, 529 and the like
	FaultTimeout    = "timeout"    // no connection, no answer or no next event in time
	FaultNetwork    = "network"    // the connection could not be made, or broke
	FaultAuth       = "auth"       // the key is missing, wrong, or not allowed to do this
	FaultQuota      = "quota"      // the account is out of money
	FaultNotFound   = "not_found"  // the provider has no such model or address
	FaultTooLong    = "too_long"   // the request is longer than the model or the provider takes
	FaultInvalid    = "invalid"    // the provider refuses the request as it is
	FaultProtocol   = "protocol"   // what came back is not what the provider's protocol says
	FaultRefused    = "refused"    // the model or a filter refused to answer
	FaultCutOff     = "cut_off"    // the answer ended at its length limit
)

// A ModelError is an error of a model. It never holds a key.
type ModelError struct {
	Fault    string        // FaultRateLimit ...
	Provider string        // "anthropic", "openai"; the adapter's name
	Model    string        // the model that was asked
	Status   int           // of HTTP; 0: there was none
	Kind     string        // the provider's own word for it, such as "overloaded_error"
	Text     string        // the provider's message, shortened
	After    time.Duration // how long the provider asks to wait; 0: it does not say
	Request  string        // the provider's id of the request
	Tries    int           // requests made, this error being that of the last one
	Err      error         // the cause; may be nil
}

func (e *ModelError) Error() string {
	var b strings.Builder
	for _, s := range []string{e.Provider, e.Model} {
		if s != "" {
			b.WriteString(s + " ")
		}
	}
	msg := strings.TrimSpace(b.String())
	b.Reset()
	if msg != "" {
		b.WriteString(msg + ": ")
	}
	b.WriteString(strings.ReplaceAll(e.Fault, "_", " "))
	var in []string
	if e.Status != 0 {
		in = append(in, fmt.Sprintf("status %d", e.Status))
	}
	if e.Kind != "" && e.Kind != e.Fault {
		in = append(in, e.Kind)
	}
	if e.After > 0 {
		in = append(in, "asks to wait "+e.After.String())
	}
	if e.Tries > 1 {
		in = append(in, fmt.Sprintf("tried %d times", e.Tries))
	}
	if e.Request != "" {
		in = append(in, "request "+e.Request)
	}
	if len(in) > 0 {
		b.WriteString(" (" + strings.Join(in, ", ") + ")")
	}
	switch {
	case e.Text != "":
		b.WriteString(": " + e.Text)
	case e.Err != nil:
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause, and [ErrTooLarge], [ErrNotFound] or [ErrFormat] for the faults too_long, not_found and protocol.
func (e *ModelError) Unwrap() []error {
	var out []error
	if e.Err != nil {
		out = append(out, e.Err)
	}
	switch e.Fault {
	case FaultTooLong:
		out = append(out, ErrTooLarge)
	case FaultNotFound:
		out = append(out, ErrNotFound)
	case FaultProtocol:
		out = append(out, ErrFormat)
	}
	return out
}

// Code returns Fault: a [CodedError].
func (e *ModelError) Code() string { return e.Fault }

// Temporary reports whether the same request may be answered later: rate_limit, overloaded, timeout and network.
func (e *ModelError) Temporary() bool {
	switch e.Fault {
	case FaultRateLimit, FaultOverloaded, FaultTimeout, FaultNetwork:
		return true
	}
	return false
}
