package link

import (
	"github.com/findspot/findspot/codegraph/internal/factcodec"

	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/infer"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

const (
	maxEdited  = 100     // files; with more, as when a branch is switched, all is linked anew
	maxGarbage = 1 << 20 // links, values and cells that edits leave behind, before they are looked through
)

// Changes are what differs between two states: files, sorted by path, and whether any configuration does.
type Changes struct {
	Changed, Added, Removed []string
	Configs                 bool
}

// An edited is a file with what it holds now.
type edited struct {
	f     *symtab.File
	facts *lang.Facts
	table *factcodec.Table
}

// Update links again after files changed, came or went, and gives the files whose linkage may be another. With a reason why
// that is more than an update can do, all has to be linked anew, with a new linker.
func (l *Linker) Update(ctx context.Context, src Source, d *Changes) ([]*Linked, string, error) {
	if l.limit == 0 {
		l.limit, l.most = l.solver.Size()+l.prog.Reader.Names()+maxGarbage, l.solver.Cells()+maxGarbage
	}
	if len(d.Changed)+len(d.Added)+len(d.Removed) > maxEdited {
		return nil, fmt.Sprintf("more than %d files differ", maxEdited), nil
	}
	full := l.solver.Cells() > l.most
	if !full && l.solver.Size()+l.prog.Reader.Names() > l.limit {
		l.solver.Compact()
		full = l.solver.Size()+l.prog.Reader.Names() > l.limit-maxGarbage/2
	}
	if full {
		return nil, "what edits left behind takes too much memory", nil
	}
	l.linked = nil
	var edits []edited
	shifts := d.Configs
	for i, p := range slices.Concat(d.Changed, d.Added) {
		facts, table, err := src.Facts(p, &l.prog.Reader)
		if err != nil {
			return nil, "", fmt.Errorf("codegraph: %s: %w", p, err)
		}
		if i >= len(d.Changed) {
			edits = append(edits, edited{facts: facts, table: table})
			shifts = shifts || src.Lang(p) != ""
			if l.prog.Rules[src.Lang(p)].Includes {
				return nil, linkedTogether(p), nil
			}
			continue
		}
		f := l.prog.ByPath[p]
		if f == nil || f.Rules.Includes {
			return nil, linkedTogether(p), nil
		}
		edits = append(edits, edited{f, facts, table})
		shifts = shifts || facts.Package != f.Facts.Package
	}
	for _, p := range d.Removed {
		f := l.prog.ByPath[p]
		if f == nil || f.Rules.Includes {
			return nil, linkedTogether(p), nil
		}
		shifts = shifts || f.Lang != ""
	}
	var h *infer.Shift
	if shifts {
		h = l.values.Shift(src)
	} else {
		l.modules.See(src)
	}
	implies := slices.ContainsFunc(edits, func(e edited) bool { return e.f != nil && structural(e.f) })
	for _, f := range l.prog.Files {
		implies = implies || shifts && structural(f)
	}
	var implied map[*Linked][]string
	if implies {
		implied = l.impliedBy()
	}
	stale := l.solver.NewCone()
	for _, p := range d.Removed {
		f := l.prog.ByPath[p]
		if h != nil {
			h.Edit(f)
		}
		if err := l.remove(f, shifts, stale); err != nil {
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
			h.Edit(e.f)
		}
		others, ok := h.Ask(stale)
		if !ok {
			return nil, "an include leads elsewhere", nil
		}
		for _, f := range others {
			edits = append(edits, edited{f, f.Facts, f.Table})
		}
	}
	for _, e := range edits {
		if _, ok := e.f.Resolver.(lang.Excluder); ok && e.facts.Package != e.f.Facts.Package { // what is in one build with its declarations may be other files
			if err := l.empty(e.f, shifts, stale); err != nil {
				return nil, "", err
			}
		}
		l.replace(e.f, e.facts, e.table, shifts, stale)
	}
	if h != nil {
		h.Finish(stale)
	}
	files := make([]*symtab.File, 0, len(edits))
	for _, e := range edits {
		files = append(files, e.f)
	}
	if why, err := l.values.Resettle(ctx, files, stale); why != "" || err != nil {
		return nil, why, err // after an error the linker is not to be used any more
	}
	if implies || slices.ContainsFunc(edits, func(e edited) bool { return structural(e.f) }) {
		if err := l.implement(ctx); err != nil {
			return nil, "", err
		}
		for f, before := range implied {
			if !slices.Equal(before, impliedOf(f)) {
				l.linked = append(l.linked, f)
			}
		}
	}
	l.linked = slices.DeleteFunc(l.linked, func(f *Linked) bool { return l.prog.ByPath[f.Path] != f.File })
	slices.SortFunc(l.linked, func(a, b *Linked) int { return strings.Compare(a.Path, b.Path) })
	l.Updates++
	return slices.Compact(l.linked), "", nil
}

// nothing gives the facts of an empty file.
func (l *Linker) nothing(language string) (*lang.Facts, *factcodec.Table, error) {
	return l.prog.Reader.Decode(factcodec.Encode(&lang.Facts{Lang: language}))
}

// empty takes all out of a file.
func (l *Linker) empty(f *symtab.File, moving bool, stale *solver.Cone) error {
	facts, table, err := l.nothing(f.Lang)
	if err == nil {
		l.replace(f, facts, table, moving, stale)
	}
	return err
}

// replace gives a file other facts, and gathers what is to be computed again.
func (l *Linker) replace(f *symtab.File, facts *lang.Facts, table *factcodec.Table, moving bool, stale *solver.Cone) {
	l.values.Replace(f, facts, table, moving, stale)
	stale.Add((*l.files.Of(f)).cell)
}

// remove takes a file out. It is kept, empty, for when it comes back.
func (l *Linker) remove(f *symtab.File, moving bool, stale *solver.Cone) error {
	if err := l.empty(f, moving, stale); err != nil {
		return err
	}
	at := *l.files.Of(f)
	l.solver.Kill(at.cell)
	at.Linkage = Linkage{}
	l.modules.ForgetSiblings(f)
	delete(l.prog.ByPath, f.Path)
	l.prog.Gone[f.Path] = f
	return nil
}

// addEmpty adds a file that is empty still.
func (l *Linker) addEmpty(p, language string) (*symtab.File, error) {
	f := l.prog.Gone[p]
	if f != nil && f.Lang == language {
		l.prog.ByPath[p] = f
	} else {
		facts, table, err := l.nothing(language)
		if err != nil {
			return nil, err
		}
		f = l.prog.AddFile(p, language, facts, table)
	}
	delete(l.prog.Gone, p)
	f.Resolver = l.modules.Resolver(language)
	l.addLinked(f)
	return f, nil
}

// linkedTogether says why an update of a file takes everything.
func linkedTogether(p string) string { return p + " is of a language whose files are linked together" }

// impliedBy notes the implied edges of all files by the numbers of their ends.
func (l *Linker) impliedBy() map[*Linked][]string {
	out := map[*Linked][]string{}
	for _, f := range l.files.List {
		if structural(f.File) {
			out[f] = impliedOf(f)
		}
	}
	return out
}

func impliedOf(f *Linked) []string {
	var out []string
	for _, e := range f.Linkage.Implied {
		out = append(out, fmt.Sprint(f.IDs[e.SrcDecl], e.Dst.IDs[e.DstDecl]))
	}
	slices.Sort(out)
	return out
}
