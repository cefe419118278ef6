package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/grammar"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/phrase"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/workflow"
)

// Bounds of what makes queries.
const (
	corpusLimit = 12  // passages of which words are taken
	maxQuery    = 200 // runes of a query that a model made
)

// fromCorpus asks the documents once: for words of the task that occur nowhere the search tool suggests some that do, and
// the passages that it finds give the word groups that they share.
func (s *searcher) fromCorpus(ctx context.Context, task, query string) (queries []string, note string, err error) {
	args, _ := s.caller.known(convention.SearchDocs, map[string]any{"query": query, "limit": corpusLimit})
	data, err := jsonvalue.Marshal(args)
	if err != nil {
		return nil, "", err
	}
	res, err := s.caller.call(ctx, convention.SearchDocs, data, byStep)
	switch {
	case hardError(err):
		return nil, "", err
	case err != nil:
		return nil, "the documents gave no words: " + err.Error(), nil
	}
	if m, ok := res.Data.(map[string]any); ok {
		list, _ := m["suggestions"].([]any)
		for _, el := range list {
			s, _ := el.(map[string]any)
			word, _ := s["word"].(string)
			instead, _ := s["suggestion"].(string)
			if word != "" && instead != "" && strings.Contains(query, word) {
				queries = append(queries, strings.ReplaceAll(query, word, instead), instead)
			}
		}
	}
	var found []string
	for _, it := range res.Items {
		found = append(found, it.Text)
	}
	return append(queries, phrase.Common(found, task, map[string]bool{phrase.Fold(query): true})...), "", nil
}

// querySchema is what a model answers that is asked for queries.
func querySchema(most int) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"object","required":["queries"],"additionalProperties":false,`+
		`"properties":{"queries":{"type":"array","maxItems":%d,"items":{"type":"string","minLength":2,"maxLength":%d}}}}`, most, maxQuery))
}

// fromModel asks the model for queries. A model that cannot is no reason to stop: the words at hand do.
func (s *searcher) fromModel(ctx context.Context, f *frame, prompt string, items []evidence.Item, have []string, most int) (queries []string, note string, err error) {
	if s.writer.model == nil {
		return nil, "no model to make queries", nil
	}
	if len(have) > 0 {
		prompt += "\nThere are already:\n" + show.Data(strings.Join(have[:min(len(have), 40)], "; "))
	}
	answer, err := s.writer.generate(ctx, f, &job{role: skill.RoleWorker, prompt: prompt, items: items[:min(len(items), corpusLimit)], schema: querySchema(most)})
	switch {
	case hardError(err):
		return nil, "", err
	case err != nil:
		return nil, "the model made no queries: " + err.Error(), nil
	}
	var out struct {
		Queries []string `json:"queries"`
	}
	if err := json.Unmarshal([]byte(answer), &out); err != nil { // cannot be: it conforms
		return nil, "", err
	}
	for _, q := range out.Queries {
		if q = strings.Join(strings.Fields(q), " "); len([]rune(q)) <= maxQuery {
			queries = append(queries, q)
		}
	}
	return queries, "", nil
}

const expandPrompt = `Give search queries for the documents and the code: two or three words each, the words that an author would have used,
synonyms and spelled-out abbreviations among them. No sentences.`

const refinePrompt = `Give the next search queries for what the evidence does not say yet: two or three words each, in the words of
the evidence where it has them. No query twice.`

// expand makes queries: the task without its openers, the glossary's words for what it names, the terms the skill adds,
// what the documents or the model give if the step says so, and the task's own phrases.
func (s *searcher) expand(ctx context.Context, f *frame, e *workflow.Expand) (value, string, error) {
	v, err := f.template(e.Of)
	if err != nil {
		return none(), "", err
	}
	task := strings.Join(jsonvalue.Texts(v), " ")
	if len(task) > phrase.MaxTask {
		task = strings.ToValidUTF8(task[:phrase.MaxTask], "")
	}
	phrases := phrase.Key(task)
	main := strings.Join(phrases, " ")
	if main == "" {
		main = strings.TrimSpace(task)
	}
	queries := []string{main}
	if e.Glossary != "" {
		data, err := f.skill.Asset(e.Glossary)
		if err != nil {
			return none(), "", fmt.Errorf("glossary: %w", err)
		}
		queries = append(queries, phrase.GlossaryTerms(string(data), task)...)
	}
	for _, t := range e.Add {
		v, err := f.template(t)
		if err != nil {
			return none(), "", err
		}
		queries = append(queries, jsonvalue.Texts(v)...)
	}
	keep := e.Keep
	if keep == 0 {
		keep = defaultQueries
	}
	var notes []string
	more := func(q []string, note string, err error) error {
		queries = append(queries, q...)
		if note != "" {
			notes = append(notes, note)
		}
		return err
	}
	if slices.Contains(e.By, grammar.ByModel) && main != "" {
		if err := more(s.fromModel(ctx, f, "Task: "+f.told(e.Of, task)+"\n"+expandPrompt, nil, phrase.Distinct(queries), keep)); err != nil {
			return none(), "", err
		}
	}
	queries = append(queries, phrases...)
	if slices.Contains(e.By, grammar.ByCorpus) && main != "" {
		if err := more(s.fromCorpus(ctx, task, main)); err != nil {
			return none(), "", err
		}
	}
	queries = phrase.Distinct(queries)
	return queriesValue(queries[:min(keep, len(queries))]), strings.Join(notes, "; "), nil
}

// refine makes the next queries from what was found: the model's, if the step says so, then the word groups that several
// of the found texts share, those with a word of the task first. Queries that were already searched are left out.
func (s *searcher) refine(ctx context.Context, f *frame, r *workflow.Refine) (value, string, error) {
	from, err := f.template(r.From)
	if err != nil {
		return none(), "", err
	}
	said, err := f.template(r.Task)
	if err != nil {
		return none(), "", err
	}
	task := strings.Join(jsonvalue.Texts(said), " ")
	keep := r.Keep
	if keep == 0 {
		keep = defaultQueries
	}
	items := itemsIn(from, s.caller.ledger)
	var queries []string
	note := ""
	if slices.Contains(r.By, grammar.ByModel) {
		var asked []string
		for q := range f.asked {
			asked = append(asked, q)
		}
		slices.Sort(asked)
		made, why, err := s.fromModel(ctx, f, "Task: "+f.told(r.Task, task)+"\n"+refinePrompt, items, asked, keep)
		if err != nil {
			return none(), "", err
		}
		note = why
		for _, q := range made {
			if !f.asked[phrase.Fold(q)] {
				queries = append(queries, q)
			}
		}
	}
	var found []string
	for _, it := range items {
		found = append(found, it.Text)
	}
	if len(found) == 0 {
		found = jsonvalue.Texts(from)
	}
	queries = append(queries, phrase.Common(found, task, f.asked)...)
	if len(queries) == 0 { // nothing to learn from: look wider, with the task's single words
		queries = phrase.Single(task, f.asked)
	}
	queries = phrase.Distinct(queries)
	return queriesValue(queries[:min(keep, len(queries))]), note, nil
}
