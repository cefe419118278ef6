package crash

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// Key names an input: a method and what it was asked, as a digest. For a document it is didOpen and the URI.
type Key struct {
	Method string
	digest [sha256.Size]byte
}

// RequestKey is the key of a request.
func RequestKey(method string, params json.RawMessage) Key {
	return Key{method, sha256.Sum256(params)}
}

// DocumentKey is the key of the document of a file.
func DocumentKey(abs string) Key {
	return Key{protocol.MethodTextDocumentDidOpen, sha256.Sum256([]byte(source.FileURI(abs)))}
}

// Input is an input as it is now.
type Input struct {
	Key   Key
	About About
	Abs   string // the file that it is about, "" for none
	state state
}

// state is what an input must still be for its record to count.
type state struct {
	text   [sha256.Size]byte  // digest of the document's text, or zero
	folder *filetree.Snapshot // for a request about no document: the files at that time
	build  string             // of the server
}

// Describer describes what one process of a server is sent.
type Describer struct {
	Build    string                                                                // tells one build of the server from another
	Relative func(abs string) string                                               // the path for callers
	Snapshot func() *filetree.Snapshot                                             // the files that the server was told of
	Text     func(abs string) *source.Text                                         // of an open document, nil when it is not open
	Place    func(text *source.Text, p protocol.Position) (line, col int, ok bool) // of a position of the server
}

// Request describes a request.
func (d Describer) Request(method string, params json.RawMessage) Input {
	in := Input{Key: RequestKey(method, params), About: About{Method: method}, state: state{build: d.Build}}
	type document struct {
		URI string `json:"uri"`
	}
	var p struct {
		TextDocument document `json:"textDocument"`
		Item         document `json:"item"`
		Position     *struct {
			Line      uint32 `json:"line"`
			Character uint32 `json:"character"`
		} `json:"position"`
		Query string `json:"query"`
	}
	if json.Unmarshal(params, &p) != nil {
		return in
	}
	in.About.Query = excerpt.Clip(p.Query, 200)
	uri := cmp.Or(p.TextDocument.URI, p.Item.URI)
	path, ok := source.PathOf(uri)
	if uri == "" || !ok {
		in.state.folder = d.Snapshot()
		return in
	}
	in.About.Path, in.Abs = d.Relative(path), path
	if text := d.Text(path); text != nil {
		in.state.text = text.Digest()
		if p.Position != nil {
			in.About.Line, in.About.Col, _ = d.Place(text, protocol.Position(*p.Position))
		}
	}
	return in
}

// Document describes a document that is shown.
func (d Describer) Document(path string, text *source.Text) Input {
	return Input{
		Key: DocumentKey(path), Abs: path, state: state{text: text.Digest(), build: d.Build},
		About: About{Method: protocol.MethodTextDocumentDidOpen, Path: d.Relative(path)},
	}
}

// document is the document that a request is about.
func (in Input) document() Input {
	in.state.folder = nil
	return Input{
		Key: DocumentKey(in.Abs), Abs: in.Abs, state: in.state,
		About: About{Method: protocol.MethodTextDocumentDidOpen, Path: in.About.Path},
	}
}

// AsDocument is a request that stands for the document it is about.
func (in Input) AsDocument() Input {
	in.Key, in.About.Method = DocumentKey(in.Abs), protocol.MethodTextDocumentDidOpen
	return in
}

// Compare orders inputs, so that equal ones come together.
func Compare(a, b Input) int {
	return cmp.Or(cmp.Compare(string(a.Key.digest[:]), string(b.Key.digest[:])), cmp.Compare(a.Key.Method, b.Key.Method))
}
