package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/pdf/mark"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/proof"
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
		return message.Fill[v1.AnswerVerdict](h.withoutPaths(ctx, rep), h.mask()), nil
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
	hide := h.hidden(ctx, placesOf(a))
	for i := range rep.Findings {
		rep.Findings[i].Reason = hide.Replace(rep.Findings[i].Reason)
	}
	out := message.Fill[v1.AnswerVerdict](h.withoutPaths(ctx, text), h.mask())
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
	hide := h.hidden(ctx, placesOf(a))
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
func (h proofs) withoutPaths(ctx context.Context, c *evidence.TextCheck) *evidence.TextCheck {
	var at []evidence.Place
	for _, k := range c.Keys {
		at = append(at, k.At)
	}
	hide := h.hidden(ctx, at)
	for i := range c.Sentences {
		for j, p := range c.Sentences[i].Problems {
			c.Sentences[i].Problems[j] = hide.Replace(p)
		}
	}
	for i := range c.Keys {
		c.Keys[i].Problem = hide.Replace(c.Keys[i].Problem)
	}
	return c
}

func placesOf(a *evidence.Answer) (out []evidence.Place) {
	for _, it := range a.Items {
		out = append(out, it.At)
	}
	return out
}

// hidden puts the names that clients know in the place of the paths of documents and repositories.
func (h proofs) hidden(ctx context.Context, at []evidence.Place) *strings.Replacer {
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
	repos, _ := h.ws.Repos() // a closed workspace has none
	for _, r := range repos {
		pairs = append(pairs, r.Root, filepath.Base(r.Root))
	}
	return strings.NewReplacer(pairs...)
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
	var marks []mark.Mark
	for _, text := range r.Texts {
		marks = append(marks, mark.Mark{Text: text, All: true})
	}
	if a != nil {
		if marks, err = mark.OfAnswer(a, doc.Hash); err != nil {
			return fmt.Errorf("document %s: %w", doc.Name, err)
		}
	}
	done, rep, data, err := h.marked(ctx, doc, marks)
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
func (h proofs) marked(ctx context.Context, doc *docsearch.Document, marks []mark.Mark) (done func(), rep *mark.Report, data []byte, err error) {
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
	if rep, err = mark.Write(ctx, &b, f, doc.Size, marks, &mark.Options{Logger: h.log}); err != nil {
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
func (h proofs) bundle(ctx context.Context, out io.Writer, a *evidence.Answer, o evidence.VerifyOptions) (*proof.Bundle, error) {
	rep, err := a.Verify(ctx, h.ws, &o)
	if err != nil {
		return nil, asked(err)
	}
	if err := rep.Err(); err != nil {
		return nil, connect.NewError(connect.CodeFailedPrecondition, fmt.Errorf("the answer does not hold: %s", h.hidden(ctx, placesOf(a)).Replace(err.Error())))
	}
	o.NoMeaning = true // it was judged
	b, err := proof.WriteZIP(ctx, out, a, originalsOf{h.Service}, &proof.Options{Verify: o, MaxBytes: maxBundle, Logger: h.log})
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
