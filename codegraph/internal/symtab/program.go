package symtab

import (
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/lang"
)

// A Program is the files of a repository with their declarations.
type Program struct {
	Files   []*File
	ByPath  map[string]*File
	Gone    map[string]*File              // files that were removed, for when they come back
	Decls   []DeclRef                     // all declarations of all files, numbered through
	Methods map[string]map[string][]int32 // numbers of methods, by family of languages and name
	Rules   map[string]*lang.Rules        // by language
	binders []binder                      // memory of scopes
	Reader  factcodec.Reader
}

// New makes a program without files.
func New() *Program {
	return &Program{ByPath: map[string]*File{}, Gone: map[string]*File{}, Methods: map[string]map[string][]int32{}, Rules: map[string]*lang.Rules{}}
}

// A DeclRef is a declaration of a file, or with lang.File the file itself.
type DeclRef struct {
	F *File
	D int32 // its index in the facts
}

// Decl gives the declaration.
func (r DeclRef) Decl() *lang.Decl { return &r.F.Facts.Decls[r.D] }

// AddFile adds a file whose declarations have no numbers yet.
func (pr *Program) AddFile(p, language string, facts *lang.Facts, table *factcodec.Table) *File {
	f := &File{Path: p, Lang: language, Facts: facts, Table: table, Rules: pr.Rules[language], Index: int32(len(pr.Files)),
		Test: sourcetext.IsTestPath(p)}
	if f.Family = f.Rules.Family; f.Family == "" {
		f.Family = language
	}
	pr.Files = append(pr.Files, f)
	pr.ByPath[p] = f
	return f
}

// Number gives numbers to the declarations of a file.
func (pr *Program) Number(f *File) {
	for d := range f.Facts.Decls {
		f.IDs = append(f.IDs, int32(len(pr.Decls)))
		pr.Decls = append(pr.Decls, DeclRef{f, int32(d)})
	}
}

// Replace gives a file other facts. A declaration that is still there keeps its number; the numbers of the others come back.
func (pr *Program) Replace(f *File, facts *lang.Facts, table *factcodec.Table) (dead map[int32]bool) {
	numbers := map[string]int32{}
	for i, k := range declKeys(f.Facts) {
		numbers[k] = f.IDs[i]
	}
	for _, i := range f.IDs { // the names of methods are noted again below
		d := pr.Decls[i].Decl()
		if list := pr.Methods[f.Family][d.Name]; slices.Contains(list, i) {
			pr.Methods[f.Family][d.Name] = slices.DeleteFunc(slices.Clone(list), func(o int32) bool { return o == i })
		}
	}
	f.Facts, f.Table, f.IDs, f.spaces, f.Stars, f.Wildcards = facts, table, nil, nil, nil, nil
	for i, k := range declKeys(facts) {
		id, ok := numbers[k]
		if ok {
			delete(numbers, k)
			pr.Decls[id] = DeclRef{f, int32(i)}
		} else {
			id = int32(len(pr.Decls))
			pr.Decls = append(pr.Decls, DeclRef{f, int32(i)})
		}
		f.IDs = append(f.IDs, id)
	}
	dead = map[int32]bool{}
	for _, id := range numbers {
		dead[id] = true
		pr.Decls[id] = DeclRef{}
	}
	pr.Scopes(f)
	return dead
}

// declKeys names declarations so that an edit elsewhere in the file does not change the names: by the name of the parent,
// what is declared, and a number among equals.
func declKeys(f *lang.Facts) []string {
	keys := make([]string, len(f.Decls))
	count := map[string]int{}
	for i := range f.Decls {
		d := &f.Decls[i]
		k := "." + strconv.Itoa(int(d.Kind)) + d.Receiver + ":" + d.Qualifier + ":" + d.Name
		if d.Parent != lang.File {
			k = keys[d.Parent] + k
		}
		count[k]++
		if n := count[k]; n > 1 {
			k += "#" + strconv.Itoa(n)
		}
		keys[i] = k
	}
	return keys
}

// Scopes fills the table of names.
func (pr *Program) Scopes(f *File) {
	fam := pr.Methods[f.Family]
	if fam == nil {
		fam = map[string][]int32{}
		pr.Methods[f.Family] = fam
	}
	opened := map[ScopedName]int32{} // the first declaration of a namespace
	all := pr.binders[:0]
	at := func(scope int32, name string, kind binderKind, index int32) {
		all = append(all, binder{name, f.Space(scope), kind, index})
	}
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Kind == lang.Namespace && d.Name != "" && d.Flags&lang.Hidden == 0 {
			k := ScopedName{f.Space(d.Parent), d.Name}
			if first, ok := opened[k]; ok {
				if f.spaces == nil {
					f.spaces = map[int32]int32{}
				}
				f.spaces[int32(i)] = first
				continue
			}
			opened[k] = int32(i)
		}
		if d.Kind != lang.Lambda && d.Flags&lang.Hidden == 0 && d.Name != "" {
			name := d.Name
			if f.constructor(d) { // a constructor is no member: the name means the class
				name = ""
			}
			at(d.Parent, name, byDecl, int32(i))
		}
		if d.Kind == lang.Function && (d.Receiver != "" || f.InClass(d)) {
			fam[d.Name] = append(fam[d.Name], f.IDs[i])
		}
		for p := range d.Params {
			if d.Params[p].Name != "" {
				at(int32(i), d.Params[p].Name, byParam, int32(p))
			}
		}
	}
	for i := range f.Facts.Imports {
		switch m := &f.Facts.Imports[i]; {
		case m.Name == "*" && m.Scope == lang.File && m.Alias == "" && m.As == "":
			f.Stars = append(f.Stars, int32(i))
		case m.Alias != "":
			at(m.Scope, m.Alias, byImport, int32(i))
		}
	}
	for i := range f.Facts.Bindings {
		b := &f.Facts.Bindings[i]
		if b.Target == lang.None && b.Name != "" && (b.Kind == lang.Assign || b.Kind == lang.Annotate || b.Kind == lang.Alias || b.Kind == lang.Using) {
			if b.Name == "*" && b.Kind == lang.Using {
				if f.Wildcards == nil {
					f.Wildcards = map[int32][]int32{}
				}
				f.Wildcards[f.Space(b.Scope)] = append(f.Wildcards[f.Space(b.Scope)], b.Value)
				continue
			}
			at(b.Scope, b.Name, byBinding, int32(i))
		}
	}
	f.Symbols = tableOf(all)
	clear(all) // it is used again for the next file
	pr.binders = all
}

// ClassOf gives the class that a method is written in.
func (pr *Program) ClassOf(m int32) (int32, bool) {
	r := pr.Decls[m]
	if !r.F.InClass(r.Decl()) {
		return 0, false
	}
	return r.F.IDs[r.Decl().Parent], true
}
