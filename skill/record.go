package skill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// fields are the members of a record line in order; a map would sort them.
type fields []struct {
	name  string
	value any
}

// A recorder writes one JSON object a line: {"n":1,"t":"2026-01-02T03:04:05Z","event":"run",...}. It is safe for
// concurrent use. After a failed write it writes no more, and err says why.
type recorder struct {
	mu  sync.Mutex
	w   io.Writer
	now func() time.Time
	n   int
	err error
}

func (r *recorder) event(name string, fs fields) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.w == nil || r.err != nil {
		return
	}
	r.n++
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"n":%d,"t":%q,"event":%q`, r.n, r.now().UTC().Format(time.RFC3339Nano), name)
	for _, f := range fs {
		data, err := marshal(f.value)
		if err != nil {
			r.err = fmt.Errorf("record: %s.%s: %w", name, f.name, err)
			return
		}
		fmt.Fprintf(&b, ",%q:%s", f.name, data)
	}
	b.WriteString("}\n")
	if _, err := r.w.Write(b.Bytes()); err != nil {
		r.err = fmt.Errorf("record: %w", err)
	}
}

// marshal is JSON without HTML escapes: the record is read by people too.
func marshal(v any) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok && !json.Valid(raw) {
		v = string(raw) // what a model sent as arguments may be anything
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
