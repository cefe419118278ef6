package link

import (
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/lang"
)

// A program is the files of a repository with their declarations.
type program struct {
	Files   []*File
	byPath  map[string]*File
	gone    map[string]*File              // files that were removed, for when they come back
	decls   []declRef                     // all declarations of all files, numbered through
	methods map[string]map[string][]int32 // numbers of methods, by family of languages and name
	rules   map[string]*lang.Rules        // by language
	binders []binder                      // memory of scopes
	reader  lang.Reader
}

func newProgram() *program {
	return &program{byPath: map[string]*File{}, gone: map[string]*File{}, methods: map[string]map[string][]int32{}, rules: map[string]*lang.Rules{}}
}

// A declRef is a declaration of a file, or with lang.File the file itself.
type declRef struct {
	f *File
	d int32
}

func (r declRef) decl() *lang.Decl { return &r.f.Facts.Decls[r.d] }

// addFile adds a file whose declarations have no numbers yet.
func (pr *program) addFile(p, language string, facts *lang.Facts, table *lang.Table) *File {
	f := &File{Path: p, lang: language, Facts: facts, table: table, rules: pr.rules[language], index: int32(len(pr.Files)),
		test: sourcetext.IsTestPath(p)}
	if f.family = f.rules.Family; f.family == "" {
		f.family = language
	}
	pr.Files = append(pr.Files, f)
	pr.byPath[p] = f
	return f
}

// number gives numbers to the declarations of a file.
func (pr *program) number(f *File) {
	for d := range f.Facts.Decls {
		f.ids = append(f.ids, int32(len(pr.decls)))
		pr.decls = append(pr.decls, declRef{f, int32(d)})
	}
}

// replace gives a file other facts. A declaration that is still there keeps its number; the numbers of the others come back.
func (pr *program) replace(f *File, facts *lang.Facts, table *lang.Table) (dead map[int32]bool) {
	numbers := map[string]int32{}
	for i, k := range declKeys(f.Facts) {
		numbers[k] = f.ids[i]
	}
	for _, i := range f.ids { // the names of methods are noted again below
		d := pr.decls[i].decl()
		if list := pr.methods[f.family][d.Name]; slices.Contains(list, i) {
			pr.methods[f.family][d.Name] = slices.DeleteFunc(slices.Clone(list), func(o int32) bool { return o == i })
		}
	}
	f.Facts, f.table, f.ids, f.spaces, f.stars, f.wildcards = facts, table, nil, nil, nil, nil
	for i, k := range declKeys(facts) {
		id, ok := numbers[k]
		if ok {
			delete(numbers, k)
			pr.decls[id] = declRef{f, int32(i)}
		} else {
			id = int32(len(pr.decls))
			pr.decls = append(pr.decls, declRef{f, int32(i)})
		}
		f.ids = append(f.ids, id)
	}
	dead = map[int32]bool{}
	for _, id := range numbers {
		dead[id] = true
		pr.decls[id] = declRef{}
	}
	pr.scopes(f)
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

// scopes fills the table of names.
func (pr *program) scopes(f *File) {
	fam := pr.methods[f.family]
	if fam == nil {
		fam = map[string][]int32{}
		pr.methods[f.family] = fam
	}
	opened := map[scoped]int32{} // the first declaration of a namespace
	all := pr.binders[:0]
	at := func(scope int32, name string, kind binderKind, index int32) {
		all = append(all, binder{name, f.space(scope), kind, index})
	}
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Kind == lang.Namespace && d.Name != "" && d.Flags&lang.Hidden == 0 {
			k := scoped{f.space(d.Parent), d.Name}
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
		if d.Kind == lang.Function && (d.Receiver != "" || d.Parent != lang.File && f.Facts.Decls[d.Parent].Kind == lang.Class) {
			fam[d.Name] = append(fam[d.Name], f.ids[i])
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
			f.stars = append(f.stars, int32(i))
		case m.Alias != "":
			at(m.Scope, m.Alias, byImport, int32(i))
		}
	}
	for i := range f.Facts.Bindings {
		b := &f.Facts.Bindings[i]
		if b.Target == lang.None && b.Name != "" && (b.Kind == lang.Assign || b.Kind == lang.Annotate || b.Kind == lang.Alias || b.Kind == lang.Bring) {
			if b.Name == "*" && b.Kind == lang.Bring {
				if f.wildcards == nil {
					f.wildcards = map[int32][]int32{}
				}
				f.wildcards[f.space(b.Scope)] = append(f.wildcards[f.space(b.Scope)], b.Value)
				continue
			}
			at(b.Scope, b.Name, byBinding, int32(i))
		}
	}
	f.names = tableOf(all)
	clear(all) // it is used again for the next file
	pr.binders = all
}

// classOf gives the class that a method is written in.
func (pr *program) classOf(m int32) (int32, bool) {
	r := pr.decls[m]
	p := r.decl().Parent
	if p == lang.File || r.f.Facts.Decls[p].Kind != lang.Class {
		return 0, false
	}
	return r.f.ids[p], true
}
