package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// The forms in which answers are read. Servers differ from the protocol in small ways (one object where a list is meant,
// null for an empty list, a number in quotes, a field that is missing), and a list of a thousand places is not lost over
// one of them that is wrong. So a form takes what it can, and its owner checks what it took: an element that lacks what
// makes it useful is left out and counted in a losses. Only an answer that is of another kind altogether is an error.

// Losses counts the elements of an answer that were left out.
type Losses struct {
	Count int
	First string
}

func (l *Losses) Add(format string, args ...any) {
	if l.Count++; l.Count == 1 {
		l.First = excerpt.Clip(fmt.Sprintf(format, args...), 200)
	}
}

// String says what was left out, "" when nothing was.
func (l Losses) String() string {
	switch l.Count {
	case 0:
		return ""
	case 1:
		return "the answer held something malformed, which was left out: " + l.First
	}
	return fmt.Sprintf("the answer held %d malformed elements, which were left out; the first: %s", l.Count, l.First)
}

// all is an error when something was left out and nothing is left.
func (l Losses) all(left int) error {
	if left == 0 && l.Count > 0 {
		return errors.New(l.First)
	}
	return nil
}

// Kind returns what kind of JSON value raw is: 'n' for null or nothing, '{', '[', '"', 't' for a boolean, '0' for a
// number.
func Kind(raw []byte) byte {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return 'n'
	}
	switch c := raw[0]; c {
	case 'n', '{', '[', '"':
		return c
	case 't', 'f':
		return 't'
	}
	return '0'
}

// Unmarshal decodes JSON and leaves the fields zero whose values are of another type.
func Unmarshal(raw []byte, into any) error {
	err := json.Unmarshal(raw, into)
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) {
		return nil
	}
	return err
}

// elements decodes a list, one object that stands for a list of one, or null.
func elements[T any](raw json.RawMessage, what string) ([]T, error) {
	switch Kind(raw) {
	case 'n':
		return nil, nil
	case '{':
		one := make([]T, 1)
		return one, Unmarshal(raw, &one[0])
	case '[':
		var list []T
		err := Unmarshal(raw, &list)
		return list, err
	}
	return nil, fmt.Errorf("%s expected, got %s", what, excerpt.Clip(string(raw), 100))
}

// Number is an integer, or one in quotes. It is not ok when it is missing, null or anything else.
type Number struct {
	N  int64
	OK bool
}

// UnmarshalJSON never fails: what is no number is not ok.
func (x *Number) UnmarshalJSON(raw []byte) error {
	*x = Number{}
	if len(raw) >= 2 && raw[0] == '"' {
		raw = raw[1 : len(raw)-1]
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		*x = Number{n, true}
	} else if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		*x = Number{int64(f), true}
	}
	return nil
}

type position struct {
	Line      Number `json:"line"`
	Character Number `json:"character"`
}

type Range struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// Get returns the range; it reports false when a number is missing or out of bounds. A column too large to be one means
// the end of the line, as the protocol says.
func (r Range) Get() (protocol.Range, bool) {
	ok := true
	position := func(p position) protocol.Position {
		ok = ok && p.Line.OK && p.Character.OK && p.Line.N >= 0 && p.Line.N <= math.MaxInt32 && p.Character.N >= 0
		return protocol.Position{Line: uint32(p.Line.N), Character: uint32(min(p.Character.N, math.MaxInt32))}
	}
	out := protocol.Range{Start: position(r.Start), End: position(r.End)}
	return out, ok
}

// Set reports whether the range was there at all.
func (r Range) Set() bool {
	return r.Start.Line.OK || r.Start.Character.OK || r.End.Line.OK || r.End.Character.OK
}

// Locations are places: a Location, a list of Location, a list of LocationLink, or a list of both. Of a link it is the
// name that counts. They are sorted, each once.
type Locations struct {
	List       []Location
	Lost       Losses
	Incomplete string // why it may not be all, "" when it is
	Note       string // what else is to be said

	Declared []Location // the definition of what was asked about, as far as it was asked for
}

func (l *Locations) FromWire(raw json.RawMessage) error {
	if list, ok := plainPlaces(raw); ok {
		l.List = SortLocations(oneName(list))
		return nil
	}
	return l.lenient(raw)
}

// oneName writes the URI of each file in our way, for servers differ in what they escape.
func oneName(list []Location) []Location {
	ours := map[string]string{}
	for i, p := range list {
		uri, ok := ours[p.URI]
		if !ok {
			uri = p.URI
			if abs, ok := source.PathOf(p.URI); ok {
				uri = source.FileURI(abs)
			}
			ours[p.URI] = uri
		}
		list[i].URI = uri
	}
	return list
}

// lenient reads places that are not quite as the protocol says.
func (l *Locations) lenient(raw json.RawMessage) error {
	type wirePlace struct {
		URI                  string `json:"uri"`
		Range                Range  `json:"range"`
		TargetURI            string `json:"targetUri"`
		TargetRange          Range  `json:"targetRange"`
		TargetSelectionRange Range  `json:"targetSelectionRange"`
	}
	list, err := elements[wirePlace](raw, "places")
	if err != nil {
		return err
	}
	l.List = make([]Location, 0, len(list))
	for _, w := range list {
		uri, at := w.URI, w.Range
		if uri == "" {
			uri, at = w.TargetURI, w.TargetSelectionRange
			if !at.Set() {
				at = w.TargetRange
			}
		}
		r, ok := at.Get()
		if uri == "" || !ok {
			l.Lost.Add("a place without a file or a range (uri %q)", uri)
			continue
		}
		l.List = append(l.List, Location{uri, r})
	}
	l.List = SortLocations(oneName(l.List))
	return l.Lost.all(len(l.List))
}

// Symbol is a DocumentSymbol, a SymbolInformation (the protocol's deprecated form, which some servers still give) or
// a WorkspaceSymbol, whose location may lack the range.
type Symbol struct {
	Name           string   `json:"name"`
	Detail         string   `json:"detail"`
	Kind           Number   `json:"kind"`
	ContainerName  string   `json:"containerName"`
	Range          Range    `json:"range"`
	SelectionRange Range    `json:"selectionRange"`
	Children       []Symbol `json:"children"`
	Location       struct {
		URI   string `json:"uri"`
		Range Range  `json:"range"`
	} `json:"location"`
}

// Symbols is a list of symbols in any of their forms.
type Symbols struct {
	List []Symbol
}

func (l *Symbols) FromWire(raw json.RawMessage) error {
	if Kind(raw) == '{' {
		return fmt.Errorf("a list of symbols expected, got %s", excerpt.Clip(string(raw), 100))
	}
	var err error
	l.List, err = elements[Symbol](raw, "a list of symbols")
	if err == nil && len(l.List) > 0 && !slices.ContainsFunc(l.List, func(s Symbol) bool { return s.Name != "" }) {
		err = errors.New("no symbol of the list has a name")
	}
	return err
}

// InitializeResult is the answer of the handshake.
type InitializeResult struct {
	Capabilities Capabilities
	Version      string // of the server, "" when it does not say
}

func (r *InitializeResult) FromWire(raw json.RawMessage) error {
	var w struct {
		Capabilities Capabilities `json:"capabilities"`
		ServerInfo   struct {
			Version string `json:"version"`
		} `json:"serverInfo"`
	}
	if Kind(raw) != '{' {
		return fmt.Errorf("an object with capabilities expected, got %s", excerpt.Clip(string(raw), 100))
	}
	if err := Unmarshal(raw, &w); err != nil {
		return err
	}
	if w.Capabilities == nil {
		return errors.New("no capabilities in the answer")
	}
	r.Capabilities, r.Version = w.Capabilities, w.ServerInfo.Version
	return nil
}
