package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/findspot/findspot/examples/serve/api"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
	"github.com/findspot/findspot/internal/typeset"
)

// A proved is a service over a folder of documents, with a sealed answer.
type proved struct {
	*world
	docs   string
	answer *structpb.Struct
}

const noise = "# Budget\n\nThe noise figure is six decibels.\n\nEach buffer holds 30720 samples.\n"

func newProved(t *testing.T) *proved {
	t.Helper()
	p := &proved{world: newWorld(t, &api.Options{Uploads: filepath.Join(t.TempDir(), "uploads")}), docs: t.TempDir()}
	pdf, err := os.ReadFile(filepath.Join(papers, "pss-detection.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	lines := []typeset.Line{{Text: "A heron waits at the water."}, {Text: "It eats fish."}}
	for name, data := range map[string][]byte{
		"budget.md": []byte(noise), "pss-detection.pdf": pdf, "locked.pdf": []byte(typeset.Encrypted(lines)), "signed.pdf": []byte(typeset.Signed(lines)),
	} {
		if err := os.WriteFile(filepath.Join(p.docs, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.add()
	p.answer = p.ask("what is the noise figure, and how is the noise floor estimated?")
	return p
}

// ask gives a sealed answer.
func (p *proved) ask(question string) *structpb.Struct {
	p.t.Helper()
	s, err := p.client().Ask(p.t.Context(), &v1.AskRequest{Question: question, Seal: true})
	_, done, err := collect(s, err, func(e *v1.AskEvent) ([]byte, *v1.AskSummary) { return nil, e.GetDone() })
	if err != nil || done.GetAnswer() == nil || !done.Proof {
		p.t.Fatalf("a sealed answer: %v, %v", done, err)
	}
	return done.Answer
}

// add adds what is in the folder, or brings it up to date.
func (p *proved) add() {
	p.t.Helper()
	for _, err := range p.ws.AddDocs(p.t.Context(), p.docs) {
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *proved) change(text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.docs, "budget.md"), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func tree(t *testing.T, v any) *structpb.Struct {
	t.Helper()
	data, err := json.Marshal(v)
	out := &structpb.Struct{}
	if err == nil {
		err = protojson.Unmarshal(data, out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// collect reads a stream of bytes with something at its end.
func collect[E any, D any](s *connect.ServerStreamForClient[E], err error, of func(*E) ([]byte, D)) (data []byte, done D, _ error) {
	if err != nil {
		return nil, done, err
	}
	defer s.Close()
	for s.Receive() {
		var b []byte
		b, done = of(s.Msg())
		data = append(data, b...)
	}
	return data, done, s.Err()
}

func mark(ctx context.Context, c findspotv1connect.FindspotClient, r *v1.MarkDocumentRequest) ([]byte, *v1.MarkedDocument, error) {
	s, err := c.MarkDocument(ctx, r)
	return collect(s, err, func(e *v1.MarkEvent) ([]byte, *v1.MarkedDocument) { return e.GetData(), e.GetDone() })
}

func bundle(ctx context.Context, c findspotv1connect.FindspotClient, r *v1.WriteBundleRequest) ([]byte, *v1.Bundle, error) {
	s, err := c.WriteBundle(ctx, r)
	return collect(s, err, func(e *v1.BundleEvent) ([]byte, *v1.Bundle) { return e.GetData(), e.GetDone() })
}

// TestProof: in every protocol answers are verified, sentences cited, answers looked at again, PDFs marked and bundles written.
func TestProof(t *testing.T) {
	w := newProved(t)
	original, err := os.ReadFile(filepath.Join(papers, "pss-detection.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			c := findspotv1connect.NewFindspotClient(p.http(), w.url, p.opts...)
			v, err := c.VerifyAnswer(t.Context(), &v1.VerifyAnswerRequest{Answer: w.answer})
			if err != nil || !v.Holds || len(v.Sentences) == 0 || len(v.Findings) < 3 || v.Keys[0].At.GetDoc() == "" {
				t.Errorf("VerifyAnswer = %v, %v", v, err)
			}
			v, err = c.VerifyAnswer(t.Context(), &v1.VerifyAnswerRequest{
				Text: "The noise figure is six decibels [D1]. Each buffer holds 30720 samples [B]. Each buffer holds 15360 samples [budget.md l. 5].\n\nIt is new.",
				Keys: map[string]string{"D1": "budget.md l. 3"}, Places: map[string]*v1.Place{"B": {Doc: v.Keys[0].At.Doc, Line: 5, EndLine: 5}},
			})
			if err != nil || v.Holds || len(v.Sentences) != 4 || v.Unjudged.GetUncited() != 1 || v.Sentences[0].Verdict != "supported" || v.Sentences[2].Verdict != "unsupported" || !slices.Contains(v.Sentences[2].Words, "15360") {
				t.Errorf("VerifyAnswer of a text = %v, %v", v, err)
			}
			cited, err := c.Cite(t.Context(), &v1.CiteRequest{Sentence: "The noise figure is six decibels."})
			if err != nil || len(cited.Places) == 0 || cited.Places[0].Verdict != "supported" || cited.Places[0].Item.At.Name != "budget.md" || cited.Places[0].Item.Key == "" {
				t.Errorf("Cite = %v, %v", cited, err)
			}
			again, err := c.Recheck(t.Context(), &v1.RecheckRequest{Answer: w.answer})
			if err != nil || !again.Holds || again.Items[0].State != "holds" || again.Updated != nil {
				t.Errorf("Recheck = %v, %v", again, err)
			}
			data, done, err := mark(t.Context(), c, &v1.MarkDocumentRequest{Doc: "pss-detection", Texts: []string{"noise floor", "noise roof"}})
			if err != nil || !bytes.HasPrefix(data, original) || len(data) == len(original) || int(done.GetSize()) != len(data) || int(done.Original) != len(original) ||
				len(done.Marks[0].Places) == 0 || len(done.Marks[0].Places[0].Boxes) == 0 || done.Marks[1].Missing == "" {
				t.Errorf("MarkDocument = %d bytes, %v, %v", len(data), done, err)
			}
			data, done, err = mark(t.Context(), c, &v1.MarkDocumentRequest{Doc: "pss-detection", Answer: w.answer})
			if err != nil || !bytes.HasPrefix(data, original) || done.Marks[0].Key == "" {
				t.Errorf("MarkDocument of an answer = %d bytes, %v, %v", len(data), done, err)
			}
			data, b, err := bundle(t.Context(), c, &v1.WriteBundleRequest{Answer: w.answer})
			if err != nil || len(b.Documents) != 1 {
				t.Fatalf("WriteBundle = %d bytes, %v, %v", len(data), b, err)
			}
			archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
			if err != nil || len(archive.File) != len(b.Files) {
				t.Fatalf("the archive: %v, %d files of %d", err, len(archive.File), len(b.Files))
			}
			f, err := archive.Open("documents/pss-detection.pdf")
			if err != nil {
				t.Fatal(err)
			}
			marked, err := io.ReadAll(f)
			if err != nil || !bytes.HasPrefix(marked, original) || len(marked) == len(original) {
				t.Errorf("the PDF of the bundle: %d bytes, %v", len(marked), err)
			}
		})
	}
}

// TestProofLater: when documents change, an answer says what has become of it, and its new form holds.
func TestProofLater(t *testing.T) {
	w := newProved(t)
	c := w.client()
	w.change("A preface that was not there.\n\n" + noise)
	w.add()
	v, err := c.VerifyAnswer(t.Context(), &v1.VerifyAnswerRequest{Answer: w.answer})
	if err != nil || v.Holds {
		t.Errorf("VerifyAnswer of what has moved = %v, %v", v, err)
	}
	if _, _, err := bundle(t.Context(), c, &v1.WriteBundleRequest{Answer: w.answer}); connect.CodeOf(err) != connect.CodeFailedPrecondition || !strings.Contains(err.Error(), "does not hold") {
		t.Errorf("WriteBundle of what has moved: %v", err)
	}
	again, err := c.Recheck(t.Context(), &v1.RecheckRequest{Answer: w.answer})
	if err != nil || !again.Holds || again.Updated == nil || !slices.ContainsFunc(again.Items, func(i *v1.ItemCheck) bool { return i.State == "moved" && i.At.Line == i.Was.Line+2 }) {
		t.Fatalf("Recheck of what has moved = %v, %v", again, err)
	}
	if v, err = c.VerifyAnswer(t.Context(), &v1.VerifyAnswerRequest{Answer: again.Updated}); err != nil || !v.Holds {
		t.Errorf("VerifyAnswer of the new form = %v, %v", v, err)
	}
	w.change(strings.Replace(noise, "six", "nine", 1))
	w.add()
	again, err = c.Recheck(t.Context(), &v1.RecheckRequest{Answer: w.answer})
	changed := func(i *v1.ItemCheck) bool {
		return i.State == "changed" && slices.ContainsFunc(i.Words, func(w *v1.WordChange) bool { return w.Went == "six" && w.Came == "nine" })
	}
	if err != nil || again.Holds || again.Updated != nil || !slices.ContainsFunc(again.Items, changed) {
		t.Errorf("Recheck of what has changed = %v, %v", again, err)
	}

	// What is not up to date, or gone, tells nobody where it was.
	w.change("another")
	v, err = c.VerifyAnswer(t.Context(), &v1.VerifyAnswerRequest{Answer: w.answer})
	if err != nil || v.Holds || strings.Contains(v.String(), w.docs) || !strings.Contains(v.String(), "budget.md: its file has changed since it was read") {
		t.Errorf("VerifyAnswer of a file that is another one: %v, %v", v, err)
	}
	if err := os.RemoveAll(w.docs); err != nil {
		t.Fatal(err)
	}
	v, err = c.VerifyAnswer(t.Context(), &v1.VerifyAnswerRequest{Answer: w.answer})
	if err != nil || v.Holds || strings.Contains(v.String(), w.docs) {
		t.Errorf("VerifyAnswer without files: %v, %v", v, err)
	}
	again, err = c.Recheck(t.Context(), &v1.RecheckRequest{Answer: w.answer})
	if err != nil || again.Holds || strings.Contains(again.String(), w.docs) {
		t.Errorf("Recheck without files: %v, %v", again, err)
	}
	if _, _, err := bundle(t.Context(), c, &v1.WriteBundleRequest{Answer: w.answer}); err == nil || strings.Contains(err.Error(), w.docs) {
		t.Errorf("WriteBundle without files: %v", err)
	}
}

// TestProofRefused: what cannot be proved, or is too large, is refused with a word about it.
func TestProofRefused(t *testing.T) {
	w := newProved(t)
	c := w.client()
	forged := tree(t, map[string]any{"format": 7, "text": "x"})
	check := func(what string, err error, code connect.Code, say string) {
		t.Helper()
		if connect.CodeOf(err) != code || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v, want %v with %q", what, err, code, say)
		}
	}
	verify := func(r *v1.VerifyAnswerRequest) error { _, err := c.VerifyAnswer(t.Context(), r); return err }
	check("nothing", verify(&v1.VerifyAnswerRequest{}), connect.CodeInvalidArgument, `"text"`)
	check("both", verify(&v1.VerifyAnswerRequest{Text: "x", Answer: w.answer}), connect.CodeInvalidArgument, "not both")
	check("another format", verify(&v1.VerifyAnswerRequest{Answer: forged}), connect.CodeInvalidArgument, "answer of format 7")
	check("a key that is none", verify(&v1.VerifyAnswerRequest{Text: "x [D1]", Keys: map[string]string{"D1": "there"}}), connect.CodeInvalidArgument, "is no address")
	check("a long text", verify(&v1.VerifyAnswerRequest{Text: strings.Repeat("x ", 600_000)}), connect.CodeInvalidArgument, "too large")
	check("more than an answer may be", verify(&v1.VerifyAnswerRequest{Text: strings.Repeat("x ", 9<<20)}), connect.CodeResourceExhausted, "")
	_, err := c.Cite(t.Context(), &v1.CiteRequest{Sentence: " "})
	check("no sentence", err, connect.CodeInvalidArgument, `"sentence"`)
	_, err = c.Cite(t.Context(), &v1.CiteRequest{Sentence: "x", Limit: 51})
	check("too many places", err, connect.CodeInvalidArgument, `limit`)
	_, err = c.Recheck(t.Context(), &v1.RecheckRequest{})
	check("no answer to look at again", err, connect.CodeInvalidArgument, `"answer"`)
	marked := func(r *v1.MarkDocumentRequest) error {
		data, _, err := mark(t.Context(), c, r)
		if len(data) > 0 {
			t.Errorf("%v: %d bytes", r, len(data))
		}
		return err
	}
	some := []string{"words"}
	check("no texts", marked(&v1.MarkDocumentRequest{Doc: "budget.md"}), connect.CodeInvalidArgument, `"texts"`)
	check("no PDF", marked(&v1.MarkDocumentRequest{Doc: "budget.md", Texts: some}), connect.CodeInvalidArgument, "only PDFs are marked")
	check("no document", marked(&v1.MarkDocumentRequest{Doc: "nothing", Texts: some}), connect.CodeNotFound, "nothing")
	heron := w.ask("what does a heron wait at?")
	for doc, why := range map[string]string{"locked.pdf": "encrypted: an encrypted file is not marked: take its encryption off", "signed.pdf": "a signed file is not marked, since any change makes its signature void"} {
		check(doc, marked(&v1.MarkDocumentRequest{Doc: doc, Texts: []string{"at the water"}}), connect.CodeInvalidArgument, why)
		check(doc+" of an answer", marked(&v1.MarkDocumentRequest{Doc: doc, Answer: heron}), connect.CodeInvalidArgument, why)
	}
	check("too many texts", marked(&v1.MarkDocumentRequest{Doc: "pss-detection.pdf", Texts: make([]string, 2001)}), connect.CodeInvalidArgument, "at most 2000")
	check("an answer about others", marked(&v1.MarkDocumentRequest{Doc: "locked.pdf", Answer: w.answer}), connect.CodeNotFound, "locked.pdf")
	_, done, err := mark(t.Context(), c, &v1.MarkDocumentRequest{Doc: "pss-detection.pdf", Texts: []string{"the noise roof is estimated"}})
	if err != nil || done.GetOriginal() != 0 || done.Size != 0 || done.Marks[0].Missing == "" {
		t.Errorf("a text that is not there: %v, %v", done, err)
	}
	_, b, err := bundle(t.Context(), c, &v1.WriteBundleRequest{Answer: heron})
	reasons := map[string]string{}
	for _, d := range b.GetDocuments() {
		reasons[d.Name] = d.Reason
	}
	if err != nil || !strings.HasPrefix(reasons["locked.pdf"], "encrypted: ") || !strings.Contains(reasons["signed.pdf"], "a signed file is not marked") {
		t.Errorf("a bundle with what is not marked: %v, %v", b, err)
	}
	_, _, err = bundle(t.Context(), c, &v1.WriteBundleRequest{Answer: tree(t, map[string]any{"format": 1, "text": "x [D1]"})})
	check("a bundle of what was never sealed", err, connect.CodeFailedPrecondition, "never sealed")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = bundle(ctx, c, &v1.WriteBundleRequest{Answer: w.answer})
	check("a client that left", err, connect.CodeCanceled, "")
}
