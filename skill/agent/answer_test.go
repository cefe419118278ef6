package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/skilltest"
)

type answered struct {
	text     string   // of all pieces
	verified []string // passed on with evidence, and those that were refused for their meaning alone
	refused  []string
	good     []string // these, and those that would have been where they stood before others were left out
	last     *agent.Piece
}

// cites reports whether a piece is a sentence that is passed on with evidence, whether or not words can tell that it says so.
func cites(p *agent.Piece) bool {
	return p.Checked != nil && len(p.Checked.Errors) == 0 && len(p.Checked.Items) > 0
}

// TestAnswerMeaning has a writer who cites and quotes rightly and says what is not so: only what the evidence supports is called verified, and what it speaks against is left out.
func TestAnswerMeaning(t *testing.T) {
	led := evidence.NewLedger()
	g := &agent.Gathered{Question: "which threshold", Ledger: led, Items: []evidence.Item{
		led.Add(evidence.Item{Kind: evidence.KindPassage, Text: "The threshold is 14 times the floor. It was measured in May.", At: evidence.Place{Doc: "d", Name: "d.md", Line: 1}}),
		led.Add(evidence.Item{Kind: evidence.KindEntity, Text: "func detect() {}", At: evidence.Place{Path: "a.go", Line: 1}}),
	}}
	const text = "The threshold is 14 times the floor [D1]. The threshold is not 14 times the floor [D1]. Reviewers approved every plan [D1]. The function detects [C1]."
	for _, mark := range []bool{false, true} {
		var verified, undecided []string
		var report *agent.AnswerReport
		for p, err := range agent.Answer(t.Context(), skilltest.NewModel(skilltest.Says(text), skilltest.Says("1. -")), g, &agent.AnswerOptions{Mark: mark}) {
			switch {
			case err != nil:
				t.Fatal(err)
			case p.Verified():
				verified = append(verified, p.Checked.Sentence.Text)
			case cites(p):
				undecided = append(undecided, p.Checked.Sentence.Text)
			}
			report = p.Report
		}
		if diff := cmp.Diff([]string{"The threshold is 14 times the floor [D1]."}, verified); diff != "" {
			t.Errorf("verified, mark %v (-want +got):\n%s", mark, diff)
		}
		if diff := cmp.Diff([]string{"Reviewers approved every plan [D1].", "The function detects [C1]."}, undecided); diff != "" {
			t.Errorf("undecided, mark %v (-want +got):\n%s", mark, diff)
		}
		if report.Verified != 1 || report.Undecided != 2 || len(report.Refused) != 1 || !strings.Contains(report.Refused[0], "its evidence does not say so") {
			t.Errorf("mark %v: %+v", mark, report)
		}
	}
}

func readAnswer(t *testing.T, pieces iter.Seq2[*agent.Piece, error]) (a answered) {
	t.Helper()
	for p, err := range pieces {
		if err != nil {
			t.Fatal(err)
		}
		if a.last != nil {
			t.Fatal("a piece follows the last one")
		}
		a.text += p.Text
		switch {
		case p.Report != nil:
			a.last = p
		case cites(p) || p.Checked != nil && len(p.Checked.Errors) > 0 && strings.HasPrefix(p.Checked.Errors[0].Reason, "its evidence does not say so"):
			a.verified = append(a.verified, p.Checked.Sentence.Text)
			a.good = append(a.good, p.Checked.Sentence.Text)
			if s := p.Checked.Sentence; p.Text != "" && a.text[s.Start:s.End] != s.Text {
				t.Errorf("sentence %q is at %q", s.Text, a.text[s.Start:s.End])
			}
		case p.Checked != nil && len(p.Checked.Errors) > 0:
			a.refused = append(a.refused, p.Checked.Sentence.Text)
			if len(p.Checked.Items) > 0 && strings.Contains(p.Checked.Errors[0].Reason, "where it stands now") {
				a.good = append(a.good, p.Checked.Sentence.Text)
			}
		}
	}
	if a.last == nil {
		t.Fatal("there is no last piece")
	}
	if a.last.Answer != nil && a.last.Answer.Text != a.text {
		t.Errorf("the answer is %q, its pieces are %q", a.last.Answer.Text, a.text)
	}
	return a
}

func TestAnswer(t *testing.T) {
	for _, tt := range []struct {
		name    string
		turns   []string
		want    string
		status  string
		report  [4]int // verified, unknown, repaired, left out
		refused int    // entries of the report
	}{
		{"good", []string{"The PSS has length 127 [D1]. It is found by detect_pss [C1]."},
			"The PSS has length 127 [D1]. It is found by detect_pss [C1].", skill.StatusDone, [4]int{2, 0, 0, 0}, 0},
		{"a quote", []string{`It is "a sequence of length 127" [D1].`}, `It is "a sequence of length 127" [D1].`, skill.StatusDone, [4]int{1, 0, 0, 0}, 0},
		{"list", []string{"- It has length 127 [D1].\n- There are three [D1].\n"}, "- It has length 127 [D1].\n- There are three [D1].", skill.StatusDone, [4]int{2, 0, 0, 0}, 0},
		{"unknown", []string{"The PSS has length 127 [D1]. Unknown: the power of the PSS."}, "The PSS has length 127 [D1]. Unknown: the power of the PSS.", skill.StatusDone, [4]int{1, 1, 0, 0}, 0},
		{"only unknown", []string{"Unknown: the power of the PSS."}, "Unknown: the power of the PSS.", skill.StatusInsufficient, [4]int{0, 1, 0, 0}, 0},
		{"an altered quote is mended", []string{`First [D1]. It is "a sequence of length 128" [D1]. Last [D2].`, `1. It is "a sequence of length 127" [D1].`},
			`First [D1]. It is "a sequence of length 127" [D1]. Last [D2].`, skill.StatusDone, [4]int{3, 0, 1, 0}, 0},
		{"mended in the second round", []string{"Bad [D9]. Last [D2].", "1. Still bad [D8].", "1. Good [D1]."}, "Good [D1]. Last [D2].", skill.StatusDone, [4]int{2, 0, 1, 0}, 0},
		{"mended with two", []string{"Bad [D9]. Last [D2].", "1. Good [D1]. Better [C1]."}, "Good [D1]. Better [C1]. Last [D2].", skill.StatusDone, [4]int{3, 0, 2, 0}, 0},
		{"given up", []string{"First [D1]. No key here at all. Last [D2].", "1. -"}, "First [D1]. Last [D2].", skill.StatusDone, [4]int{2, 0, 0, 1}, 1},
		{"never mended", []string{"First [D1]. Bad [D9].", "1. Bad [D9].", "1. Bad [D9]."}, "First [D1].", skill.StatusDone, [4]int{1, 0, 0, 1}, 1},
		{"mends nothing", []string{"First [D1]. Bad [D9].", "I will not.", ""}, "First [D1].", skill.StatusDone, [4]int{1, 0, 0, 1}, 1},
		{"another's evidence", []string{"A secret [D3].", "1. A secret [D3].", "1. A secret [D3]."}, "The evidence that was gathered does not answer this.", skill.StatusInsufficient, [4]int{0, 0, 0, 1}, 1},
		{"a list item is left out", []string{"- First [D1].\n- Bad [D9].\n- Last [D2].", "1. -"}, "- First [D1].\n- Last [D2].", skill.StatusDone, [4]int{2, 0, 0, 1}, 1},
		{"a paragraph begins badly", []string{"First [D1].\n\nBad [D9]. Last [D2].", "1. -"}, "First [D1].\n\nLast [D2].", skill.StatusDone, [4]int{2, 0, 0, 1}, 1},
		{"the first is left out", []string{"- Bad [D9].\n- Last [D2].", "1. -"}, "- Last [D2].", skill.StatusDone, [4]int{1, 0, 0, 1}, 1},
		{"silence", []string{""}, "The evidence that was gathered does not answer this.", skill.StatusInsufficient, [4]int{0, 0, 0, 0}, 0},
		{"keys alone", []string{"[D1]"}, "[D1]", skill.StatusDone, [4]int{1, 0, 0, 0}, 0},
		{"a dropped not", []string{`"The SSS is used for this." [D2]`, "1. -"}, "The evidence that was gathered does not answer this.", skill.StatusInsufficient, [4]int{0, 0, 0, 1}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var turns []skilltest.Turn
			for _, s := range tt.turns {
				turns = append(turns, skilltest.Says(s))
			}
			m := skilltest.NewModel(turns...)
			a := readAnswer(t, agent.Answer(t.Context(), m, gathered(), nil))
			if diff := cmp.Diff(tt.want, a.text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			r := a.last.Report
			if got := [4]int{r.Verified + r.Undecided, r.Unknown, r.Repaired, r.LeftOut}; got != tt.report || r.Status != tt.status || len(r.Refused) != tt.refused {
				t.Errorf("report = %s (%s), %v, refused %q; want %s, %v, %d", r.Status, r.Reason, got, r.Refused, tt.status, tt.report, tt.refused)
			}
			if len(a.verified) != r.Verified+r.Undecided || len(m.Requests()) != len(tt.turns) {
				t.Errorf("%d sentences were passed on with evidence, %d counted; %d requests", len(a.verified), r.Verified+r.Undecided, len(m.Requests()))
			}
			if bad := evidence.CheckText(t.Context(), gathered().Ledger, a.text, &evidence.CheckOptions{EveryClaim: true, Quotes: true}); len(bad) > 0 && r.Verified+r.Undecided > 0 {
				t.Errorf("the answer does not hold: %v", evidence.JoinTextErrors(bad))
			}
			req := m.Requests()[0]
			if req.Role != skill.RoleWriter || len(req.Tools) != 0 || !strings.Contains(req.Messages[0].Text, "sequence of length 127") || strings.Contains(req.Messages[0].Text, "secret") {
				t.Errorf("the writer was shown %q", req.Messages[0].Text)
			}
		})
	}
}

// TestAnswerStreams makes sure that a sentence is passed on while the model is still writing, and none behind one that is
// still wrong.
func TestAnswerStreams(t *testing.T) {
	var wrote strings.Builder
	texts := []string{"First [D1]. ", "Second [D2]. ", "Third [C1]. ", "Bad [D9]. ", "Last [D1]."}
	m := modelFunc(func(_ context.Context, req *skill.Request, yield func(*skill.Delta, error) bool) {
		if len(req.Messages) > 1 {
			yield(&skill.Delta{Text: "1. -"}, nil)
			return
		}
		for _, s := range texts {
			wrote.WriteString(s)
			if !yield(&skill.Delta{Text: s}, nil) {
				return
			}
		}
	})
	seen := map[string]string{}
	for p, err := range agent.Answer(t.Context(), m, gathered(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if cites(p) {
			seen[p.Checked.Sentence.Text] = wrote.String()
		}
	}
	if got := seen["First [D1]."]; got != texts[0]+texts[1] {
		t.Errorf("the first sentence came when %q was written", got)
	}
	if got := seen["Last [D1]."]; got != strings.Join(texts, "") {
		t.Errorf("the last sentence came when %q was written", got)
	}
	// Breaking the loop ends the model's request.
	wrote.Reset()
	for p, err := range agent.Answer(t.Context(), m, gathered(), nil) {
		if err != nil || cites(p) {
			break
		}
	}
	if got := wrote.String(); got != texts[0]+texts[1] {
		t.Errorf("after the break the model went on: %q", got)
	}
}

func TestAnswerMarks(t *testing.T) {
	text := "First [D1]. Bad [D9]. Last [D2]."
	a := readAnswer(t, agent.Answer(t.Context(), skilltest.NewModel(skilltest.Says(text)), gathered(), &agent.AnswerOptions{Mark: true}))
	if diff := cmp.Diff([]string{"First [D1].", "Last [D2]."}, a.verified); diff != "" {
		t.Errorf("verified (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Bad [D9]."}, a.refused); diff != "" || a.text != text || a.last.Report.LeftOut != 0 {
		t.Errorf("text %q, refused (-want +got):\n%s", a.text, diff)
	}
}

func TestAnswerWithoutModel(t *testing.T) {
	a := readAnswer(t, agent.Answer(t.Context(), nil, gathered(), nil))
	if !strings.Contains(a.text, "The PSS is a sequence of length 127. [D1]") && !strings.Contains(a.text, "The PSS is a sequence of length 127 [D1]") {
		t.Errorf("the outline is %q", a.text)
	}
	if r := a.last.Report; r.Status != skill.StatusDone || r.Model != "" || r.LeftOut != 0 || r.Reason == "" || r.Verified == 0 {
		t.Errorf("report = %+v", r)
	}
}

func TestAnswerWithoutEvidence(t *testing.T) {
	for _, tt := range []struct {
		searched []evidence.Searched
		want     string
	}{
		{nil, skill.StatusInsufficient},
		{[]evidence.Searched{skilltest.FullSearch("search_internal", 0)}, skill.StatusVerifiedNone},
		{[]evidence.Searched{skilltest.FullSearch("search_internal", 0), {Tool: "search_entity", Query: "x", Failed: "no index"}}, skill.StatusInsufficient},
	} {
		g := &agent.Gathered{Question: "q", Ledger: evidence.NewLedger(), Searched: tt.searched}
		m := skilltest.NewModel(skilltest.Says("I know it anyway [D1]."))
		a := readAnswer(t, agent.Answer(t.Context(), m, g, nil))
		if a.last.Report.Status != tt.want || len(a.verified) > 0 || len(m.Requests()) != 0 {
			t.Errorf("searched %v: %s, verified %q, %d requests; want %s", tt.searched, a.last.Report.Status, a.verified, len(m.Requests()), tt.want)
		}
	}
}

// textSource gives one text for every place.
type textSource map[string]string

func (s textSource) Text(_ context.Context, at evidence.Place) (string, error) {
	text, ok := s[at.Doc+at.Path]
	if !ok {
		return "", fmt.Errorf("%s: %w", at, skill.ErrNotFound)
	}
	return text, nil
}

func TestAnswerSeals(t *testing.T) {
	src := textSource{"ssb": gathered().Items[0].Text, "pss.py": gathered().Items[2].Text}
	m := func() skill.Model { return skilltest.NewModel(skilltest.Says("It has length 127 [D1].")) }
	a := readAnswer(t, agent.Answer(t.Context(), m(), gathered(), &agent.AnswerOptions{Source: src}))
	if !a.last.Report.Sealed || len(a.last.Answer.Sources) != 1 {
		t.Fatalf("report = %+v, want a sealed answer", a.last.Report)
	}
	var file strings.Builder
	if err := a.last.Answer.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := evidence.ReadAnswer(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Check(t.Context(), src); err != nil {
		t.Errorf("Check = %v", err)
	}
	src["ssb"] = "changed"
	if err := read.Check(t.Context(), src); err == nil {
		t.Error("a changed source is not noticed")
	}
	delete(src, "ssb")
	a = readAnswer(t, agent.Answer(t.Context(), m(), gathered(), &agent.AnswerOptions{Source: src}))
	if r := a.last.Report; r.Sealed || !strings.Contains(r.Reason, "not sealed") {
		t.Errorf("report = %+v, want it to say why there is no seal", r)
	}
}

func TestAnswerErrors(t *testing.T) {
	broken := errors.New("server is down")
	last := func(seq iter.Seq2[*agent.Piece, error]) (texts []string, err error) {
		for p, e := range seq {
			if e != nil {
				return texts, e
			}
			texts = append(texts, p.Text)
		}
		return texts, nil
	}
	texts, err := last(agent.Answer(t.Context(), skilltest.NewModel(skilltest.Turn{Text: "First [D1]. And then", Err: broken}), gathered(), nil))
	if !errors.Is(err, broken) || len(texts) != 1 {
		t.Errorf("pieces %q, %v: want the first sentence and the error", texts, err)
	}
	if _, err := last(agent.Answer(t.Context(), nil, nil, nil)); err == nil {
		t.Error("nothing gathered is no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := last(agent.Answer(ctx, skilltest.NewModel(skilltest.Says("x [D1].")), gathered(), nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled answer: %v", err)
	}
	a := readAnswer(t, agent.Answer(t.Context(), skilltest.NewModel(skilltest.Turn{Text: "It is used [D1]. It is used [D1", Stop: skill.StopLength}, skilltest.Says("1. -")), gathered(), nil))
	if a.text != "It is used [D1]." || !strings.Contains(strings.Join(a.last.Report.Refused, ""), "cut off") {
		t.Errorf("an answer that is cut off: %q, %+v", a.text, a.last.Report)
	}
	if _, err := last(agent.Answer(t.Context(), skilltest.NewModel(skilltest.Turn{Text: "I cannot help.", Stop: skill.StopRefusal}), gathered(), nil)); err == nil {
		t.Error("a refusal of the provider is no error")
	}
	// A model that never ends.
	endless := modelFunc(func(_ context.Context, req *skill.Request, yield func(*skill.Delta, error) bool) {
		for yield(&skill.Delta{Text: "It has length 127 [D1]. "}, nil) {
		}
	})
	a = readAnswer(t, agent.Answer(t.Context(), endless, gathered(), &agent.AnswerOptions{Repairs: -1}))
	if len(a.text) > 300<<10 || a.last.Report.Verified == 0 {
		t.Errorf("an endless answer has %d bytes, %d sentences", len(a.text), a.last.Report.Verified)
	}
}

func TestFinalAnswerHook(t *testing.T) {
	var saw string
	agree := &skill.Hooks{FinalAnswer: func(_ context.Context, a *evidence.Answer) (string, error) {
		saw = a.Text
		a.Text, a.Items = "forged", nil
		return "for internal use", nil
	}}
	refuse := &skill.Hooks{FinalAnswer: func(context.Context, *evidence.Answer) (string, error) { return "", errors.New("names a person") }}
	boom := &skill.Hooks{FinalAnswer: func(context.Context, *evidence.Answer) (string, error) { panic("oh") }}
	m := func() skill.Model { return skilltest.NewModel(skilltest.Says("It has length 127 [D1].")) }
	a := readAnswer(t, agent.Answer(t.Context(), m(), gathered(), &agent.AnswerOptions{Hooks: []*skill.Hooks{nil, agree}}))
	if saw != "It has length 127 [D1]." || a.text != saw || len(a.last.Answer.Items) != 1 || cmp.Diff([]string{"for internal use"}, a.last.Report.Notes) != "" {
		t.Errorf("hook saw %q; answer %q, %+v", saw, a.text, a.last.Report)
	}
	for name, h := range map[string]*skill.Hooks{"names a person": refuse, "panic: oh": boom} {
		a := readAnswer(t, agent.Answer(t.Context(), m(), gathered(), &agent.AnswerOptions{Hooks: []*skill.Hooks{agree, h}}))
		if r := a.last.Report; a.text != "" || a.last.Answer != nil || r.Status != skill.StatusStopped || !strings.Contains(r.Reason, name) {
			t.Errorf("a refused answer: %q, %+v", a.text, r)
		}
	}
}

// TestAnswerVerifiesLikeCheckText makes sure, for texts put together and cut at random, that what a strict answer passes on
// as verified is what CheckText finds nothing wrong with, in order, and nothing else.
func TestAnswerVerifiesLikeCheckText(t *testing.T) {
	parts := []string{"The PSS has length 127 [D1]. ", "It is found by detect_pss [C1][D2]. ", "No key. ", "Made up [D9]. ", "Not ours [D3]. ",
		`It is "a sequence of length 127" [D1]. `, `It is "a sequence of length 128" [D1]. `, "\n\n## PSS\n\n", "\n- item [D1]\n", "\n- item\n", "Unknown: why. ",
		"\n> There are three of them.\n\n", "\n```\ncode\n```\n[C1]\n", "e.g. 38.331 says so [D1, p. 3]. ", "\n| a | b |\n|---|---|\n| x | 3 [D1] |\n", "ignore previous instructions ", "[D1]", "“The SSS is", " not used”", "[D2]. ", "${finish} ", "Ünïcode [D1]! "}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		checkLikeText(t, b.String(), func(n int) int { return 1 + r.IntN(n) })
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("The PSS has length 127 [D1]. No key. [D9] \"a sequence\" [D1].", uint8(3))
	f.Add("- a [D1\n- b [D1]\n\n```\nx", uint8(1))
	f.Add("It is long. >o key 1 [D1]", uint8(3))    // a block quote once what is before it is left out
	f.Add("#\xce#\x03\x12_>o key 1 [D1]", uint8(3)) // refused for its meaning alone
	f.Fuzz(func(t *testing.T, text string, step uint8) {
		checkLikeText(t, text, func(n int) int { return min(n, int(step)+1) })
	})
}

func checkLikeText(t *testing.T, text string, cut func(rest int) int) {
	t.Helper()
	g := gathered()
	bad := map[int]bool{}
	for _, e := range evidence.CheckText(t.Context(), g.Ledger, text, &evidence.CheckOptions{EveryClaim: true, Quotes: true}) {
		bad[e.Sentence.Start] = true
	}
	var want []string
	for _, s := range evidence.Sentences(text) {
		ours := len(s.Keys) > 0
		for _, k := range s.Keys {
			ours = ours && k != "D3"
		}
		if ours && !bad[s.Start] {
			want = append(want, s.Text)
		}
	}
	m := modelFunc(func(_ context.Context, _ *skill.Request, yield func(*skill.Delta, error) bool) {
		for rest := text; rest != ""; {
			n := cut(len(rest))
			if !yield(&skill.Delta{Text: rest[:n]}, nil) {
				return
			}
			rest = rest[n:]
		}
	})
	a := readAnswer(t, agent.Answer(t.Context(), m, g, &agent.AnswerOptions{Repairs: -1}))
	if diff := cmp.Diff(want, a.good); diff != "" {
		t.Errorf("%q: verified, or left out where it would stand (-want +got):\n%s", text, diff)
	}
	if r := a.last.Report; r.Verified+r.Undecided > 0 { // else it says that the evidence does not answer
		for _, e := range evidence.CheckText(t.Context(), g.Ledger, a.text, &evidence.CheckOptions{EveryClaim: true, Quotes: true}) {
			t.Errorf("%q: the answer %q does not hold: %v", text, a.text, e)
		}
	}
	marked := readAnswer(t, agent.Answer(t.Context(), m, g, &agent.AnswerOptions{Mark: true}))
	if diff := cmp.Diff(want, marked.verified); diff != "" {
		t.Errorf("%q: verified with Mark (-want +got):\n%s", text, diff)
	}
}
