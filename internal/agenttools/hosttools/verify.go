package hosttools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// verifyTokens bounds what is said of an answer.
const verifyTokens = 4000

type verifyInput struct {
	Text string `json:"text" alias:"answer,markdown" max:"262144" jsonschema:"an answer, plain or Markdown, whose sentences cite keys such as [D1] or places such as [paper.pdf p. 3] and [file.go:10-20]"`
}

// A Verifier checks a text by the keys of a ledger, and by what it says itself of where its evidence stands.
type Verifier func(ctx context.Context, text string, led *evidence.Ledger) (*evidence.TextCheck, error)

// Verify is the tool verify_answer.
func Verify(s *agenttools.Session, verify Verifier) agenttools.Definition {
	return agenttools.New("verify_answer", "Checks an answer before it is given: whether each sentence has a key, each quotation stands at its place, and the evidence says what the sentence claims "+
		"(numbers with units, names, negation, at most and at least, all and some, plans, conditions, rows and columns of tables). No model takes part.",
		"Use it on a draft; change or leave out what is unsupported, and look again at what words cannot decide.", func(ctx context.Context, in verifyInput) (*skill.Result, error) {
			rep, err := verify(ctx, in.Text, s.Ledger)
			if err != nil {
				return nil, err
			}
			counts, bad := map[evidence.Verdict]int{}, 0
			problems, wrong, lines := []checked{}, []string{}, []string{}
			for _, c := range rep.Sentences {
				counts[c.Verdict]++
				for _, p := range c.Problems {
					bad++
					problems = append(problems, checked{Text: c.Text, Problem: p})
					wrong = append(wrong, fmt.Sprintf("wrong: %q: %s\n", short(c.Text), p))
				}
				if c.Verdict != "" && c.Verdict != evidence.Supported {
					problems = append(problems, checked{Text: c.Text, Verdict: c.Verdict, Problem: c.Reason, Keys: c.Keys})
					text, by := short(c.Text), ""
					if beside := slices.DeleteFunc(slices.Clone(c.Keys), func(key string) bool { return strings.Contains(text, key) }); len(beside) > 0 {
						by = " [" + strings.Join(beside, ", ") + "]"
					}
					lines = append(lines, fmt.Sprintf("%s: %q%s: %s\n", c.Verdict, text, by, c.Reason))
				}
			}
			lines = append(wrong, lines...)
			head := fmt.Sprintf("supported %d, unsupported %d, not decidable by words %d; keys and quotations that are wrong: %d",
				counts[evidence.Supported], counts[evidence.Unsupported], counts[evidence.Undecided], bad)
			if left := rep.Unjudged; left != nil && left.Count() > 0 {
				head += fmt.Sprintf("; not judged: %s", left)
			}
			return agenttools.Lines(append([]string{head + "\n"}, lines...), verified{rep.Holds, counts[evidence.Supported], rep.Unjudged, problems}, agenttools.Shown{Tokens: verifyTokens}), nil
		})
}

// verified is the result of verify_answer as a workflow reads it.
type verified struct {
	Holds     bool               `json:"holds"`
	Supported int                `json:"supported"`
	Unjudged  *evidence.Unjudged `json:"unjudged,omitempty"`
	Problems  []checked          `json:"problems"`
}

type checked struct {
	Text    string           `json:"sentence"`
	Verdict evidence.Verdict `json:"verdict,omitempty"`
	Problem string           `json:"problem"`
	Keys    []string         `json:"keys,omitempty"`
}

func short(s string) string {
	if r := []rune(s); len(r) > 120 {
		return string(r[:120]) + "..."
	}
	return s
}

type citeInput struct {
	Sentence    string   `json:"sentence" alias:"claim,text" max:"4096" jsonschema:"one sentence that is to be cited"`
	Collections []string `json:"collections,omitempty" alias:"collection" jsonschema:"only documents in one of these collections"`
	Limit       int      `json:"limit,omitempty" alias:"max_results,k" jsonschema:"max places; 0 means 3"`
}

// A Citer finds the evidence of a sentence under keys of the session's ledger, best first, with remarks on what could not be looked at.
type Citer func(ctx context.Context, sentence string, collections []string, limit int) (places []evidence.Support, remarks []string, err error)

// Cite is the tool cite.
func Cite(s *agenttools.Session, cite Citer) agenttools.Definition {
	return agenttools.New("cite", "Finds the evidence of one sentence: the keys and places of the texts that say so, first those that support it by their words. It also tells what contradicts it.",
		"Use it for a sentence that has no key yet, or whose key does not hold.", func(ctx context.Context, in citeInput) (*skill.Result, error) {
			places, remarks, err := cite(ctx, in.Sentence, in.Collections, in.Limit)
			if err != nil {
				return nil, err
			}
			found := make([]evidence.Item, len(places))
			for i, p := range places {
				found[i] = p.Item
				line := fmt.Sprintf("[%s] %s", p.Item.Key, p.Verdict)
				if p.Reason != "" {
					line += ": " + p.Reason
				}
				remarks = append(remarks, line)
			}
			return s.Result(found, nil, strings.Join(remarks, "\n"), agenttools.Shown{Tokens: citeTokens}), nil
		})
}

// citeTokens bounds what is shown for one sentence.
const citeTokens = 3000
