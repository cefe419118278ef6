package written

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lru"
	"github.com/findspot/findspot/skill/evidence"
)

// maxAddresses bounds what one text cites.
const maxAddresses = 2000

// A Library finds what addresses name. A workspace's sources, and folders, are such.
type Library interface {
	evidence.Source
	// Named returns the place of the document that a name means: its name or the end of that, its number, or its title. Several are an error that
	// names them; none is one wrapping the house's not-found error.
	Named(ctx context.Context, name string) (evidence.Place, error)
}

// maxRemembered bounds the texts that one check remembers, in bytes.
const maxRemembered = 16 << 20

// remembered is a library whose places are read once in a check, however many sentences cite them.
type remembered struct {
	Library
	texts *lru.Cache[evidence.Place, string]
}

func (r remembered) Text(ctx context.Context, at evidence.Place) (string, error) {
	if text, ok := r.texts.Get(at); ok {
		return text, nil
	}
	text, err := r.Library.Text(ctx, at)
	if err == nil {
		r.texts.Put(at, text, len(text))
	}
	return text, err
}

// resolver turns addresses into items.
type resolver struct {
	lib   Library
	led   *evidence.Ledger
	given map[string]evidence.Place
	taken map[string]bool           // keys that the text has itself
	keys  map[string][]string       // of addresses, by how they are written
	next  map[string]int            // number of the next key, by its letter
	have  map[evidence.Place]string // keys, by where they lead
	shown map[string]string         // how the text writes a key
	files map[string]bool           // names that were looked up
	out   []cited
}

// cited is a key of the text that is judged, with what it stands for.
type cited struct {
	key string
	evidence.CitedKey
}

// keysOf gives the keys of an address: one, or one for each page. label is the key that is defined as this; "" for none.
func (v *resolver) keysOf(ctx context.Context, label string, a address) ([]string, error) {
	name := label
	if name == "" {
		name = a.written
	}
	if keys, ok := v.keys[name]; ok {
		return keys, nil
	}
	if len(v.keys) == maxAddresses {
		return nil, fmt.Errorf("text: %w: it cites over %d places", errs.TooLarge, maxAddresses)
	}
	places, err := []evidence.Place{v.given[label]}, error(nil)
	if _, ok := v.given[label]; !ok {
		places, err = v.places(ctx, a)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var keys []string
	add := func(it evidence.Item, at evidence.Place, problem error) error {
		kind := "C"
		if it.IsDocument() || problem != nil && !a.code {
			kind = "D"
		}
		key := label
		if len(keys) > 0 || !nativeKey.MatchString(label) || label[:1] != kind {
			key = v.fresh(kind)
		}
		keys = append(keys, key)
		v.shown[key] = name
		c := cited{key, evidence.CitedKey{Key: name, At: it.At, Text: it.Text}}
		if problem != nil {
			c.Problem = problem.Error()
		} else {
			if had := v.have[unnamed(at)]; had != "" { // written in another way
				keys[len(keys)-1], c.key = had, had
				delete(v.shown, key)
			} else {
				v.have[unnamed(at)] = key
				it.Key, it.Hash = key, evidence.Hash(it.Text)
				if err := v.led.Restore(it); err != nil {
					return err
				}
			}
		}
		v.out = append(v.out, c)
		return nil
	}
	if err != nil {
		err = add(evidence.Item{}, evidence.Place{}, err)
	}
	for _, at := range places {
		if err != nil {
			break
		}
		it, problem := v.item(ctx, at)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		err = add(it, at, problem)
	}
	v.keys[name] = keys
	return keys, err
}

// unnamed is a place as places are compared.
func unnamed(at evidence.Place) evidence.Place {
	if at.Doc != "" {
		at.Name, at.Title = "", ""
	}
	return at
}

// fresh is a key that neither the text nor the ledger has.
func (v *resolver) fresh(kind string) string {
	for {
		v.next[kind]++
		key := kind + strconv.Itoa(v.next[kind])
		if _, ok := v.led.Get(key); !ok && !v.taken[key] {
			return key
		}
	}
}

// places are where an address leads: in code first where it is written as such, else in documents.
func (v *resolver) places(ctx context.Context, a address) ([]evidence.Place, error) {
	if a.bare {
		return nil, v.bareName(ctx, a.name)
	}
	if a.toPage > a.page && a.toPage-a.page >= maxPages {
		return nil, fmt.Errorf("%d pages are no place: name lines, or at most %d pages", a.toPage-a.page+1, maxPages)
	}
	if a.toPage > 0 && a.toPage < a.page || a.toLine > 0 && a.toLine < a.line {
		return nil, errors.New("the place ends before it begins")
	}
	code := func() (evidence.Place, error) {
		at := evidence.Place{Path: a.name, Line: a.line, EndLine: max(a.toLine, a.line)}
		if repo, path, ok := strings.Cut(a.name, "//"); ok {
			at.Repo, at.Path = repo, path
		}
		_, err := v.lib.Text(ctx, at)
		return at, err
	}
	if a.page > 0 {
		at, err := v.lib.Named(ctx, a.name)
		if err != nil {
			return nil, err
		}
		var out []evidence.Place
		for p := a.page; p <= max(a.page, a.toPage); p++ {
			at.Page = p
			out = append(out, at)
		}
		if a.line > 0 {
			out = out[:1]
			out[0].Line, out[0].EndLine = a.line, max(a.toLine, a.line)
			if a.toPage > a.page {
				out[0].Page = 0
			}
		}
		return out, nil
	}
	at, err := code()
	if err == nil {
		return []evidence.Place{at}, nil
	}
	doc, docErr := v.lib.Named(ctx, a.name)
	switch {
	case docErr == nil:
		doc.Line, doc.EndLine = a.line, max(a.toLine, a.line)
		return []evidence.Place{doc}, nil
	case a.code:
		return nil, err
	}
	return nil, docErr
}

// isFile reports whether a name, with its ending, is that of documents or of a file of code.
func (v *resolver) isFile(ctx context.Context, name string) bool {
	if known, ok := v.files[name]; ok || len(v.files) == maxAddresses {
		return known
	}
	at, err := v.lib.Named(ctx, name)
	ok := err == nil && (at.Name == name || strings.HasSuffix(at.Name, "/"+name)) || err != nil && !errors.Is(err, errs.NotFound)
	if !ok {
		_, err := v.lib.Text(ctx, evidence.Place{Path: name, Line: 1, EndLine: 1})
		ok = err == nil
	}
	v.files[name] = ok
	return ok
}

// bareName says how a place in a document or file is written.
func (v *resolver) bareName(ctx context.Context, name string) error {
	at, err := v.lib.Named(ctx, name)
	switch {
	case err != nil && !errors.Is(err, errs.NotFound):
		return err
	case err != nil:
		return fmt.Errorf("it names no lines: write them behind the name, such as [%s:10-24]", name)
	}
	at.Page = 2
	if _, err := v.lib.Text(ctx, at); err != nil { // it has no pages, or one
		return fmt.Errorf("it names no lines: write them behind the name, such as [%s]", Address(name, 0, 10, 14))
	}
	return fmt.Errorf("it names no page: write it behind the name, such as [%s], or also the lines, which count through the document, such as [%s] (findspot pdf FILE --find TEXT prints those of a text)",
		Address(name, 2, 0, 0), Address(name, 1, 10, 14))
}

// maxItem bounds the text of a place that is judged, in bytes.
const maxItem = 32 << 10

// item is the evidence at a place, as the source has it.
func (v *resolver) item(ctx context.Context, at evidence.Place) (evidence.Item, error) {
	it := evidence.Item{Kind: evidence.KindText, At: at}
	if at.Doc != "" {
		it.Kind = evidence.KindPassage
	}
	text, err := v.lib.Text(ctx, at)
	switch {
	case err != nil:
		return it, err
	case strings.TrimSpace(text) == "":
		return it, fmt.Errorf("nothing stands there: %w", errs.NotFound)
	case len(text) > maxItem:
		return it, fmt.Errorf("%w: %d bytes stand there, the limit is %d: name fewer lines", errs.TooLarge, len(text), maxItem)
	}
	it.Text = text
	return it, nil
}
