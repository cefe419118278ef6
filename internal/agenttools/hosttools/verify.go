package hosttools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type verifyInput struct {
	Text string `json:"text" alias:"answer,markdown" max:"262144" jsonschema:"an answer, plain or Markdown, whose sentences cite keys such as [D1]"`
}

// Verify is the tool verify_answer. source gives the text around the evidence.
func Verify(s *agenttools.Session, source evidence.Source) agenttools.Definition {
	return agenttools.New("verify_answer", "Checks an answer before it is given: whether each sentence has a key, each quotation stands at its place, and the evidence says what the sentence claims "+
		"(numbers with units, names, negation, at most and at least, all and some, plans, conditions, rows and columns of tables). No model takes part.",
		"Use it on a draft; change or leave out what is unsupported, and look again at what words cannot decide.", func(ctx context.Context, in verifyInput) (*skill.Result, error) {
			bad := evidence.CheckText(ctx, s.Ledger, in.Text, &evidence.CheckOptions{EveryClaim: true, Quotes: true, Source: source})
			judged, err := evidence.Judge(ctx, s.Ledger, in.Text, &evidence.JudgeOptions{Source: source})
			if err != nil {
				return nil, err
			}
			counts := map[evidence.Verdict]int{}
			for _, j := range judged {
				counts[j.Verdict]++
			}
			head := fmt.Sprintf("supported %d, unsupported %d, not decidable by words %d; keys and quotations that are wrong: %d",
				counts[evidence.Supported], counts[evidence.Unsupported], counts[evidence.Undecided], len(bad))
			problems, lines := []checked{}, []string{}
			for _, e := range bad {
				problems = append(problems, checked{Text: e.Sentence.Text, Problem: e.Reason})
				lines = append(lines, "wrong: "+e.Error())
			}
			for _, j := range judged {
				if j.Verdict != evidence.Supported {
					problems = append(problems, checked{Text: j.Sentence.Text, Verdict: j.Verdict, Problem: j.Reason, Keys: j.Keys})
					lines = append(lines, fmt.Sprintf("%s: %q [%s]: %s", j.Verdict, short(j.Sentence.Text), strings.Join(j.Keys, ", "), j.Reason))
				}
			}
			return &skill.Result{
				Text:       strings.Join(append([]string{head}, lines...), "\n"),
				Data:       verified{counts[evidence.Unsupported] == 0 && len(bad) == 0, counts[evidence.Supported], problems},
				Structured: &agenttools.Structured{Head: head, Lines: lines},
			}, nil
		})
}

// verified is the result of verify_answer as a workflow reads it.
type verified struct {
	Holds     bool      `json:"holds"`
	Supported int       `json:"supported"`
	Problems  []checked `json:"problems"`
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

// Cite is the tool cite.
func Cite(s *agenttools.Session, gather Gatherer, source evidence.Source) agenttools.Definition {
	return agenttools.New("cite", "Finds the evidence of one sentence: the keys and places of the texts that say so, first those that support it by their words. It also tells what contradicts it.",
		"Use it for a sentence that has no key yet, or whose key does not hold.", func(ctx context.Context, in citeInput) (*skill.Result, error) {
			list, remarks, _, err := gather(ctx, Question{Text: in.Sentence, Collections: in.Collections, Tokens: citeTokens})
			if err != nil {
				return nil, err
			}
			type place struct {
				item evidence.Item
				evidence.Judgement
			}
			var places []place
			for _, it := range list {
				if !it.IsDocument() {
					continue
				}
				judged, err := evidence.Judge(ctx, s.Ledger, strings.TrimRight(in.Sentence, " .\n")+" ["+it.Key+"].", &evidence.JudgeOptions{Source: source})
				if err != nil {
					return nil, err
				}
				if len(judged) > 0 {
					places = append(places, place{it, judged[0]})
				}
			}
			rank := map[evidence.Verdict]int{evidence.Supported: 0, evidence.Undecided: 1, evidence.Unsupported: 2}
			slices.SortStableFunc(places, func(a, b place) int { return rank[a.Verdict] - rank[b.Verdict] })
			places = places[:min(len(places), cmp.Or(in.Limit, 3))]
			found := make([]evidence.Item, len(places))
			for i, p := range places {
				found[i] = p.item
				line := fmt.Sprintf("[%s] %s", p.item.Key, p.Verdict)
				if p.Reason != "" {
					line += ": " + p.Reason
				}
				remarks = append(remarks, line)
			}
			return s.Result(found, nil, strings.Join(remarks, "\n"), agenttools.Shown{Tokens: citeTokens}), nil
		})
}

// citeTokens bounds what is looked at for one sentence.
const citeTokens = 3000
