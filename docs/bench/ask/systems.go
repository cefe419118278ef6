package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
)

// A bench holds what the systems search.
type bench struct {
	ws       *findspot.Workspace
	passages string
	embed    string
	plain    *docsearch.Library
}

func (b *bench) ask(ctx context.Context, system, q string) (*answer, error) {
	switch system {
	case "tiers":
		res, err := b.ws.SearchDocs(ctx, q, &docsearch.SearchOptions{Mode: docsearch.ModeWords})
		if err != nil {
			return nil, err
		}
		return listed(res, false), nil
	case "bm25", "hybrid":
		if b.plain == nil {
			lib, err := openPassages(ctx, b.passages, b.embed)
			if err != nil {
				return nil, err
			}
			b.plain = lib
		}
		res, err := b.plain.Search(ctx, q, &docsearch.SearchOptions{Tiers: []docsearch.Tier{docsearch.TierAny}, Limit: 20, Passages: 20, Snippet: 700, Kinds: []string{"text"}, Boosts: &docsearch.Boosts{}})
		if err != nil {
			return nil, err
		}
		words := listed(res, true)
		if system == "bm25" {
			return words, nil
		}
		if res, err = b.plain.Search(ctx, q, &docsearch.SearchOptions{Mode: docsearch.ModeVectors, Limit: 20, Passages: 20, Snippet: 700}); err != nil {
			return nil, err
		}
		return fused(words, listed(res, true)), nil
	case "ask", "all": // all: every candidate, with what it is judged by
		o := &findspot.AskOptions{}
		if system == "all" {
			o = &findspot.AskOptions{Tokens: 1 << 20, Passages: 60, Documents: 14, Entities: 40, Why: true}
		}
		ans, err := b.ws.Ask(ctx, q, o)
		if err != nil {
			return nil, err
		}
		text := ans.String()
		out := &answer{tokens: len(text) / 4}
		for _, p := range ans.Parts {
			out.nothing = out.nothing || p.Nothing
		}
		for _, it := range ans.Items {
			p := piece{text: it.Note + "\n" + it.Text, tokens: out.tokens, signals: ans.Why[it.Key]}
			if i := strings.Index(text, "["+it.Key+"] "); i >= 0 {
				if j := strings.Index(text[i+1:], "\n["); j >= 0 {
					p.tokens = (i + j) / 4
				}
			}
			if it.IsDocument() {
				p.doc = it.At.Name
			} else {
				p.code, p.entity = it.At.Path, it.At.Entity[strings.Index(it.At.Entity, "//")+1:]
				p.entity = strings.TrimPrefix(p.entity, "/")
			}
			out.pieces = append(out.pieces, p)
		}
		return out, nil
	}
	return nil, fmt.Errorf("no system is called so")
}

// fused are the pieces of both lists by reciprocal rank. Two pieces are one where the middle of one stands in the other.
func fused(lists ...*answer) *answer {
	type vote struct {
		piece
		votes float64
	}
	var all []*vote
	middle := func(s string) string { return s[len(s)*2/5 : len(s)*3/5] }
	for _, l := range lists {
		for i, p := range l.pieces[:min(len(l.pieces), 100)] {
			at := slices.IndexFunc(all, func(v *vote) bool {
				return v.doc == p.doc && (strings.Contains(v.text, middle(p.text)) || strings.Contains(p.text, middle(v.text)))
			})
			if at < 0 {
				at = len(all)
				all = append(all, &vote{piece: p})
			}
			all[at].votes += 1 / float64(61+i)
		}
	}
	slices.SortStableFunc(all, func(a, b *vote) int { return cmp.Compare(b.votes, a.votes) })
	out := &answer{}
	for _, v := range all[:min(len(all), 30)] {
		out.tokens += len(v.text)/4 + 20
		v.tokens = out.tokens
		out.pieces = append(out.pieces, v.piece)
	}
	return out
}

// listed are the passages of a search, as it lists them or by their scores.
func listed(res *docsearch.Results, byScore bool) *answer {
	type scored struct {
		piece
		score float64
	}
	var all []scored
	for _, h := range res.Hits {
		for _, p := range h.Passages {
			s := scored{piece{doc: filepath.ToSlash(h.Name), text: p.Snippet}, p.Score}
			s.signals = p.Signals
			all = append(all, s)
		}
	}
	if byScore {
		slices.SortStableFunc(all, func(x, y scored) int { return cmp.Compare(y.score, x.score) })
	}
	out := &answer{}
	for _, s := range all {
		out.tokens += len(s.text)/4 + 20
		s.piece.tokens = out.tokens
		out.pieces = append(out.pieces, s.piece)
	}
	return out
}
