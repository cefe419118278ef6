package relevance_test

import (
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/relevance"
)

func terms(q *relevance.Question) string {
	var out []string
	for _, t := range q.Terms {
		out = append(out, t.Written)
	}
	return strings.Join(out, " ")
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		question string
		kind     relevance.Kind
		terms    string
	}{
		{"How large are chunks in the file system?", relevance.Number, "chunks file system"},
		{"How many kinds of signals are there?", relevance.Number, "signals"},
		{"Please tell me why the leader waits", relevance.Reason, "leader waits"},
		{"What is a joint consensus?", relevance.Definition, "joint consensus"},
		{"what exactly does lease mean", relevance.Definition, "lease"},
		{"Which paper describes a shared log?", relevance.Document, "describes shared log"},
		{"Is there a paper on a shared log?", relevance.Document, "shared log"},
		{"How does the paper on a shared log begin?", "", "shared log begin"},
		{"Which function closes idle sockets?", relevance.Code, "function closes idle sockets"},
		{"What are the limitations of the prototype?", relevance.Limit, "limitations prototype"},
		{"chunk size", "", "chunk size"},
		{"what does the i-number stand for", "", "i-number i number stand"},
		{"how many?", relevance.Number, "many"}, // nothing but asking words: they are what is looked for
		{"", "", ""},
	} {
		q := relevance.Read(tt.question)
		if q.Kind != tt.kind || terms(q) != tt.terms {
			t.Errorf("Read(%q) = %q, %q, want %q, %q", tt.question, q.Kind, terms(q), tt.kind, tt.terms)
		}
	}
}

func TestSentence(t *testing.T) {
	for s, want := range map[string]bool{
		"How large are chunks?": true, "how is the PSS detected": true, "explain the handover procedure": true,
		"cell search": false, "primary synchronization signal": false, "chunks?": false, "": false,
	} {
		if got := relevance.Sentence(s); got != want {
			t.Errorf("Sentence(%q) = %v", s, got)
		}
	}
}

// ends are the offsets behind each sentence of texts that are written with one blank behind a full stop.
func ends(s string) []int {
	var out []int
	for at := 0; at < len(s); {
		i := strings.Index(s[at:], ". ")
		if i < 0 {
			return append(out, len(s))
		}
		at += i + 2
		out = append(out, at)
	}
	return out
}

const storage = "The storage layer is old. A chunk is kept on three servers, and each chunk has a size of 64 MB. Files are named by paths. " +
	"The word chunk stands here, chunk again, and chunk once more. Nothing else is said of it."

// best is the best piece of a text.
func best(t *testing.T, question, text string, size int) string {
	t.Helper()
	q := relevance.Read(question)
	q.Weigh(10, func(i int) int { return 1 + i%3 })
	var out relevance.Window
	for _, w := range q.Windows([]relevance.Text{{Text: text, Ends: ends(text)}}, size) {
		if w.Start < 0 || w.End > len(text) || w.Start >= w.End || w.End-w.Start > size {
			t.Fatalf("%q: a piece at %d to %d of %d", question, w.Start, w.End, len(text))
		}
		if w.Score > out.Score {
			out = w
		}
	}
	return text[out.Start:out.End]
}

func TestWindows(t *testing.T) {
	for _, tt := range []struct{ question, want string }{
		{"How large is a chunk?", "A chunk is kept on three servers, and each chunk has a size of 64 MB."},
		{"How are files named?", "Files are named by paths."},
		{"What is the storage layer?", "The storage layer is old."},
	} {
		if got := best(t, tt.question, storage, 75); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.question, got, tt.want)
		}
	}
}

// A piece holds as many whole sentences as fit, and a sentence that is longer than a piece is cut.
func TestWindowsOfOneSize(t *testing.T) {
	if got := best(t, "How large is a chunk?", storage, 1000); got != storage {
		t.Errorf("all of it fits: %q", got)
	}
	long := strings.Repeat("one word and another ", 30) + "chunk"
	if got := best(t, "chunk", long, 100); !strings.HasSuffix(got, "chunk") || len(got) > 100 {
		t.Errorf("%q", got)
	}
	if got := best(t, "chunk", strings.Repeat("x", 500)+"ü chunk", 100); got != "chunk" && !strings.HasSuffix(got, " chunk") {
		t.Errorf("%q", got)
	}
}

func TestWindowsOfNothing(t *testing.T) {
	q := relevance.Read("How large is a chunk?")
	q.Weigh(0, func(int) int { return 0 })
	if got := q.Windows([]relevance.Text{{Text: "Files are named.", Ends: []int{16}}, {}}, 100); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if _, ok := relevance.Read("?").Judge("anything", relevance.Setting{}); ok {
		t.Error("a question without words was answered")
	}
}

// A word that few documents hold says more than one that most hold.
func TestRarity(t *testing.T) {
	q := relevance.Read("system lease")
	q.Weigh(100, func(i int) int { return []int{90, 2}[i] })
	common, _ := q.Judge("the system", relevance.Setting{})
	rare, _ := q.Judge("the lease", relevance.Setting{})
	if common.Score >= rare.Score || q.Coverage(q.Mask("system")) > .1 {
		t.Errorf("scores %f and %f; coverage of the common word %f", common.Score, rare.Score, q.Coverage(q.Mask("system")))
	}
}

func TestNamed(t *testing.T) {
	q := relevance.Read("handover in 38.331")
	there, _ := q.Judge("the handover", relevance.Setting{Named: true})
	else_, _ := q.Judge("the handover", relevance.Setting{})
	if there.Score <= else_.Score || there.Signals.Named()["named"] != 1 {
		t.Errorf("named %f, else %f: %v", there.Score, else_.Score, there.Signals.Named())
	}
}

func BenchmarkWindows(b *testing.B) {
	text := strings.Repeat(storage+" ", 200)
	q := relevance.Read("How large is a chunk, and how are files named?")
	q.Weigh(10, func(i int) int { return i + 1 })
	texts := []relevance.Text{{Text: text, Ends: ends(text)}}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		q.Windows(texts, 400)
	}
}

func FuzzWindows(f *testing.F) {
	f.Add("How large is a chunk?", storage, 80)
	f.Add("what is an i-number", "the i-\nnumber is ü\xff", 4)
	f.Fuzz(func(t *testing.T, question, text string, size int) {
		if len(text) > 64<<10 || len(question) > 8<<10 || size < 4 {
			return
		}
		q := relevance.Read(question)
		q.Weigh(3, func(i int) int { return i % 4 })
		for _, w := range q.Windows([]relevance.Text{{Text: text, Ends: ends(text)}}, size) {
			if w.Start < 0 || w.End > len(text) || w.Start >= w.End || w.End-w.Start > size {
				t.Fatalf("a piece at %d to %d of %d, %d at most", w.Start, w.End, len(text), size)
			}
			for name, v := range w.Signals.Named() {
				if v < 0 || v > 1.000001 {
					t.Fatalf("%s is %f", name, v)
				}
			}
		}
	})
}
