package findspot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/answer"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/citation"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/living"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/symbol"
	"github.com/findspot/findspot/internal/written"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// AskOptions of [Workspace.Ask], and those of its last four fields of [Workspace.ReferenceAnswer].
type AskOptions struct {
	// Tokens is how long the answer may be, in tokens by estimate (four bytes each); 0 means 1,500. The best pieces come first, and each part of a question has its
	// share. Callers are named even so; of their code is shown what fits.
	Tokens    int
	Why       bool // say what the scores of pieces are made of
	Skip      int  // pieces of each part that were seen already: an answer with Left of them goes on behind these
	Documents int  // most documents to take pieces from; 0 means 10
	Passages  int  // most pieces of one document; 0 means 5
	Entities  int  // most code entities, callers aside; 0 means 12
	// Collections limits the documents to those in one of these collections; nil means all. One that is not there is among Problems.
	Collections []string
	Ledger      *evidence.Ledger // gives the keys; nil means a new one
	Callers     *CallersOptions
	Bodies      int // most callers whose code is read; 0 means 50, -1 none. All are named
	Lines       int // most lines of a caller's code that is given whole; 0 means 60. Of a longer one the lines around its uses
}

// An Answer is the evidence for a question. Items holds everything that was found, in the order of its keys; the other
// fields say how it was found.
type Answer struct {
	Question string          `json:"question"`
	Topic    string          `json:"topic"` // what documents and code were searched for
	Parts    []AnswerPart    `json:"parts"` // of the topic, each with the items that answer it; never nil
	Items    []evidence.Item `json:"items"` // never nil
	// Why has, for the pieces of Parts by their keys, the signals that their scores are made of, each from 0 to 1; with [AskOptions].Why alone.
	Why         map[string]map[string]float64 `json:"why,omitempty"`
	Callers     []*CallersResult              `json:"callers"` // one for each symbol whose callers were asked for; never nil
	Missing     []MissingSymbol               `json:"missing,omitempty"`
	Assumptions []string                      `json:"assumptions"` // how the question was understood, where that was not plain
	Searched    AnswerSearched                `json:"searched"`
	Problems    []string                      `json:"problems"` // what could not be looked at
	Asked       bool                          `json:"-"`        // the question asks for callers or uses of something in code
	Complete    bool                          `json:"-"`        // all of Callers are complete, there is at least one, and nothing is missing
}

// An AnswerPart is one of the questions that a text asks, with what answers it.
type AnswerPart struct {
	Question string   `json:"question"`
	Keys     []string `json:"keys"`    // of its items, best first
	Nothing  bool     `json:"nothing"` // nothing is near: what Keys names is about something else
	Left     int      `json:"left"`    // pieces that were found and left out; [AskOptions].Tokens and Skip give them
	Far      int      `json:"far"`     // pieces that share common words with the question alone, and are no answer
}

// AnswerSearched says what an answer looked at.
type AnswerSearched struct {
	Documents    int                 `json:"documents"`    // documents in the library that were searched
	Failed       int                 `json:"failed"`       // documents that could not be read and were not searched
	Repositories int                 `json:"repositories"` // repositories searched
	Entities     int                 `json:"entities"`     // entities in their graphs
	Queries      []string            `json:"queries"`      // what documents were searched for
	FullText     bool                `json:"full_text"`    // nothing matched in the index, and the whole texts were read
	Freshness    docsearch.Freshness `json:"freshness"`
}

// Ask gathers the evidence that documents and code hold for a question, without a model. Documents are searched for the
// question and for the phrases in it; code for the names and words in it; callers are looked up when the question asks
// for them ("who calls X", "where is X used"), and the callers' code is read; [Workspace.ReferenceAnswer] gives this part
// alone. A phrase in the place of a symbol that is no symbol ("the detector") is taken for the entity of that name, and
// Assumptions says so.
//
// Ask returns an error only when nothing could be looked at, or ctx ended; what else went wrong is in Problems.
func (w *Workspace) Ask(ctx context.Context, q string, o *AskOptions) (*Answer, error) {
	if strings.TrimSpace(q) == "" {
		return nil, errors.New("ask: the question is empty")
	}
	repos, err := w.repos.Fresh(ctx)
	if err != nil {
		return nil, err
	}
	rooms, opt := w.rooms(repos, o)
	found, err := answer.Ask(ctx, rooms, q, opt)
	if err != nil {
		return nil, err
	}
	ans := newAnswer(q, found)
	if o != nil && o.Why {
		ans.Why = found.Why
	}
	return ans, ctx.Err()
}

// rooms are what answers come from, with what bounds them.
func (w *Workspace) rooms(repos []*repository.Repository, o *AskOptions) (answer.Rooms, answer.Options) {
	var opt AskOptions
	if o != nil {
		opt = *o
	}
	if opt.Ledger == nil {
		opt.Ledger = evidence.NewLedger()
	}
	guard := w.guard()
	return answer.Rooms{
			Documents: w.SearchDocs, Repos: repos, Lines: w.repos.Lines,
			Callers: func(ctx context.Context, name string) (*callers.Result, error) {
				return w.callers(ctx, name, opt.Callers)
			},
			Key: func(it evidence.Item) evidence.Item { return opt.Ledger.Add(guard.Item(it)) },
		}, answer.Options{
			Tokens: opt.Tokens, Skip: opt.Skip, Documents: opt.Documents, Passages: opt.Passages, Entities: opt.Entities, Collections: opt.Collections, Bodies: opt.Bodies, Lines: opt.Lines,
		}
}

// ReferenceQuestion tells whether a text asks who calls or uses something in code ("who calls X", "where is X
// referenced", "list every place that uses X", "X's callers"), and what: the objects as they are written, in order, without
// quotes, articles and argument lists. "the run method of Server" is Server.run.
//
// It reads the form first, then how the object is written: something in back quotes, a word that is written as programs write
// names, a word that the text calls a function or class, or a noun phrase that may name a piece of code ("the cell
// searcher"). A phrase that only a graph could tell ("the shots") is none; [Workspace.ReferenceAnswer] looks there.
// Questions about documents ("which standard references X", "where is X used in TS 38.331") are none. At most the first
// 4,000 bytes are read, and at most 8 objects are given.
func ReferenceQuestion(text string) (objects []string, ok bool) { return intent.References(text) }

// A MissingSymbol is a name that a question asks about and no repository has.
type MissingSymbol struct {
	Asked string   `json:"asked"`
	Near  []string `json:"near"` // ids of entities with names like it, nearest first; may be empty
}

// CallersCode says how far the code of callers was read.
type CallersCode struct {
	Read   int      `json:"read"`             // entities whose code was read: every line that uses the symbol, with what is around it
	Unread []string `json:"unread,omitempty"` // the other entities, as "id: reason"
	// Complete is the end of a reference question: a language server or the graph gave callers, the code of every one was
	// read, and so was every place of the name that nothing explains; or it is verified that there are none.
	Complete bool `json:"complete"`
}

// ReferenceAnswer answers a question for callers and uses ("who calls X", "where is X referenced"; see [ReferenceQuestion]
// for the forms): each object is resolved to a symbol of the graphs, its callers and uses are looked up by
// [Workspace.Callers], and the code of each caller is read. A question that does not ask this gives an answer with Asked
// false and no error. A phrase ("the cell searcher") is taken for the entity of that name, and Assumptions says so; a
// name that looks meant and is no symbol is in Missing, with near names.
//
// The result of each look-up is evidence of its own: an item of kind reference whose text is the verdict and what was
// searched, so that "nobody calls it" has a key too.
func (w *Workspace) ReferenceAnswer(ctx context.Context, question string, o *AskOptions) (*Answer, error) {
	if len(intent.Parse(question).References) == 0 {
		return newAnswer(question, &answer.Answer{Topic: intent.TrimTopic(question)}), nil
	}
	repos, err := w.repos.Fresh(ctx)
	if err != nil {
		return nil, err
	}
	if len(repos) == 0 {
		return nil, fmt.Errorf("references of %q: no repository in workspace %s: add one", question, w.dir)
	}
	rooms, opt := w.rooms(repos, o)
	found, err := answer.References(ctx, rooms, question, opt)
	if err != nil {
		return nil, err
	}
	return newAnswer(question, found), nil
}

// FirstCalls are the calls of [Workspace.Tools] with which work on a question begins, for
// [github.com/findspot/findspot/skill/agent.GatherOptions]: for one that asks for callers or uses, the references of each symbol and the
// code of the callers; for a name that looks meant and is no symbol, a search for names like it. Empty for any other.
func (w *Workspace) FirstCalls(ctx context.Context, question string) ([]skill.ToolCall, error) {
	q := intent.Parse(question)
	if len(q.References) == 0 {
		return nil, nil
	}
	repos, err := w.repos.Fresh(ctx)
	if err != nil || len(repos) == 0 {
		return nil, err
	}
	found, err := symbol.Resolve(ctx, repos, q)
	if err != nil {
		return nil, err
	}
	var calls []skill.ToolCall
	call := func(tool, arg, value string) error {
		data, err := json.Marshal(map[string]string{arg: value})
		calls = append(calls, skill.ToolCall{Name: tool, Args: data})
		return err
	}
	for _, t := range found.Targets {
		if err := call("references", "symbol", t.Name); err != nil {
			return nil, err
		}
		calls = append(calls, skill.ToolCall{Name: "read"}) // what that named
	}
	for _, m := range found.Missing {
		if err := call("search_entity", "query", m.Asked); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

// remarks say of the parts what their items do not.
func (a *Answer) remarks() []string {
	var out []string
	for _, p := range a.Parts {
		about := ""
		if len(a.Parts) > 1 {
			about = fmt.Sprintf("%q: ", p.Question)
			if len(p.Keys) > 0 {
				about = fmt.Sprintf("%q, from [%s]: ", p.Question, p.Keys[0])
			}
		}
		switch {
		case len(p.Keys) == 0:
			out = append(out, about+"nothing was found")
		case p.Nothing:
			out = append(out, about+"nothing was found that answers this; the nearest is about something else")
		case p.Left > 0:
			out = append(out, fmt.Sprintf("%s%d more with skip %d, or more tokens", about, p.Left, len(p.Keys)))
		case p.Far > 0:
			out = append(out, about+"nothing else is near")
		}
	}
	return out
}

// newAnswer is an answer as users see it.
func newAnswer(question string, a *answer.Answer) *Answer {
	parts := []AnswerPart{}
	for _, p := range a.Parts {
		p.Keys = notNil(p.Keys)
		parts = append(parts, AnswerPart(p))
	}
	return &Answer{
		Question: question, Topic: a.Topic, Parts: parts, Items: notNil(a.Items), Callers: answerCallers(a), Missing: missingSymbols(a), Assumptions: a.Assumptions, Problems: notNil(a.Problems),
		Asked: a.Asked, Complete: a.Complete(),
		Searched: AnswerSearched(a.Searched),
	}
}

func missingSymbols(a *answer.Answer) []MissingSymbol {
	var out []MissingSymbol
	for _, m := range a.Missing {
		out = append(out, MissingSymbol(m))
	}
	return out
}

// answerCallers are the callers of an answer with their keys.
func answerCallers(a *answer.Answer) []*CallersResult {
	out := []*CallersResult{}
	for _, c := range a.Callers {
		res := newCallers(c.Result)
		res.Key = c.Key
		code := CallersCode(*c.Code)
		res.Code = &code
		out = append(out, res)
	}
	return out
}

// notNil is an empty list for none, so that JSON has a list.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Text returns the text at a place, so that a quote can be checked against it: lines of a document or file, a page, or bytes
// of a document. A page without lines is followed by its figures and tables as searches show them. What a place says beside must be true: the name, the title and the page of its document. It makes a Workspace an
// [evidence.Source].
func (w *Workspace) Text(ctx context.Context, at evidence.Place) (string, error) {
	return w.sources().Text(ctx, at)
}

// Describe returns the hash of the file that a place is in, as it is on disk, and what reads it. Of a document that was given as
// bytes it is the hash of those. An index that is older than its file is an error wrapping [ErrStale]. It makes a Workspace an
// [evidence.Describer].
func (w *Workspace) Describe(ctx context.Context, at evidence.Place) (file, reader string, err error) {
	return w.sources().Describe(ctx, at)
}

// Original returns the content of the file of a document, of which at names the id, for whoever shows or marks its pages. One that has changed since it was
// added is an error wrapping [ErrStale]; a document that was given as bytes has none, an error wrapping [ErrNotFound]; a place in code is one wrapping [ErrUnsupported].
func (w *Workspace) Original(ctx context.Context, at evidence.Place) ([]byte, error) {
	return w.sources().Original(ctx, at)
}

func (w *Workspace) sources() *citation.Sources {
	return &citation.Sources{Documents: w.docs, Repos: w.repos, OCR: w.opt.OCR, ShowSecrets: w.opt.ShowSecrets}
}

// RecheckOptions of [Workspace.Recheck].
type RecheckOptions struct {
	// Derived believes evidence that is the result of a search and no text of a source; see [evidence.Item.Derived].
	Derived bool
	// Judge decides whether a sentence still holds when evidence that it cites has changed; nil: it does not.
	Judge evidence.JudgeFunc
}

// Recheck says what of a sealed answer still holds after documents or code have changed: of each piece of evidence whether it holds, has moved, has changed or is gone, and
// where it stands now, and of each sentence whether it holds. Where everything holds and something has moved, Updated of the result is the answer with its new places,
// sealed anew. [evidence.Answer.Verify] is stricter: nothing may have moved.
//
// Moved evidence has the same words, compared as [evidence.VerifyQuote] does, at another place: of the same document or file, else of another. Changed evidence has a text
// that is most like it, in place of the old one, with the words that went and came. The graphs of repositories are brought up to date; documents are
// those of the index, and one whose file has changed since is read from the file, which leaves the index as it is. Files that the index does not have are not looked at. A changed file
// that cannot be read, the 101st, or one beyond 512 MB of them leaves its evidence unread.
//
// Texts of over 16 MB are not searched, nor more than 512 MB in one call: the evidence that needs them is unread, and says why. The error is one of ctx or of the
// judge, or of an answer that is too large.
func (w *Workspace) Recheck(ctx context.Context, a *evidence.Answer, o *RecheckOptions) (*evidence.Recheck, error) {
	return living.Check(ctx, w.sources(), a, (*evidence.RecheckOptions)(o))
}

// VerifyText checks an answer as people and models write them, plain or in Markdown, that was never sealed: whether each sentence has a key, each quotation stands at its place,
// and the evidence says what the sentence claims. A key in square brackets is one of the options, or the text itself says what it stands for: by an
// address in its place, such as [paper.pdf p. 3, l. 10-14] or [receiver/pss.py:10-24], or in a line of its own, such as "[D1] paper.pdf p. 3". Such lines, and what is quoted
// below them, are no claims. What stands at the place in the sources now counts alone.
//
// A key that stands for nothing is named in the result, and what cites it does not hold. The error is one of ctx or of Decide, or of a text of over 1 MB or 2,000 places.
func (w *Workspace) VerifyText(ctx context.Context, text string, o *VerifyTextOptions) (*evidence.TextCheck, error) {
	return written.Check(ctx, text, w.sources(), (*written.Options)(o))
}

// citeTokens bounds what is looked at for one sentence.
const citeTokens = 3000

// Cite finds the evidence of one sentence in documents, with its keys and places: first what supports it by its words, then what words cannot decide, then what says
// something else. No model takes part. An error is that of [Workspace.Ask].
func (w *Workspace) Cite(ctx context.Context, sentence string, o *CiteOptions) (*Cited, error) {
	if strings.TrimSpace(sentence) == "" {
		return nil, errors.New("cite: the sentence is empty")
	}
	var opt CiteOptions
	if o != nil {
		opt = *o
	}
	if opt.Limit <= 0 {
		opt.Limit = 3
	}
	if opt.Ledger == nil {
		opt.Ledger = evidence.NewLedger()
	}
	rooms, ask := w.rooms(nil, &AskOptions{Ledger: opt.Ledger, Collections: opt.Collections, Tokens: citeTokens}) // code would take the place of documents, and is judged by nobody
	ans, err := answer.Ask(ctx, rooms, sentence, ask)
	if err != nil {
		return nil, fmt.Errorf("cite: %w", err)
	}
	places, err := evidence.RankSupport(ctx, opt.Ledger, sentence, ans.Items, &evidence.JudgeOptions{Source: w.sources()})
	if err != nil {
		return nil, err
	}
	return &Cited{Sentence: sentence, Places: places[:min(len(places), opt.Limit)], Remarks: notNil(slices.Concat(ans.Assumptions, ans.Problems))}, nil
}
