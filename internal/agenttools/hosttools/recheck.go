package hosttools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type recheckInput struct {
	Answer string `json:"answer,omitempty" alias:"answer_json,json" max:"4194304" jsonschema:"a sealed answer: the JSON of its file"`
	Path   string `json:"path,omitempty" alias:"file,file_path" jsonschema:"or the answer's file in a repository"`
	Update bool   `json:"update,omitempty" jsonschema:"also give the answer with its new places, if it holds"`
	agenttools.Budget
}

// A Rechecker says what of a sealed answer still holds.
type Rechecker func(ctx context.Context, a *evidence.Answer) (*evidence.Recheck, error)

// rechecked is the result of recheck_answer as a workflow reads it.
type rechecked struct {
	*evidence.Recheck
	Updated *evidence.Answer `json:"updated,omitempty"`
}

// Recheck is the tool recheck_answer. read gives the text of a file of a repository.
func Recheck(recheck Rechecker, read func(ctx context.Context, path string) (string, error)) agenttools.Definition {
	return agenttools.New("recheck_answer", "Says what of a sealed answer still holds after documents or code have changed: for each piece of evidence whether it holds, moved, changed (with the words that went and came) or is gone, "+
		"and which sentences no longer hold. No model takes part.",
		"Use it on an answer file before you rely on it or repeat it; ask again what no longer holds.", func(ctx context.Context, in recheckInput) (*skill.Result, error) {
			if (in.Answer == "") == (in.Path == "") {
				return nil, errors.New("recheck_answer: give answer, the JSON of an answer file, or path, where it is in a repository")
			}
			if in.Path != "" {
				text, err := read(ctx, in.Path)
				if err != nil {
					return nil, fmt.Errorf("recheck_answer: %w", err)
				}
				in.Answer = text
			}
			a, err := evidence.ReadAnswer(strings.NewReader(in.Answer))
			if err != nil {
				return nil, fmt.Errorf("recheck_answer: %w", err)
			}
			rep, err := recheck(ctx, a)
			if err != nil {
				return nil, err
			}
			data, lines := rechecked{Recheck: rep}, told(rep)
			if in.Update {
				if data.Updated = rep.Updated; rep.Updated == nil {
					lines = append(lines, map[bool]string{true: "there is nothing new to write\n", false: "an answer that does not hold has no new form\n"}[rep.Holds])
				} else {
					var b bytes.Buffer
					if err := rep.Updated.Write(&b); err != nil {
						return nil, err
					}
					lines = append(lines, "the answer with its new places:\n", b.String())
				}
			}
			return agenttools.Lines(lines, data, agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens)}), nil
		})
}

// told is what a reader must know of an answer that was looked at again.
func told(rep *evidence.Recheck) []string {
	states := map[string]int{}
	for _, it := range rep.Items {
		states[it.State]++
	}
	holds := 0
	for _, s := range rep.Sentences {
		if s.Holds {
			holds++
		}
	}
	head := fmt.Sprintf("%s: %d of %d sentences; evidence:", map[bool]string{true: "holds", false: "does not hold"}[rep.Holds], holds, len(rep.Sentences))
	for _, state := range []string{evidence.StateHolds, evidence.StateMoved, evidence.StateChanged, evidence.StateGone, evidence.StateUnread} {
		if states[state] > 0 {
			head += fmt.Sprintf(" %d %s,", states[state], state)
		}
	}
	out := []string{strings.TrimRight(head, ",:") + "\n"}
	for _, p := range rep.Problems {
		out = append(out, "problem: "+oneLine(p)+"\n")
	}
	for _, s := range rep.Sentences {
		if !s.Holds {
			out = append(out, fmt.Sprintf("no longer holds: %q: %s\n", short(oneLine(s.Text)), oneLine(s.Reason)))
		}
	}
	for _, it := range rep.Items {
		if it.State == evidence.StateHolds {
			continue
		}
		line := fmt.Sprintf("[%s] %s  %s", it.Key, it.State, it.Was)
		if !it.At.IsZero() && it.At != it.Was {
			line += " -> " + it.At.String()
		}
		if it.Note != "" {
			line += " (" + oneLine(it.Note) + ")"
		}
		out = append(out, line+"\n")
		switch it.State {
		case evidence.StateChanged:
			out = append(out, "    "+oneLine(evidence.JoinChanges(it.Words, [2]string{"[-", "-]"}, [2]string{"{+", "+}"}))+"\n")
		case evidence.StateGone:
			out = append(out, "    was: "+short(oneLine(it.Text))+"\n")
			if it.Now != "" {
				out = append(out, "    nearest: "+short(oneLine(it.Now))+"\n")
			}
		}
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
