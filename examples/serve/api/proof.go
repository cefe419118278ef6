package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/skill/evidence"
)

const (
	maxSealed  = 16 << 20  // bytes of an answer file
	maxBundle  = 256 << 20 // of a bundle, which is made in memory
	maxMarks   = 2000      // texts of one call
	maxCited   = 50        // places of one sentence
	maxProving = 2         // PDFs and bundles that are made at once
	pieceSize  = 256 << 10 // bytes of an event
)

// Proof is what marks PDFs and writes bundles, which this package does not link itself: [github.com/findspot/findspot/examples/serve/proving] has it.
type Proof struct {
	// Mark writes a copy of a PDF with marks, and nothing where there is nothing to mark. Errors say why a file is not marked.
	Mark func(ctx context.Context, out io.Writer, r MarkRequest) (*MarkReport, error)
	// Bundle writes the proof of an answer that holds as a ZIP archive of at most so many bytes, before it is packed. What it returns has the fields of the message Bundle in its JSON.
	Bundle func(ctx context.Context, out io.Writer, a *evidence.Answer, src BundleSources, o evidence.VerifyOptions, most int64) (any, error)
}

// A MarkRequest is a PDF with what is to be marked in it.
type MarkRequest struct {
	PDF    io.ReaderAt
	Size   int64
	SHA256 string           // hex, of the file
	Texts  []string         // wherever they stand
	Answer *evidence.Answer // everything that it cites of the file; nil: nothing
}

// A MarkReport says where marks are.
type MarkReport struct {
	Pages    int                   `json:"pages"`
	Original int64                 `json:"original"` // bytes of the file before the marks; 0 when nothing was written
	Marks    []findspot.MarkedText `json:"marks"`
}

// BundleSources give the texts and files that an answer cites.
type BundleSources interface {
	evidence.Describer
	Original(ctx context.Context, at evidence.Place) ([]byte, error)
}

// Copy is what the tool mark_pdf needs, see [findspot.MarkOptions]: a marked copy, which keep is given with the name of the document's file, and says where it is then.
func (p *Proof) Copy(ctx context.Context, r findspot.MarkRequest, keep func(name string, pdf []byte) (where string, err error)) (*findspot.MarkedPDF, error) {
	in := MarkRequest{PDF: bytes.NewReader(r.PDF), Size: int64(len(r.PDF)), Texts: r.Texts}
	if r.Answer != nil && len(r.Answer.Items) > 0 {
		sum := sha256.Sum256(r.PDF)
		in.Answer, in.SHA256 = r.Answer, hex.EncodeToString(sum[:])
	}
	var b bytes.Buffer
	rep, err := p.Mark(ctx, &b, in)
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", r.Doc.Name, err)
	}
	out := &findspot.MarkedPDF{Marks: rep.Marks}
	if rep.Original > 0 {
		out.Where, err = keep(path.Base(r.Doc.Name), b.Bytes())
	}
	return out, err
}

// errNoProof is of a server that was made without a Proof.
var errNoProof = connect.NewError(connect.CodeUnimplemented, errors.New("this server marks no PDFs and writes no bundles: its program links nothing that does"))

// proofs has the methods that prove answers.
type proofs struct{ *Service }

// sealed reads an answer as a client sends it.
func sealed(m *structpb.Struct) (*evidence.Answer, error) {
	if m == nil {
		return nil, invalid(`"answer" is missing: give a sealed answer, as its file has it`)
	}
	data, err := m.MarshalJSON()
	if err != nil {
		return nil, invalid(`"answer": %v`, err)
	}
	a, err := evidence.ReadAnswer(bytes.NewReader(data))
	return a, asked(err)
}

// asTree is an answer as JSON has it; nil for none.
func asTree(a *evidence.Answer) *structpb.Struct {
	if a == nil {
		return nil
	}
	return message.Plain(a, false).GetStructValue() // what it has of sources is masked, and its hash is of that
}

func (h proofs) VerifyAnswer(ctx context.Context, r *v1.VerifyAnswerRequest) (*v1.AnswerVerdict, error) {
	switch {
	case r.Answer != nil && r.Text != "":
		return nil, invalid(`give "answer" or "text", not both`)
	case r.Answer == nil && strings.TrimSpace(r.Text) == "":
		return nil, invalid(`give "answer", a sealed one, or "text", whose sentences cite keys`)
	case r.Answer == nil:
		o := &findspot.VerifyTextOptions{Keys: r.Keys, Places: map[string]evidence.Place{}}
		for key, p := range r.Places {
			o.Places[key] = place(p)
		}
		rep, err := h.ws.VerifyText(ctx, r.Text, o)
		if err != nil {
			return nil, asked(err)
		}
		if rep, err = h.withoutPaths(ctx, rep); err != nil {
			return nil, err
		}
		return message.Fill[v1.AnswerVerdict](rep, h.mask()), nil
	}
	a, err := sealed(r.Answer)
	if err != nil {
		return nil, err
	}
	o := &evidence.VerifyOptions{Derived: r.AllowDerived, Places: r.PlacesOnly, NoMeaning: true}
	rep, err := a.Verify(ctx, h.ws, o)
	if err != nil {
		return nil, asked(err)
	}
	o.NoMeaning = false
	text, err := a.CheckText(ctx, h.ws, o)
	if err != nil {
		return nil, asked(err)
	}
	if text, err = h.withoutPaths(ctx, text); err != nil {
		return nil, err
	}
	hide, err := h.hidden(ctx, placesOf(a))
	if err != nil {
		return nil, err
	}
	for i := range rep.Findings {
		rep.Findings[i].Reason = hide.Replace(rep.Findings[i].Reason)
	}
	out := message.Fill[v1.AnswerVerdict](text, h.mask())
	out.Findings = message.Each[v1.Finding](rep.Findings, h.mask())
	out.Holds = out.Holds && rep.Holds
	return out, nil
}

func place(p *v1.Place) evidence.Place {
	return evidence.Place{Doc: p.GetDoc(), Name: p.GetName(), Title: p.GetTitle(), Page: int(p.GetPage()), Repo: p.GetRepo(), Path: p.GetPath(), Line: int(p.GetLine()),
		EndLine: int(p.GetEndLine()), Start: int(p.GetStart()), End: int(p.GetEnd()), Entity: p.GetEntity()}
}

func (h proofs) Cite(ctx context.Context, r *v1.CiteRequest) (*v1.Cited, error) {
	limit, err := within("limit", r.Limit, maxCited)
	switch {
	case err != nil:
		return nil, err
	case strings.TrimSpace(r.Sentence) == "":
		return nil, invalid(`"sentence" is empty`)
	}
	cited, err := h.ws.Cite(ctx, r.Sentence, &findspot.CiteOptions{Collections: r.Collections, Limit: limit})
	if err != nil {
		return nil, err
	}
	return message.Fill[v1.Cited](cited, h.mask()), nil
}

func (h proofs) Recheck(ctx context.Context, r *v1.RecheckRequest) (*v1.RecheckResult, error) {
	a, err := sealed(r.Answer)
	if err != nil {
		return nil, err
	}
	rep, err := h.ws.Recheck(ctx, a, &findspot.RecheckOptions{Derived: r.AllowDerived, Judge: evidence.JudgeChanged})
	if err != nil {
		return nil, asked(err)
	}
	hide, err := h.hidden(ctx, placesOf(a))
	if err != nil {
		return nil, err
	}
	for i := range rep.Problems {
		rep.Problems[i] = hide.Replace(rep.Problems[i])
	}
	for i := range rep.Items {
		rep.Items[i].Note = hide.Replace(rep.Items[i].Note)
	}
	for i := range rep.Sentences {
		rep.Sentences[i].Reason = hide.Replace(rep.Sentences[i].Reason)
	}
	out := message.Fill[v1.RecheckResult](rep, h.mask())
	out.Updated = asTree(rep.Updated)
	return out, nil
}

// withoutPaths is a check that tells nothing of where files are on the host.
func (h proofs) withoutPaths(ctx context.Context, c *evidence.TextCheck) (*evidence.TextCheck, error) {
	var at []evidence.Place
	for _, k := range c.Keys {
		at = append(at, k.At)
	}
	hide, err := h.hidden(ctx, at)
	if err != nil {
		return nil, err
	}
	for i := range c.Sentences {
		for j, p := range c.Sentences[i].Problems {
			c.Sentences[i].Problems[j] = hide.Replace(p)
		}
	}
	for i := range c.Keys {
		c.Keys[i].Problem = hide.Replace(c.Keys[i].Problem)
	}
	return c, nil
}

func placesOf(a *evidence.Answer) (out []evidence.Place) {
	for _, it := range a.Items {
		out = append(out, it.At)
	}
	return out
}

// hidden puts the names that clients know in the place of the paths of documents and repositories. It is an error where these cannot be known.
func (h proofs) hidden(ctx context.Context, at []evidence.Place) (*strings.Replacer, error) {
	var pairs []string
	if lib, err := h.ws.Docs(ctx); err == nil { // without it no document's path is known
		seen := map[string]bool{}
		for _, p := range at {
			if p.Doc == "" || seen[p.Doc] {
				continue
			}
			seen[p.Doc] = true
			if d, err := lib.Resolve(ctx, p.Doc); err == nil && filepath.IsAbs(d.Origin) {
				pairs = append(pairs, d.Origin, d.Name)
			}
		}
	}
	repos, err := h.ws.Repos()
	for _, r := range repos {
		pairs = append(pairs, r.Root, filepath.Base(r.Root))
	}
	return strings.NewReplacer(pairs...), err
}

// proving waits for a place among those that make PDFs and bundles, which are held in memory.
func (h proofs) proving(ctx context.Context) (done func(), err error) {
	select {
	case h.places <- struct{}{}:
		return func() { <-h.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (h proofs) MarkDocument(ctx context.Context, r *v1.MarkDocumentRequest, to *connect.ServerStream[v1.MarkEvent]) error {
	var a *evidence.Answer
	var err error
	switch {
	case h.opt.Proof == nil:
		return errNoProof
	case (len(r.Texts) == 0) == (r.Answer == nil):
		return invalid(`give "texts" to mark, or "answer", a sealed one`)
	case len(r.Texts) > maxMarks:
		return invalid(`"texts": %d, at most %d`, len(r.Texts), maxMarks)
	case r.Answer != nil:
		if a, err = sealed(r.Answer); err != nil {
			return err
		}
	}
	_, doc, err := h.docs.document(ctx, r.Doc)
	if err != nil {
		return err
	}
	done, rep, data, err := h.marked(ctx, doc, r.Texts, a)
	if err != nil {
		return err
	}
	defer done()
	out := message.Fill[v1.MarkedDocument](rep, h.mask())
	out.Doc, out.Name, out.Sha256, out.Size = doc.ID, message.Text(doc.Name, h.mask()), doc.Hash, float64(len(data))
	if err := inPieces(data, func(b []byte) error { return to.Send(&v1.MarkEvent{Event: &v1.MarkEvent_Data{Data: b}}) }); err != nil {
		return err
	}
	return to.Send(&v1.MarkEvent{Event: &v1.MarkEvent_Done{Done: out}})
}

// marked makes a copy of a document's PDF with marks. done gives its place back, once the copy is sent.
func (h proofs) marked(ctx context.Context, doc *docsearch.Document, texts []string, a *evidence.Answer) (done func(), rep *MarkReport, data []byte, err error) {
	if ending(doc.Origin) != ".pdf" {
		return nil, nil, nil, fmt.Errorf("document %s: %w: only PDFs are marked", doc.Name, findspot.ErrUnsupported)
	}
	leave, err := h.proving(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() {
		if err != nil {
			leave()
		}
	}()
	f, err := h.docs.original(doc)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close() // read only
	var b bytes.Buffer
	if rep, err = h.opt.Proof.Mark(ctx, &b, MarkRequest{PDF: f, Size: doc.Size, SHA256: doc.Hash, Texts: texts, Answer: a}); err != nil {
		return nil, nil, nil, asked(fmt.Errorf("document %s: %w", doc.Name, err))
	}
	return leave, rep, b.Bytes(), nil
}

// inPieces sends bytes in events.
func inPieces(data []byte, send func([]byte) error) error {
	for len(data) > 0 {
		n := min(len(data), pieceSize)
		if err := send(data[:n]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

func (h proofs) WriteBundle(ctx context.Context, r *v1.WriteBundleRequest, to *connect.ServerStream[v1.BundleEvent]) error {
	if h.opt.Proof == nil {
		return errNoProof
	}
	a, err := sealed(r.Answer)
	if err != nil {
		return err
	}
	done, err := h.proving(ctx)
	if err != nil {
		return err
	}
	defer done()
	out := eventWriter(func(b []byte) error { return to.Send(&v1.BundleEvent{Event: &v1.BundleEvent_Data{Data: b}}) })
	b, err := h.bundle(ctx, out, a, evidence.VerifyOptions{Derived: r.AllowDerived, Places: r.PlacesOnly})
	if err != nil {
		return err
	}
	return to.Send(&v1.BundleEvent{Event: &v1.BundleEvent_Done{Done: message.Fill[v1.Bundle](b, h.mask())}})
}

// bundle writes the proof of an answer.
func (h proofs) bundle(ctx context.Context, out io.Writer, a *evidence.Answer, o evidence.VerifyOptions) (any, error) {
	rep, err := a.Verify(ctx, h.ws, &o)
	if err != nil {
		return nil, asked(err)
	}
	if bad := rep.Err(); bad != nil {
		hide, err := h.hidden(ctx, placesOf(a))
		if err != nil {
			return nil, err
		}
		return nil, connect.NewError(connect.CodeFailedPrecondition, fmt.Errorf("the answer does not hold: %s", hide.Replace(bad.Error())))
	}
	o.NoMeaning = true // it was judged
	b, err := h.opt.Proof.Bundle(ctx, out, a, originalsOf(h), o, maxBundle)
	return b, asked(err)
}

// originalsOf are the sources of a workspace whose files clients may have.
type originalsOf struct{ *Service }

func (s originalsOf) Text(ctx context.Context, at evidence.Place) (string, error) {
	return s.ws.Text(ctx, at)
}

func (s originalsOf) Describe(ctx context.Context, at evidence.Place) (file, reader string, err error) {
	return s.ws.Describe(ctx, at)
}

func (s originalsOf) Original(ctx context.Context, at evidence.Place) ([]byte, error) {
	_, doc, err := s.docs.document(ctx, at.Doc)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(doc.Origin) || docsearch.IsJSONLines(doc.Origin) {
		return nil, fmt.Errorf("document %s: %w: there is no file of it", doc.Name, findspot.ErrNotFound)
	}
	f, err := s.docs.original(doc)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return io.ReadAll(io.LimitReader(f, doc.Size))
}

// An eventWriter sends what is written, in events of a good size.
type eventWriter func([]byte) error

func (w eventWriter) Write(p []byte) (int, error) {
	if err := inPieces(p, w); err != nil {
		return 0, err
	}
	return len(p), nil
}
