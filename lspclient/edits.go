package lspclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"go.lsp.dev/protocol"
)

const (
	// maxEdits bounds the edits of one preview.
	maxEdits = 200_000
	// maxEditText bounds the texts of all its edits together, in bytes.
	maxEditText = 128 << 20
)

// workspaceEdit is an answer of edits: of texts with their versions and of whole files (documentChanges), or in the
// protocol's older form only of texts (changes). Where a server gives both, documentChanges count.
type workspaceEdit struct {
	changes []fileChange
	lost    wire.Losses
	raw     string
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

func (e *workspaceEdit) FromWire(raw json.RawMessage) error {
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
	e.raw = string(raw)
	total, size := 0, 0
	take := func(uri string, version wire.Number, list []wireEdit) error {
		c := fileChange{uri: uri, version: version}
		for _, one := range list {
			at, ok := one.Range.Get()
			if !ok || one.NewText == nil || uri == "" {
				return fmt.Errorf("an edit of %q without a range, a text or a file", excerpt.Clip(uri, 200))
			}
			if total, size = total+1, size+len(*one.NewText); total > maxEdits || size > maxEditText {
				return fmt.Errorf("more than %d edits or %d bytes: %w", maxEdits, maxEditText, ErrTooLarge)
			}
			a := w.Annotations[one.Annotation]
			c.edits = append(c.edits, textEdit{at, *one.NewText, excerpt.Clip(a.Label, 200), a.Confirm})
		}
		e.changes = append(e.changes, c)
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
			e.changes = append(e.changes, fileChange{op: &FileOperation{Kind: d.Kind, Path: d.URI, Label: excerpt.Clip(a.Label, 200), Confirm: a.Confirm}})
		case "rename":
			e.changes = append(e.changes, fileChange{op: &FileOperation{Kind: d.Kind, Path: d.OldURI, To: d.NewURI, Label: excerpt.Clip(a.Label, 200), Confirm: a.Confirm}})
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

// preview turns a server's edits into ours, and checks them.
type preview struct {
	pool       *session.Pool
	conv       *session.Converter
	versions   map[string]int64  // of the open documents, by path
	moved      map[string]string // where a file is now that the server names as it will be, by path
	operations []FileOperation
	byFile     map[string][]Edit // by absolute path
}

// edits takes the changes in their order.
func (p *preview) edits(w workspaceEdit) error {
	for _, c := range w.changes {
		if c.op != nil {
			if err := p.operation(*c.op); err != nil {
				return err
			}
			continue
		}
		abs, err := p.inRoot(c.uri)
		if err != nil {
			return err
		}
		if now := p.moved[abs]; now != "" {
			abs = now
		}
		rel := p.pool.Tree.Relative(abs)
		// Some servers number the texts that they have read from disk 0.
		if v, open := p.versions[abs]; c.version.OK && (open && c.version.N != v || !open && c.version.N != 0) {
			return fmt.Errorf("edits of version %d of %s, where the server was shown %s: %w", c.version.N, rel, shownVersion(v, open), ErrStale)
		}
		text := p.conv.Text(abs)
		if text == nil {
			return fmt.Errorf("%w: edits of %s, which cannot be read", ErrFormat, rel)
		}
		for _, e := range c.edits {
			loc, ok := p.conv.RangeIn(text, e.at)
			if !ok {
				return fmt.Errorf("%w: an edit at %s:%d:%d, where no such place is", ErrFormat, rel, e.at.Start.Line+1, e.at.Start.Character+1)
			}
			loc.Path = rel
			p.byFile[abs] = append(p.byFile[abs], smallest(text, Edit{Location: loc, New: e.text, Label: e.label, Confirm: e.confirm})...)
		}
	}
	return nil
}

func shownVersion(v int64, open bool) string {
	if !open {
		return "none"
	}
	return fmt.Sprint(v)
}

// operation notes what the server wants done to a file.
func (p *preview) operation(op FileOperation) error {
	abs, err := p.inRoot(op.Path)
	if err != nil {
		return err
	}
	op.Path = p.pool.Tree.Relative(abs)
	if op.Kind == "rename" {
		to, err := p.inRoot(op.To)
		if err != nil {
			return err
		}
		op.To = p.pool.Tree.Relative(to)
		if now := p.moved[abs]; now != "" {
			abs = now
		}
		p.moved[to] = abs
	}
	p.operations = append(p.operations, op)
	return nil
}

// files returns the edits by file and the diff, with so many unchanged lines around a change.
func (p *preview) files(around int) ([]FileEdits, string, error) {
	out := []FileEdits{}
	texts := map[string]*source.Text{}
	for abs, edits := range p.byFile {
		rel := p.pool.Tree.Relative(abs)
		slices.SortStableFunc(edits, func(a, b Edit) int { return place.Compare(a.Location, b.Location) })
		edits = slices.Compact(edits) // a server may name a place twice, by two ways to it
		for i := 1; i < len(edits); i++ {
			a, b := edits[i-1], edits[i]
			if a.Location.Overlaps(b.Location) || a.Location == b.Location {
				return nil, "", fmt.Errorf("%w: two edits overlap at %s:%d:%d", ErrFormat, rel, b.Location.Line, b.Location.Col)
			}
		}
		if len(edits) > 0 {
			out = append(out, FileEdits{rel, edits})
			texts[rel] = p.conv.Text(abs)
			if texts[rel] == nil {
				return nil, "", fmt.Errorf("%s: %w", rel, ErrNotFound)
			}
		}
	}
	slices.SortFunc(out, func(a, b FileEdits) int { return strings.Compare(a.Path, b.Path) })
	var diff bytes.Buffer
	for _, f := range out {
		if err := writeDiff(&diff, f, texts[f.Path], around); err != nil {
			return nil, "", err
		}
	}
	return out, diff.String(), nil
}

// smallest splits an edit into the changes it makes: some servers replace the whole file, or the lines from the first
// change to the last. An edit that changes nothing is none.
func smallest(text *source.Text, e Edit) []Edit {
	from, to := text.Offset(e.Location.Line, e.Location.Col), text.Offset(e.Location.EndLine, e.Location.EndCol)
	e.Old = string(text.Bytes[from:to])
	if e.Old == e.New {
		return nil
	}
	if !strings.Contains(e.Old, "\n") && len(e.Old) < 200 {
		return []Edit{e}
	}
	olds, news := strings.SplitAfter(e.Old, "\n"), strings.SplitAfter(e.New, "\n")
	if len(olds) != len(news) { // not line by line: what is the same at both ends is left out
		head := 0
		for head < min(len(olds), len(news)) && olds[head] == news[head] {
			head++
		}
		tail := 0
		for tail < min(len(olds), len(news))-head && olds[len(olds)-1-tail] == news[len(news)-1-tail] {
			tail++
		}
		at := from + len(strings.Join(olds[:head], ""))
		old := strings.Join(olds[head:len(olds)-tail], "")
		return []Edit{editOf(text, e, at, old, strings.Join(news[head:len(news)-tail], ""))}
	}
	var out []Edit
	at := from
	for i, old := range olds {
		for _, part := range wordChanges(old, news[i]) {
			out = append(out, editOf(text, e, at+part.at, old[part.at:part.at+part.n], part.text))
		}
		at += len(old)
	}
	return out
}

// wordChange replaces n bytes by a text.
type wordChange struct {
	at, n int
	text  string
}

// wordChanges compares two lines word by word, where a word is an identifier or any other character. Lines that have not
// the same number of words differ in all between their first and last difference.
func wordChanges(a, b string) []wordChange {
	if a == b {
		return nil
	}
	as, bs := words(a), words(b)
	var out []wordChange
	if len(as) == len(bs) {
		at := 0
		for i := range as {
			if as[i] != bs[i] {
				out = append(out, wordChange{at, len(as[i]), bs[i]})
			}
			at += len(as[i])
		}
		return out
	}
	head := 0
	for head < min(len(as), len(bs)) && as[head] == bs[head] {
		head++
	}
	tail := 0
	for tail < min(len(as), len(bs))-head && as[len(as)-1-tail] == bs[len(bs)-1-tail] {
		tail++
	}
	at := len(strings.Join(as[:head], ""))
	return []wordChange{{at, len(strings.Join(as[head:len(as)-tail], "")), strings.Join(bs[head:len(bs)-tail], "")}}
}

func words(s string) []string {
	var out []string
	for at := 0; at < len(s); {
		start, end := source.NextIdent([]byte(s), at)
		if start < 0 {
			start, end = len(s), len(s)
		}
		for _, r := range s[at:start] {
			n := len(string(r))
			if r == '\uFFFD' {
				n = 1 // an invalid byte
			}
			out = append(out, s[at:at+n])
			at += n
		}
		if end > at {
			out = append(out, s[at:end])
		}
		at = end
	}
	return out
}

// edit returns an edit like e of the bytes from an offset on.
func editOf(c *source.Text, e Edit, at int, old, text string) Edit {
	e.Location.Line, e.Location.Col = c.Place(at)
	e.Location.EndLine, e.Location.EndCol = c.Place(at + len(old))
	e.Old, e.New = old, text
	return e
}

// apply returns the text with the edits, which must be sorted and apart.
func applyEdits(c *source.Text, edits []Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		from := c.Offset(e.Location.Line, e.Location.Col)
		out = append(append(out, c.Bytes[at:from]...), e.New...)
		at = c.Offset(e.Location.EndLine, e.Location.EndCol)
	}
	return append(out, c.Bytes[at:]...)
}

// writeDiff writes the unified diff of one file. Lines are those of the diff tools, which end in LF alone.
func writeDiff(w *bytes.Buffer, f FileEdits, text *source.Text, around int) error {
	type block struct{ from, to int } // lines of the old text that change, from 0, half-open
	lines := bytes.SplitAfter(text.Bytes, []byte{'\n'})
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l)
	}
	if len(lines[len(lines)-1]) == 0 { // the text ends in LF
		lines = lines[:len(lines)-1]
	}
	lineOf := func(offset int) int {
		i, found := slices.BinarySearch(starts[:max(1, len(lines))], offset)
		if !found {
			i--
		}
		return i
	}
	var blocks []block
	var grouped [][]Edit
	for _, e := range f.Edits {
		from := text.Offset(e.Location.Line, e.Location.Col)
		to := text.Offset(e.Location.EndLine, e.Location.EndCol)
		b := block{lineOf(from), min(lineOf(max(from, to-1))+1, len(lines))}
		if to > from && text.Bytes[to-1] == '\n' && !strings.HasSuffix(e.New, "\n") && to < len(text.Bytes) {
			b.to = min(b.to+1, len(lines)) // the next line is joined
		}
		if n := len(blocks); n > 0 && b.from <= blocks[n-1].to {
			blocks[n-1].to = max(blocks[n-1].to, b.to)
			grouped[n-1] = append(grouped[n-1], e)
			continue
		}
		blocks, grouped = append(blocks, b), append(grouped, []Edit{e})
	}
	fmt.Fprintf(w, "--- %s\n+++ %s\n", diffName("a/"+f.Path), diffName("b/"+f.Path))
	moved := 0 // how many lines the text has grown so far
	for i := 0; i < len(blocks); {
		last := i // the last block of the hunk
		for last+1 < len(blocks) && blocks[last+1].from-blocks[last].to <= 2*around {
			last++
		}
		from, to := max(0, blocks[i].from-around), min(len(lines), blocks[last].to+around)
		var body bytes.Buffer
		added, at := 0, from
		put := func(sign byte, n int, line []byte) {
			body.WriteByte(sign)
			if n == 0 && text.BOM { // the tools know no mark, and compare bytes
				body.WriteString("\ufeff")
			}
			body.Write(line)
			if !bytes.HasSuffix(line, []byte{'\n'}) {
				body.WriteString("\n\\ No newline at end of file\n")
			}
		}
		for ; i <= last; i++ {
			b := blocks[i]
			for ; at < b.from; at++ {
				put(' ', at, lines[at])
			}
			for ; at < b.to; at++ {
				put('-', at, lines[at])
			}
			piece := source.NewText(text.Bytes[starts[b.from]:starts[b.to]])
			first, _ := text.Place(starts[b.from])
			shifted := slices.Clone(grouped[i])
			for j := range shifted {
				l := &shifted[j].Location
				l.Line, l.EndLine = l.Line-first+1, l.EndLine-first+1
			}
			fresh := bytes.SplitAfter(applyEdits(piece, shifted), []byte{'\n'})
			if len(fresh[len(fresh)-1]) == 0 {
				fresh = fresh[:len(fresh)-1]
			}
			for n, line := range fresh {
				put('+', b.from+n, line)
			}
			added += len(fresh) - (b.to - b.from)
		}
		for ; at < to; at++ {
			put(' ', at, lines[at])
		}
		fmt.Fprintf(w, "@@ -%s +%s @@\n", hunkRange(from, to-from), hunkRange(from+moved, to-from+added))
		w.Write(body.Bytes())
		moved += added
		if w.Len() > maxEditText {
			return errors.Join(ErrTooLarge, errors.New("the diff is too large"))
		}
	}
	return nil
}

// hunkRange writes lines counted from 0 as a diff does: from 1, and from the line before when there are none.
func hunkRange(from, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", from)
	}
	if n == 1 {
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, n)
}

// diffName quotes a path as git does when a plain one could be misread.
func diffName(path string) string {
	plain := !strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f })
	if plain {
		if strings.Contains(path, " ") {
			return path + "\t" // the tools end a name at a tab
		}
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}
