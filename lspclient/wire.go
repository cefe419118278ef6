package lspclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
)

// The forms in which answers are read. Servers differ from the protocol in small ways (one object where a list is meant,
// null for an empty list, a number in quotes, a field that is missing), and a list of a thousand places is not lost over
// one of them that is wrong. So a form takes what it can, and its owner checks what it took: an element that lacks what
// makes it useful is left out and counted in a losses. Only an answer that is of another kind altogether is an error.

// losses counts the elements of an answer that were left out.
type losses struct {
	n     int
	first string
}

func (l *losses) add(format string, args ...any) {
	if l.n++; l.n == 1 {
		l.first = excerpt.Clip(fmt.Sprintf(format, args...), 200)
	}
}

// String says what was left out, "" when nothing was.
func (l losses) String() string {
	switch l.n {
	case 0:
		return ""
	case 1:
		return "the answer held something malformed, which was left out: " + l.first
	}
	return fmt.Sprintf("the answer held %d malformed elements, which were left out; the first: %s", l.n, l.first)
}

// all is an error when something was left out and nothing is left.
func (l losses) all(left int) error {
	if left == 0 && l.n > 0 {
		return errors.New(l.first)
	}
	return nil
}

// kindOf returns what kind of JSON value raw is: 'n' for null or nothing, '{', '[', '"', 't' for a boolean, '0' for a
// number.
func kindOf(raw []byte) byte {
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

// lenient decodes JSON and leaves the fields zero whose values are of another type.
func lenient(raw []byte, into any) error {
	err := json.Unmarshal(raw, into)
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) {
		return nil
	}
	return err
}

// elements decodes a list, one object that stands for a list of one, or null.
func elements[T any](raw json.RawMessage, what string) ([]T, error) {
	switch kindOf(raw) {
	case 'n':
		return nil, nil
	case '{':
		one := make([]T, 1)
		return one, lenient(raw, &one[0])
	case '[':
		var list []T
		err := lenient(raw, &list)
		return list, err
	}
	return nil, fmt.Errorf("%s expected, got %s", what, excerpt.Clip(string(raw), 100))
}

// number is an integer, or one in quotes. It is not ok when it is missing, null or anything else.
type number struct {
	n  int64
	ok bool
}

// UnmarshalJSON never fails: what is no number is not ok.
func (x *number) UnmarshalJSON(raw []byte) error {
	*x = number{}
	if len(raw) >= 2 && raw[0] == '"' {
		raw = raw[1 : len(raw)-1]
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		*x = number{n, true}
	} else if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		*x = number{int64(f), true}
	}
	return nil
}

type wirePosition struct {
	Line      number `json:"line"`
	Character number `json:"character"`
}

type wireRange struct {
	Start wirePosition `json:"start"`
	End   wirePosition `json:"end"`
}

// get returns the range; it reports false when a number is missing or out of bounds. A column too large to be one means
// the end of the line, as the protocol says.
func (r wireRange) get() (protocol.Range, bool) {
	ok := true
	position := func(p wirePosition) protocol.Position {
		ok = ok && p.Line.ok && p.Character.ok && p.Line.n >= 0 && p.Line.n <= math.MaxInt32 && p.Character.n >= 0
		return protocol.Position{Line: uint32(p.Line.n), Character: uint32(min(p.Character.n, math.MaxInt32))}
	}
	out := protocol.Range{Start: position(r.Start), End: position(r.End)}
	return out, ok
}

// set reports whether the range was there at all.
func (r wireRange) set() bool {
	return r.Start.Line.ok || r.Start.Character.ok || r.End.Line.ok || r.End.Character.ok
}

// placeList are places: a Location, a list of Location, a list of LocationLink, or a list of both. Of a link it is the
// name that counts. They are sorted, each once.
type placeList struct {
	places []place
	lost   losses
	short  string // why it may not be all, "" when it is
	note   string // what else is to be said

	declared []place // the definition of what was asked about, as far as it was asked for
}

func (l *placeList) FromWire(raw json.RawMessage) error {
	if list, ok := plainPlaces(raw); ok {
		l.places = sortPlaces(oneName(list))
		return nil
	}
	return l.lenient(raw)
}

// oneName writes the URI of each file in our way, for servers differ in what they escape.
func oneName(list []place) []place {
	ours := map[string]string{}
	for i, p := range list {
		uri, ok := ours[p.uri]
		if !ok {
			uri = p.uri
			if abs, ok := source.PathOf(p.uri); ok {
				uri = source.FileURI(abs)
			}
			ours[p.uri] = uri
		}
		list[i].uri = uri
	}
	return list
}

// lenient reads places that are not quite as the protocol says.
func (l *placeList) lenient(raw json.RawMessage) error {
	type wirePlace struct {
		URI                  string    `json:"uri"`
		Range                wireRange `json:"range"`
		TargetURI            string    `json:"targetUri"`
		TargetRange          wireRange `json:"targetRange"`
		TargetSelectionRange wireRange `json:"targetSelectionRange"`
	}
	list, err := elements[wirePlace](raw, "places")
	if err != nil {
		return err
	}
	l.places = make([]place, 0, len(list))
	for _, w := range list {
		uri, at := w.URI, w.Range
		if uri == "" {
			uri, at = w.TargetURI, w.TargetSelectionRange
			if !at.set() {
				at = w.TargetRange
			}
		}
		r, ok := at.get()
		if uri == "" || !ok {
			l.lost.add("a place without a file or a range (uri %q)", uri)
			continue
		}
		l.places = append(l.places, place{uri, r})
	}
	l.places = sortPlaces(oneName(l.places))
	return l.lost.all(len(l.places))
}

// wireSymbol is a DocumentSymbol, a SymbolInformation (the protocol's deprecated form, which some servers still give) or
// a WorkspaceSymbol, whose location may lack the range.
type wireSymbol struct {
	Name           string       `json:"name"`
	Detail         string       `json:"detail"`
	Kind           number       `json:"kind"`
	ContainerName  string       `json:"containerName"`
	Range          wireRange    `json:"range"`
	SelectionRange wireRange    `json:"selectionRange"`
	Children       []wireSymbol `json:"children"`
	Location       struct {
		URI   string    `json:"uri"`
		Range wireRange `json:"range"`
	} `json:"location"`
}

// symbolList is a list of symbols in any of their forms.
type symbolList struct {
	symbols []wireSymbol
}

func (l *symbolList) FromWire(raw json.RawMessage) error {
	if kindOf(raw) == '{' {
		return fmt.Errorf("a list of symbols expected, got %s", excerpt.Clip(string(raw), 100))
	}
	var err error
	l.symbols, err = elements[wireSymbol](raw, "a list of symbols")
	if err == nil && len(l.symbols) > 0 && !slices.ContainsFunc(l.symbols, func(s wireSymbol) bool { return s.Name != "" }) {
		err = errors.New("no symbol of the list has a name")
	}
	return err
}

// initResult is the answer of the handshake.
type initResult struct {
	capabilities capabilities
	version      string // of the server, "" when it does not say
}

func (r *initResult) FromWire(raw json.RawMessage) error {
	var w struct {
		Capabilities capabilities `json:"capabilities"`
		ServerInfo   struct {
			Version string `json:"version"`
		} `json:"serverInfo"`
	}
	if kindOf(raw) != '{' {
		return fmt.Errorf("an object with capabilities expected, got %s", excerpt.Clip(string(raw), 100))
	}
	if err := lenient(raw, &w); err != nil {
		return err
	}
	if w.Capabilities == nil {
		return errors.New("no capabilities in the answer")
	}
	r.capabilities, r.version = w.Capabilities, w.ServerInfo.Version
	return nil
}
