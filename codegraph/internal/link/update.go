package link

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// After an edit, the equations that it changed are found by comparing the digests of the file before and after. All that
// rests on one of these, through any number of steps, is forgotten and solved again; everything else stays. Forgetting all
// of it, and not only what no longer follows, keeps values from holding each other up in a circle after their source is gone.

const (
	maxEdited  = 100     // files; with more, as when a branch is switched, all is linked anew
	maxRetries = 30      // rounds in which what is given turned out to be less
	maxGarbage = 1 << 20 // links, values and cells that edits leave behind, before they are looked through
)

// Changes are what differs between two states: files, sorted by path, and whether any configuration does.
type Changes struct {
	Changed, Added, Removed []string
	Configs                 bool
}

// An edited is a file with what it holds now.
type edited struct {
	f     *File
	facts *lang.Facts
	table *lang.Table
}

// Update links again after files changed, came or went, and gives the files whose linkage may be another. With a reason why
// that is more than an update can do, all has to be linked anew, with a new linker.
func (l *Linker) Update(ctx context.Context, src Source, d *Changes) (files []*File, why string, err error) {
	if l.limit == 0 {
		l.limit, l.most = l.solver.size()+l.prog.reader.Names()+maxGarbage, l.solver.count+maxGarbage
	}
	if len(d.Changed)+len(d.Added)+len(d.Removed) > maxEdited {
		return nil, fmt.Sprintf("more than %d files differ", maxEdited), nil
	}
	full := l.solver.count > l.most
	if !full && l.solver.size()+l.prog.reader.Names() > l.limit {
		l.solver.compact()
		full = l.solver.size()+l.prog.reader.Names() > l.limit-maxGarbage/2
	}
	if full {
		return nil, "what edits left behind takes too much memory", nil
	}
	l.linked, l.solver.circles = nil, 0
	var edits []edited
	shifts := d.Configs
	for i, p := range slices.Concat(d.Changed, d.Added) {
		facts, table, err := src.Facts(p, &l.prog.reader)
		if err != nil {
			return nil, "", fmt.Errorf("codegraph: %s: %w", p, err)
		}
		if i >= len(d.Changed) {
			edits = append(edits, edited{facts: facts, table: table})
			shifts = shifts || src.Lang(p) != ""
			if l.prog.rules[src.Lang(p)].Includes {
				return nil, linkedTogether(p), nil
			}
			continue
		}
		f := l.prog.byPath[p]
		if f == nil || f.rules.Includes {
			return nil, linkedTogether(p), nil
		}
		edits = append(edits, edited{f, facts, table})
		shifts = shifts || facts.Package != f.Facts.Package
	}
	for _, p := range d.Removed {
		f := l.prog.byPath[p]
		if f == nil || f.rules.Includes {
			return nil, linkedTogether(p), nil
		}
		shifts = shifts || f.lang != ""
	}
	var h *shift
	if shifts {
		h = l.shift(src)
		l.moving = true
		defer func() { l.moving = false }()
	} else {
		l.modules.tree.src = src
	}
	structural := slices.ContainsFunc(edits, func(e edited) bool { return e.f != nil && l.structural(e.f) })
	for _, f := range l.prog.Files {
		structural = structural || shifts && l.structural(f)
	}
	var implied map[*File][]string
	if structural {
		implied = l.impliedBy()
	}
	stale := l.solver.newCone()
	for _, p := range d.Removed {
		f := l.prog.byPath[p]
		if h != nil {
			h.edit(f)
		}
		if err := l.remove(f, stale); err != nil {
			return nil, "", err
		}
	}
	for i, p := range d.Added {
		f, err := l.addEmpty(p, src.Lang(p))
		if err != nil {
			return nil, "", err
		}
		edits[len(d.Changed)+i].f = f
	}
	if h != nil {
		for _, e := range edits {
			h.edit(e.f)
		}
		if !h.ask(stale) {
			return nil, "an include leads elsewhere", nil
		}
		for _, f := range h.others {
			edits = append(edits, edited{f, f.Facts, f.table})
		}
	}
	for _, e := range edits {
		if _, ok := e.f.res.(lang.Excluder); ok && e.facts.Package != e.f.Facts.Package { // what is in one build with its declarations may be other files
			if err := l.empty(e.f, stale); err != nil {
				return nil, "", err
			}
		}
		l.replace(e.f, e.facts, e.table, stale)
	}
	if h != nil {
		h.finish(stale)
	}
	l.flows.holding, l.flows.off = true, map[contribution]offState{}
	defer func() { l.flows.holding, l.flows.off = false, nil }()
	for try := 0; ; try++ {
		if try == maxRetries {
			return nil, fmt.Sprintf("what is given turned out to be less %d times", maxRetries), nil
		}
		stale.forget()
		for _, e := range edits {
			l.types(e.f)
		}
		if err := l.solver.solve(ctx.Err); err != nil {
			return nil, "", err // the linker is not to be used any more
		}
		if l.solver.circles > 0 { // whose solution depends on where it is begun
			return nil, "values go round in a circle with a negation", nil
		}
		stale = l.solver.newCone()
		if !l.actions.release(stale) && l.solver.idle() {
			break
		}
	}
	if structural || slices.ContainsFunc(edits, func(e edited) bool { return l.structural(e.f) }) {
		if err := l.implement(ctx); err != nil {
			return nil, "", err
		}
		for f, before := range implied {
			if !slices.Equal(before, l.impliedOf(f)) {
				l.linked = append(l.linked, f)
			}
		}
	}
	l.linked = slices.DeleteFunc(l.linked, func(f *File) bool { return l.prog.byPath[f.Path] != f })
	slices.SortFunc(l.linked, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	l.Updates++
	return slices.Compact(l.linked), "", nil
}

// nothing gives the facts of an empty file.
func (l *Linker) nothing(language string) (*lang.Facts, *lang.Table, error) {
	return l.prog.reader.Decode((&lang.Facts{Lang: language}).Append(nil))
}

// empty takes all out of a file.
func (l *Linker) empty(f *File, stale *cone) error {
	facts, table, err := l.nothing(f.lang)
	if err == nil {
		l.replace(f, facts, table, stale)
	}
	return err
}

// remove takes a file out. It is kept, empty, for when it comes back.
func (l *Linker) remove(f *File, stale *cone) error {
	if err := l.empty(f, stale); err != nil {
		return err
	}
	l.solver.kill(f.link)
	f.Linkage, f.siblingsKnown, f.siblings = Linkage{}, false, nil
	delete(l.prog.byPath, f.Path)
	l.prog.gone[f.Path] = f
	return nil
}

// addEmpty adds a file that is empty still.
func (l *Linker) addEmpty(p, language string) (*File, error) {
	f := l.prog.gone[p]
	if f != nil && f.lang == language {
		l.prog.byPath[p] = f
	} else {
		facts, table, err := l.nothing(language)
		if err != nil {
			return nil, err
		}
		f = l.prog.addFile(p, language, facts, table)
	}
	delete(l.prog.gone, p)
	f.res = l.modules.resolvers[language]
	f.link = l.solver.add(l.linkKind, f.index, 0)
	return f, nil
}

// linkedTogether says why an update of a file takes everything.
func linkedTogether(p string) string { return p + " is of a language whose files are linked together" }

// structural tells whether classes of a file inherit from what they have the methods of.
func (l *Linker) structural(f *File) bool {
	_, ok := f.res.(lang.Structural)
	return ok
}

// impliedBy notes the implied edges of all files by the numbers of their ends.
func (l *Linker) impliedBy() map[*File][]string {
	out := map[*File][]string{}
	for _, f := range l.prog.Files {
		if l.structural(f) {
			out[f] = l.impliedOf(f)
		}
	}
	return out
}

func (l *Linker) impliedOf(f *File) []string {
	var out []string
	for _, e := range f.Linkage.Implied {
		out = append(out, fmt.Sprint(f.ids[e.SrcDecl], e.Dst.ids[e.DstDecl]))
	}
	slices.Sort(out)
	return out
}
