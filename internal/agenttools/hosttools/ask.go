package hosttools

import (
	"context"
	"strings"

	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type askInput struct {
	Question    string   `json:"question" alias:"query,q,task" max:"65536" jsonschema:"a question in plain words"`
	Collections []string `json:"collections,omitempty" alias:"collection" jsonschema:"only documents in one of these collections; code is not limited by it"`
	Skip        int      `json:"skip,omitempty" alias:"offset" jsonschema:"number of pieces to skip in each part: already seen"`
	Tokens      int      `json:"tokens,omitempty" alias:"max_tokens,token_budget" jsonschema:"max tokens in the answer, best first; 0 means 1500"`
}

// A Question is what is asked.
type Question struct {
	Text         string
	Collections  []string
	Tokens, Skip int
}

// A Gatherer gathers evidence for a question, best first, under keys of the session's ledger: the items, remarks on how the question was read and on what could not be looked at,
// and all of it for a workflow.
type Gatherer func(ctx context.Context, q Question) (list []evidence.Item, remarks []string, data any, err error)

// Ask is the tool ask.
func Ask(s *agenttools.Session, gather Gatherer) agenttools.Definition {
	return agenttools.New("ask", "Answers a question, or several in one text, with the pieces of documents and code that fit best, best first: sentences, table rows, lines of code, and callers if it asks for them.",
		"Use it for a first overview of a question; then read what matters, and cite the keys.", func(ctx context.Context, in askInput) (*skill.Result, error) {
			tokens := agenttools.Tokens(in.Tokens, agenttools.AskTokens)
			list, remarks, data, err := gather(ctx, Question{in.Question, in.Collections, tokens, in.Skip})
			if err != nil {
				return nil, err
			}
			return s.Result(list, data, strings.Join(remarks, "\n"), agenttools.Shown{Tokens: tokens}), nil
		})
}
