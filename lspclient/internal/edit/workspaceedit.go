package edit

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

const (
	// maxEdits bounds the edits of one preview.
	maxEdits = 200_000
	// maxEditText bounds the texts of all its edits together, in bytes.
	maxEditText = 128 << 20
)

// WorkspaceEdit is an answer of edits: of texts with their versions and of whole files (documentChanges), or in the
// protocol's older form only of texts (changes). Where a server gives both, documentChanges count.
type WorkspaceEdit struct {
	Changes []fileChange
	Lost    wire.Losses
	Raw     string
}

// fileChange is the edits of one file, or an operation on one.
type fileChange struct {
	uri     string
	version wire.Number // not ok when the server does not say
	edits   []textEdit
	op      *FileOperation // with URIs for paths
}

type textEdit struct {
	at      protocol.Range
	text    string
	label   string
	confirm bool
}

func (e *WorkspaceEdit) FromWire(raw json.RawMessage) error {
	type wireEdit struct {
		Range      wire.Range `json:"range"`
		NewText    *string    `json:"newText"`
		Annotation string     `json:"annotationId"`
	}
	var w struct {
		Changes         map[string][]wireEdit `json:"changes"`
		DocumentChanges []struct {
			Kind         string `json:"kind"`
			URI          string `json:"uri"`
			OldURI       string `json:"oldUri"`
			NewURI       string `json:"newUri"`
			Annotation   string `json:"annotationId"`
			TextDocument struct {
				URI     string      `json:"uri"`
				Version wire.Number `json:"version"`
			} `json:"textDocument"`
			Edits []wireEdit `json:"edits"`
		} `json:"documentChanges"`
		Annotations map[string]struct {
			Label   string `json:"label"`
			Confirm bool   `json:"needsConfirmation"`
		} `json:"changeAnnotations"`
	}
	switch wire.Kind(raw) {
	case 'n':
		return nil
	case '{':
	default:
		return fmt.Errorf("a workspace edit expected, got %s", excerpt.Clip(string(raw), 100))
	}
	// An edit that is left out would leave the program broken, so that here all must be well.
	if err := json.Unmarshal(raw, &w); err != nil {
		return err
	}
	e.Raw = string(raw)
	total, size := 0, 0
	take := func(uri string, version wire.Number, list []wireEdit) error {
		c := fileChange{uri: uri, version: version}
		for _, one := range list {
			at, ok := one.Range.Get()
			if !ok || one.NewText == nil || uri == "" {
				return fmt.Errorf("an edit of %q without a range, a text or a file", excerpt.Clip(uri, 200))
			}
			if total, size = total+1, size+len(*one.NewText); total > maxEdits || size > maxEditText {
				return fmt.Errorf("more than %d edits or %d bytes: %w", maxEdits, maxEditText, errs.TooLarge)
			}
			a := w.Annotations[one.Annotation]
			c.edits = append(c.edits, textEdit{at, *one.NewText, excerpt.Clip(a.Label, 200), a.Confirm})
		}
		e.Changes = append(e.Changes, c)
		return nil
	}
	for _, d := range w.DocumentChanges {
		a := w.Annotations[d.Annotation]
		switch d.Kind {
		case "":
			if err := take(d.TextDocument.URI, d.TextDocument.Version, d.Edits); err != nil {
				return err
			}
		case "create", "delete":
			e.Changes = append(e.Changes, fileChange{op: &FileOperation{Kind: d.Kind, Path: d.URI, Label: excerpt.Clip(a.Label, 200), Confirm: a.Confirm}})
		case "rename":
			e.Changes = append(e.Changes, fileChange{op: &FileOperation{Kind: d.Kind, Path: d.OldURI, To: d.NewURI, Label: excerpt.Clip(a.Label, 200), Confirm: a.Confirm}})
		default:
			return fmt.Errorf("a change of kind %q", excerpt.Clip(d.Kind, 40))
		}
	}
	if len(w.DocumentChanges) > 0 {
		return nil
	}
	uris := make([]string, 0, len(w.Changes))
	for uri := range w.Changes {
		uris = append(uris, uri)
	}
	slices.Sort(uris)
	for _, uri := range uris {
		if err := take(uri, wire.Number{}, w.Changes[uri]); err != nil {
			return err
		}
	}
	return nil
}
