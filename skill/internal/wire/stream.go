package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/findspot/findspot/skill"
)

// Post sends a value as JSON and returns the stream of events that answers it. The given headers come in place of those that are
// sent otherwise. Its errors are those of [Client.Do].
func (c *Client) Post(ctx context.Context, address string, header http.Header, value any) (*Stream, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, &skill.ModelError{Fault: skill.FaultInvalid, Provider: c.provider, Text: "the request is nothing that JSON can say: " + c.Clean(err.Error())}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, &text)
	if err != nil {
		return nil, c.Broken(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}, "User-Agent": {"findspot"}}
	Replace(req.Header, header)
	res, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	return &Stream{Header: res.Header, body: res.Body, in: bufio.NewReader(res.Body)}, nil
}

// An Event is one event of a stream.
type Event struct {
	Name string // of its type; empty: the stream's only one
	Data []byte // its lines, joined by line feeds
}

// A Stream is an answer in server-sent events, as the HTML standard describes them (section 9.2.6), but for lines that end with a
// carriage return alone. The limits of its client hold. It is for one goroutine.
type Stream struct {
	Header http.Header // of the answer

	body io.ReadCloser
	in   *bufio.Reader
	read bool // a line was read
}

// Next returns the next event that has a name or data, or io.EOF after the last one. An event that no empty line ends is none.
func (s *Stream) Next() (Event, error) {
	var ev Event
	lines := 0
	for {
		line, err := s.in.ReadBytes('\n')
		if err != nil {
			return Event{}, err
		}
		line = bytes.TrimSuffix(line[:len(line)-1], []byte("\r"))
		if !s.read {
			s.read = true
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(line) == 0 {
			if lines > 0 || ev.Name != "" {
				return ev, nil
			}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) { // others, and comments, whose field is empty, say nothing here
		case "event":
			ev.Name = string(value)
		case "data":
			if lines > 0 {
				ev.Data = append(ev.Data, '\n')
			}
			ev.Data = append(ev.Data, value...)
			lines++
		}
	}
}

// Close ends the stream.
func (s *Stream) Close() error { return s.body.Close() }

// Decode reads the JSON of an event into a struct. What has another type than the protocol gives it is left out, since servers that
// speak a provider's form take liberties with it; that the whole is no object is an error.
func (c *Client) Decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	var other *json.UnmarshalTypeError
	if err == nil || errors.As(err, &other) && other.Field != "" {
		return nil
	}
	return c.Protocol("an event cannot be read: %v", err)
}

// Replace puts headers in place of those of the same names.
func Replace(header, by http.Header) {
	for name := range by {
		header.Del(name)
	}
	for name, values := range by {
		for _, v := range values {
			header.Add(name, v)
		}
	}
}
