package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill/evidence"
)

// A score counts what was to be found, and what was.
type score struct{ edits, broken, named, sound, alone, moved, found int }

func (s *score) add(o score) {
	s.edits += o.edits
	s.broken, s.named = s.broken+o.broken, s.named+o.named
	s.sound, s.alone = s.sound+o.sound, s.alone+o.alone
	s.moved, s.found = s.moved+o.moved, s.found+o.found
}

// A table has scores by kind of edit, in the order of the edits.
type table struct {
	kinds []string
	by    map[string]*score
}

func (t *table) add(group, kind string, s score) {
	all := "all of the first"
	if group == "later" {
		all = "all of the later"
	}
	for _, k := range []string{group + ": " + kind, all} {
		if t.by[k] == nil {
			t.by[k] = &score{}
			t.kinds = append(t.kinds, k)
		}
		t.by[k].add(s)
	}
}

func (t *table) String() string {
	var b strings.Builder
	b.WriteString("| edits | number | broken sentences named | others left alone | moved evidence found |\n|---|---|---|---|---|\n")
	share := func(n, of int) string {
		if of == 0 {
			return "-"
		}
		return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(of))
	}
	order := slices.Clone(t.kinds)
	sum := func(k string) int { return map[bool]int{true: 1}[strings.HasPrefix(k, "all ")] }
	slices.SortStableFunc(order, func(a, b string) int { return sum(a) - sum(b) })
	for _, k := range order {
		s := t.by[k]
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |\n", k, s.edits, share(s.named, s.broken), share(s.alone, s.sound), share(s.found, s.moved))
	}
	return b.String()
}

// run makes all edits, each in a world of its own.
func run(ctx context.Context, only string) (*table, []string, error) {
	t := &table{by: map[string]*score{}}
	var misses []string
	for _, group := range []struct {
		what  string
		edits []edit
	}{{"documents", documents}, {"code", code}, {"later", later}} {
		for _, e := range group.edits {
			if !strings.Contains(e.kind+" "+e.name, only) {
				continue
			}
			s, missed, err := measure(ctx, e)
			if err != nil {
				return nil, nil, fmt.Errorf("%s, %s: %w", e.kind, e.name, err)
			}
			t.add(group.what, e.kind, s)
			for _, m := range missed {
				misses = append(misses, fmt.Sprintf("%s, %s: %s", e.kind, e.name, m))
			}
		}
	}
	return t, misses, nil
}

// measure saves an answer, makes an edit, and compares what is said of the answer with what is known. Facts in files that the edit leaves as they are do not count.
func measure(ctx context.Context, e edit) (s score, missed []string, err error) {
	dir, err := os.MkdirTemp("", "living-")
	if err != nil {
		return s, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ws, err := findspot.Open(ctx, filepath.Join(dir, "index"), &findspot.Options{NoServers: true})
	if err != nil {
		return s, nil, err
	}
	defer func() { err = errors.Join(err, ws.Close()) }()
	w := newWorld()
	before, was := w.write()
	if err := bring(ctx, ws, dir, nil, before); err != nil {
		return s, nil, err
	}
	old, err := places(ctx, ws, w, was)
	if err != nil {
		return s, nil, err
	}
	answer, err := save(ctx, ws, w, old)
	if err != nil {
		return s, nil, err
	}
	e.do(w)
	after, is := w.write()
	if err := bring(ctx, ws, dir, before, after); err != nil {
		return s, nil, err
	}
	now, err := places(ctx, ws, w, is)
	if err != nil {
		return s, nil, err
	}
	rep, err := ws.Recheck(ctx, answer, &findspot.RecheckOptions{Judge: evidence.JudgeChanged})
	if err != nil {
		return s, nil, err
	}
	if rep.Updated != nil {
		if err := rep.Updated.Check(ctx, ws); err != nil {
			return s, nil, fmt.Errorf("the answer with new places: %w", err)
		}
	}
	if rep.Holds != !slices.ContainsFunc(rep.Sentences, func(s evidence.SentenceCheck) bool { return !s.Holds }) {
		missed = append(missed, strings.Join(rep.Problems, "; "))
	}
	s.edits = 1
	for i, f := range w.facts {
		at, there := now[f.id]
		if there && before[f.file] == after[f.file] && at == old[f.id] {
			continue
		}
		it, said := rep.Items[i], rep.Sentences[i]
		miss := func(what string) {
			missed = append(missed, fmt.Sprintf("%s: %s: %s at %s, known %s; score %.2f %s %s", f.id, what, it.State, it.At, at, it.Score, it.Note, said.Reason))
		}
		if !there || w.broken[f.id] {
			if s.broken++; !said.Holds {
				s.named++
			} else {
				miss("broken, and not named")
			}
			continue
		}
		if s.sound++; said.Holds {
			s.alone++
		} else {
			miss("sound, and called broken")
		}
		if at != old[f.id] && !w.reworded[f.id] {
			s.moved++
			it.At.Title, it.At.Entity, at.Title, at.Entity = "", "", "", ""
			if it.At == at {
				s.found++
			} else {
				miss("not found where it is")
			}
		}
	}
	return s, missed, nil
}

// bring writes files, removes those that are there no more, and brings the index up to date.
func bring(ctx context.Context, ws *findspot.Workspace, dir string, before, after map[string]string) error {
	for name := range before {
		if _, ok := after[name]; !ok {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	for name, content := range after {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(content), 0o666)); err != nil {
			return err
		}
	}
	for _, err := range ws.AddDocs(ctx, filepath.Join(dir, "docs")) {
		if bad := (*docsearch.IngestError)(nil); err != nil && !errors.As(err, &bad) {
			return err
		}
	}
	_, err := ws.AddRepo(ctx, filepath.Join(dir, "code"), nil)
	return err
}

// places turns spots into places as the index has them.
func places(ctx context.Context, ws *findspot.Workspace, w *world, spots map[string]spot) (map[string]evidence.Place, error) {
	lib, err := ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]evidence.Place{}
	for _, f := range w.facts {
		s, ok := spots[f.id]
		if !ok {
			continue
		}
		folder, name, _ := strings.Cut(s.file, "/")
		if folder == "code" {
			out[f.id] = evidence.Place{Path: name, Line: s.first, EndLine: s.last, Entity: name + ":" + f.entity}
			continue
		}
		d, err := lib.Resolve(ctx, name)
		if err != nil {
			return nil, err
		}
		at := evidence.Place{Doc: d.ID, Name: d.Name, Title: d.Title, Page: 1, Line: s.first, EndLine: s.last}
		if s.page > 0 {
			if at, err = onPage(ctx, lib, at, s); err != nil {
				return nil, fmt.Errorf("%s: %w", f.id, err)
			}
		}
		out[f.id] = at
	}
	return out, nil
}

// onPage finds the lines of a PDF that were typeset.
func onPage(ctx context.Context, lib *docsearch.Library, at evidence.Place, s spot) (evidence.Place, error) {
	x, err := lib.View(ctx, at.Doc, docsearch.Lines{First: 1})
	if err != nil {
		return at, err
	}
	lines := strings.Split(x.Text, "\n")
	for i := range lines {
		if strings.TrimSpace(lines[i]) != s.lines[0] {
			continue
		}
		one, err := lib.View(ctx, at.Doc, docsearch.Lines{First: i + 1, Last: i + 1})
		if err != nil {
			return at, err
		}
		if one.Page != s.page {
			continue
		}
		at.Page, at.Line = s.page, i+1
		for k := i; k < len(lines); k++ {
			if strings.TrimSpace(lines[k]) == s.lines[len(s.lines)-1] {
				at.EndLine = k + 1
				return at, nil
			}
		}
	}
	return at, fmt.Errorf("page %d has no line %q", s.page, s.lines[0])
}

// save seals an answer of all facts.
func save(ctx context.Context, ws *findspot.Workspace, w *world, at map[string]evidence.Place) (*evidence.Answer, error) {
	led := evidence.NewLedger()
	var text strings.Builder
	for _, f := range w.facts {
		it := evidence.Item{Kind: evidence.KindPassage, At: at[f.id], Text: f.evidence}
		if it.At.Path != "" {
			it.Kind = evidence.KindEntity
		}
		fmt.Fprintf(&text, "%s [%s].\n\n", strings.TrimSuffix(f.sentence, "."), led.Add(it).Key)
	}
	a := &evidence.Answer{Text: text.String(), Rules: evidence.Rules{EveryClaim: true}}
	if err := a.Seal(ctx, ws, led); err != nil {
		return nil, err
	}
	rep, err := a.Verify(ctx, ws, nil)
	if err != nil {
		return nil, err
	}
	for _, f := range rep.Findings {
		if !f.Holds {
			return nil, fmt.Errorf("the answer does not hold before any edit: %w", rep.Err())
		}
	}
	return a, nil
}
