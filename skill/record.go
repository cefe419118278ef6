package skill

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

const (
	maxRecord = 256 << 20 // bytes of a record, written or read
	maxLine   = 32 << 20  // bytes of one line of it
	minSame   = 256       // bytes from which a text is written once
)

// A recorder tells events to whoever wants them: as JSON lines, to a function and to a log. It is safe for concurrent
// use. After a failed write it writes no more, and err says why.
type recorder struct {
	w    io.Writer
	tell func(Event)
	log  *slog.Logger
	now  func() time.Time
	play *player // set in a replay: it gives the times, and sees each line

	meter Meter

	mu    sync.Mutex // guards below
	n     int
	size  int64
	texts sames
	convs int
	err   error
}

func newRecorder(o *RunnerOptions) *recorder {
	return &recorder{w: o.Record, tell: o.Events, log: o.Logger, now: o.Now, texts: sames{}}
}

// write stamps an event and passes it on.
func (r *recorder) write(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	var at time.Time
	if r.play != nil {
		at = r.play.time(e)
	} else {
		at = r.now()
	}
	e.stamp(r.n, at, nameOf(e))
	r.meter.Observe(e)
	if l := level(e); r.log.Enabled(context.Background(), l) {
		r.log.LogAttrs(context.Background(), l, "skill: "+nameOf(e), e.LogValue().Group()...)
	}
	if r.tell != nil {
		r.tell(e)
	}
	if r.err != nil || r.w == nil && r.play == nil {
		return
	}
	line, err := marshal(e)
	if err != nil {
		r.err = fmt.Errorf("record: %s: %w", nameOf(e), err)
		return
	}
	line = append(r.texts.fold(line), '\n')
	if r.size += int64(len(line)); r.size > maxRecord || len(line) > maxLine {
		r.err = fmt.Errorf("record: over %d bytes, or a line over %d: %w", maxRecord, maxLine, errs.TooLarge)
		return
	}
	if r.play != nil {
		r.play.wrote(e, line)
	}
	if r.w == nil {
		return
	}
	if _, err := r.w.Write(line); err != nil {
		r.err = fmt.Errorf("record: %w", err)
	}
}

func (r *recorder) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// A conversation writes the requests and replies of one talk with a model: of each request what the one before did not
// have, so that a record does not grow with the square of its turns.
type conversation struct {
	rec    *recorder
	id     int
	by     string
	system string
	last   []Message
}

// conversation begins one. by is host when no step asks.
func (r *recorder) conversation(by string) *conversation {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.convs++
	return &conversation{rec: r, id: r.convs, by: by}
}

func (c *conversation) request(req *Request) *ModelEvent {
	keep := 0
	for keep < len(c.last) && keep < len(req.Messages) && sameMessage(c.last[keep], req.Messages[keep]) {
		keep++
	}
	e := &ModelEvent{Conversation: c.id, By: c.by, Role: req.Role, Keep: keep, Messages: slices.Clone(req.Messages[keep:]), Choice: req.Choice, Schema: validJSON(req.Schema), MaxTokens: req.MaxTokens}
	if req.System != c.system {
		e.System, c.system = req.System, req.System
	}
	for _, t := range req.Tools {
		e.Tools = append(e.Tools, t.Name)
	}
	c.last = slices.Clone(req.Messages)
	return e
}

func (c *conversation) reply(r *Reply, err error) *ReplyEvent {
	e := &ReplyEvent{Conversation: c.id, By: c.by, Reply: r}
	if err != nil {
		var coded CodedError
		if errors.As(err, &coded) {
			e.Code = coded.Code()
		}
		e.Error = err.Error()
	}
	return e
}

func sameMessage(a, b Message) bool {
	return a.From == b.From && a.Text == b.Text && a.CallID == b.CallID && a.Error == b.Error && bytes.Equal(a.State, b.State) &&
		slices.EqualFunc(a.Calls, b.Calls, func(x, y ToolCall) bool {
			return x.ID == y.ID && x.Name == y.Name && bytes.Equal(x.Args, y.Args)
		})
}

// offers are the tools of a run as its record begins with them. full says of which tools a model may be told.
func offers(tools map[string]Tool, names []string, full func(string) bool) []ToolOffer {
	out := make([]ToolOffer, len(names))
	for i, n := range names {
		t := tools[n]
		out[i] = ToolOffer{Name: n, AliasOf: t.AliasOf, Writes: t.Writes}
		if full(n) {
			out[i].Description, out[i].Guidance, out[i].Schema = t.Description, t.Guidance, t.Schema
		}
	}
	return out
}

// marshal is JSON without HTML escapes: the record is read by people too.
func marshal(v any) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok {
		v = validJSON(raw)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// validJSON is raw itself, or a JSON text of it: what a model sent as arguments may be anything.
func validJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || json.Valid(raw) {
		return raw
	}
	data, err := json.Marshal(string(raw))
	if err != nil { // cannot be: a string always is JSON
		return json.RawMessage(`""`)
	}
	return data
}

// sames knows the long texts of a record, in JSON form, by the hash of that form.
type sames map[[sha256.Size]byte][]byte

// The key under which a line says that a text was there before. A key of a tool's own that reads like it gets a tilde.
const sameKey = "same_as"

// fold puts a reference in place of each long text that an earlier line had. line is compact JSON.
func (s sames) fold(line []byte) []byte {
	if len(line) < minSame && !bytes.Contains(line, []byte(sameKey)) {
		return line
	}
	out := make([]byte, 0, len(line))
	from := 0
	for at := range jsonStrings(line) {
		text := line[at[0]:at[1]]
		if isKey := at[1] < len(line) && line[at[1]] == ':'; isKey {
			if name := bytes.TrimLeft(text[1:len(text)-1], "~"); string(name) == sameKey {
				out = append(append(out, line[from:at[0]+1]...), '~')
				from = at[0] + 1
			}
			continue
		}
		if len(text) < minSame {
			continue
		}
		sum := sha256.Sum256(text)
		if _, there := s[sum]; !there {
			s[sum] = nil // a writer need not keep it
			continue
		}
		out = append(out, line[from:at[0]]...)
		out = fmt.Appendf(out, `{"%s":"%x"}`, sameKey, sum)
		from = at[1]
	}
	return append(out, line[from:]...)
}

// unfold undoes fold. It fails for a reference to nothing, and when more than budget bytes come of it.
func (s sames) unfold(line []byte, budget *int64) ([]byte, error) {
	out := make([]byte, 0, len(line))
	from := 0
	open := []byte(`{"` + sameKey + `":"`)
	for at := range jsonStrings(line) {
		if at[0] < from {
			continue // within a reference
		}
		text := line[at[0]:at[1]]
		if isKey := at[1] < len(line) && line[at[1]] == ':'; !isKey {
			if len(text) >= minSame {
				s[sha256.Sum256(text)] = bytes.Clone(text)
			}
			continue
		}
		name := text[1 : len(text)-1]
		if bytes.HasPrefix(name, []byte("~")) && string(bytes.TrimLeft(name, "~")) == sameKey {
			out = append(out, line[from:at[0]+1]...)
			from = at[0] + 2
			continue
		}
		if string(name) != sameKey {
			continue
		}
		end := at[1] + 1 + 1 + 2*sha256.Size + 1 + 1 // :"hash"}
		if at[0] == 0 || end > len(line) || !bytes.HasPrefix(line[at[0]-1:], open) || line[end-1] != '}' {
			return nil, fmt.Errorf("%q is no reference: %w", sameKey, errs.Format)
		}
		var sum [sha256.Size]byte
		if _, err := hex.Decode(sum[:], line[at[1]+2:end-2]); err != nil {
			return nil, fmt.Errorf("%q: %v: %w", sameKey, err, errs.Format)
		}
		was, ok := s[sum]
		if !ok {
			return nil, fmt.Errorf("a text is said to stand in an earlier line, and does not: %w", errs.Format)
		}
		if *budget -= int64(len(was)); *budget < 0 {
			return nil, fmt.Errorf("texts over %d bytes: %w", maxRecord, errs.TooLarge)
		}
		out = append(append(out, line[from:at[0]-1]...), was...)
		from = end
	}
	return append(out, line[from:]...), nil
}

// jsonStrings gives the half-open ranges of the texts of a compact JSON value, quotes included, in order.
func jsonStrings(line []byte) func(yield func([2]int) bool) {
	return func(yield func([2]int) bool) {
		for i := 0; i < len(line); i++ {
			if line[i] != '"' {
				continue
			}
			end := i + 1
			for end < len(line) && line[end] != '"' {
				if line[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(line) || !yield([2]int{i, end + 1}) {
				return
			}
			i = end
		}
	}
}
