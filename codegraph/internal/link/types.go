package link

import (
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

// modules finds what imports name.
type modules struct {
	prog      *program
	langs     []lang.Frontend
	tree      *tree
	resolvers map[string]lang.Resolver // by language
	modules   []*module
	moduleOf  map[string]int32 // by moduleKey
}

// dependencies remembers what is read of facts.
type dependencies struct {
	solver    *solver
	tracking  bool
	tokens    map[tokenKey]cellID
	tokenKind cellKind
}

// An evaluator gives the values of expressions.
type evaluator struct {
	prog       *program
	modules    *modules
	solver     *solver
	names      *names
	exports    *exports
	classes    *classes
	members    *members
	containers *containers
	externals  *externals
	results    *results
	overloads  *overloads
	exprKind   cellKind
}

// names gives the values of names in scopes.
type names struct {
	prog         *program
	modules      *modules
	solver       *solver
	deps         *dependencies
	ev           *evaluator
	exports      *exports
	classes      *classes
	members      *members
	containers   *containers
	externals    *externals
	flows        *flows
	results      *results
	included     *includedNames
	defs         *definitions
	named        []*named // of the cells of names
	nameKind     cellKind
	wildcards    map[wildcardKey]cellID
	wildcardOf   []wildcardKey
	wildcardKind cellKind
}

// exports gives the values of what modules offer by name.
type exports struct {
	prog           *program
	modules        *modules
	solver         *solver
	deps           *dependencies
	ev             *evaluator
	names          *names
	members        *members
	moduleNames    map[moduleName]cellID
	moduleNameOf   []moduleName
	moduleNameKind cellKind
}

// classes is the hierarchy of classes: their lookup orders, what is derived from them, and what their type parameters are.
type classes struct {
	prog       *program
	solver     *solver
	deps       *dependencies
	ev         *evaluator
	containers *containers
	flows      *flows
	orders     map[int32]cellID
	mros       map[int32]*mro
	orderKind  cellKind
}

// members gives the values of members of values.
type members struct {
	prog       *program
	modules    *modules
	solver     *solver
	deps       *dependencies
	ev         *evaluator
	names      *names
	exports    *exports
	classes    *classes
	containers *containers
	externals  *externals
	flows      *flows
	results    *results
	inc        *inclusion
	included   *includedNames
	defs       *definitions
	overloads  *overloads
	ownAttrs   map[attrKey]bool // attributes that methods of the class itself set
}

// containers gives what is in lists, mappings and what else holds values.
type containers struct {
	prog      *program
	solver    *solver
	ev        *evaluator
	members   *members
	externals *externals
	flows     *flows
	results   *results
	boxes     []exprRef
	elems     map[elemKey]cellID
	elemOf    []elemKey
	elemKind  cellKind
}

// externals numbers the types that are not in the repository.
type externals struct {
	outsides  []outsideType
	outsideOf map[outsideType]int32
}

// flows holds what parameters, attributes, containers and classes are given elsewhere.
type flows struct {
	prog       *program
	solver     *solver
	deps       *dependencies
	ev         *evaluator
	sources    []source // the first one is that of receivers which nothing is given to
	sourceOf   map[packedSource]cellID
	sourceKind cellKind                  // read for its inflows alone
	attrKind   cellKind                  // has a value
	holding    bool                      // actions do not take back what they gave
	final      bool                      // they do, and it is noted
	off        map[contribution]offState // of an update: what actions gave and took back
	held       []cellID                  // actions that would have
	withdrawn  []cellID                  // what was taken back
}

// results gives what calls of functions give.
type results struct {
	prog       *program
	solver     *solver
	ev         *evaluator
	names      *names
	classes    *classes
	members    *members
	containers *containers
	overloads  *overloads
	actions    *actions
	results    map[int32]cellID
	resultKind cellKind
	returns    map[int32][]exprRef
	returnTyp  map[int32][]exprRef
	yields     map[int32][]exprRef
	fluent     map[int32]bool // methods that return their receiver
}

// actions gives arguments to parameters, values to attributes and containers, methods and bases to classes.
type actions struct {
	prog       *program
	solver     *solver
	ev         *evaluator
	names      *names
	classes    *classes
	members    *members
	containers *containers
	flows      *flows
	overloads  *overloads
	actionKind cellKind
}

// An inclusion is what is known of files that take in the text of others (Rules.Includes): which files a file sees, the
// names of every namespace over all files, and what is defined under an announced name.
type inclusion struct {
	prog    *program
	modules *modules
	spaceOf map[string]int32   // numbers of qualified namespaces; "" is 0
	first   []int32            // by namespace: a declaration that opens it, or -1
	spots   map[spotKey][]spot // in the order of files
	sights  map[int32]*sight   // by file
	sizes   int                // words in sights
	opening bool
	stamp   []uint32             // by file, for walks
	round   uint32               //
	defined map[int32][]int32    // by announcement
	outer   map[spotKey][]int32  // functions written outside of their namespace
	users   map[*File][]*File    // files that take in a file, up to maxUsers
	paths   map[scopedFile]int32 // numbers of the namespaces in a file
}

// includedNames gives the values of names in languages with included files.
type includedNames struct {
	prog      *program
	ev        *evaluator
	names     *names
	members   *members
	externals *externals
	inc       *inclusion
}

// definitions finds what declarations announce.
type definitions struct {
	prog  *program
	deps  *dependencies
	ev    *evaluator
	flows *flows
	inc   *inclusion
}

// overloads chooses among functions of one name.
type overloads struct {
	prog        *program
	deps        *dependencies
	ev          *evaluator
	classes     *classes
	included    *includedNames
	defs        *definitions
	conversions *conversions
}

// conversions tells how far arguments are from the types of parameters.
type conversions struct {
	prog       *program
	ev         *evaluator
	classes    *classes
	containers *containers
	externals  *externals
}

// newLinker makes a linker without files.
func newLinker(langs []lang.Frontend, o Options) *Linker {
	s := newSolver(o.Shuffle)
	prog := &program{byPath: map[string]*File{}, gone: map[string]*File{}, methods: map[string]map[string][]int32{}, rules: map[string]*lang.Rules{}}
	ms := &modules{prog: prog, langs: langs, moduleOf: map[string]int32{}}
	deps := &dependencies{solver: s, tracking: o.Track, tokens: map[tokenKey]cellID{}}
	xs := &externals{outsideOf: map[outsideType]int32{}}
	inc := &inclusion{prog: prog, modules: ms}
	ev, ns, ex, cs, mb, ct := &evaluator{}, &names{}, &exports{}, &classes{}, &members{}, &containers{}
	fl, rs, ac, iv, df, ov, cv := &flows{}, &results{}, &actions{}, &includedNames{}, &definitions{}, &overloads{}, &conversions{}
	*ev = evaluator{prog: prog, modules: ms, solver: s, names: ns, exports: ex, classes: cs, members: mb, containers: ct, externals: xs, results: rs, overloads: ov}
	*ns = names{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, exports: ex, classes: cs, members: mb, containers: ct, externals: xs, flows: fl, results: rs,
		included: iv, defs: df, wildcards: map[wildcardKey]cellID{}}
	*ex = exports{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, members: mb, moduleNames: map[moduleName]cellID{}}
	*cs = classes{prog: prog, solver: s, deps: deps, ev: ev, containers: ct, flows: fl, orders: map[int32]cellID{}, mros: map[int32]*mro{}}
	*mb = members{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, exports: ex, classes: cs, containers: ct, externals: xs, flows: fl, results: rs,
		inc: inc, included: iv, defs: df, overloads: ov, ownAttrs: map[attrKey]bool{}}
	*ct = containers{prog: prog, solver: s, ev: ev, members: mb, externals: xs, flows: fl, results: rs, elems: map[elemKey]cellID{}}
	*fl = flows{prog: prog, solver: s, deps: deps, ev: ev, sources: make([]source, 1), sourceOf: map[packedSource]cellID{}}
	*rs = results{prog: prog, solver: s, ev: ev, names: ns, classes: cs, members: mb, containers: ct, overloads: ov, actions: ac, results: map[int32]cellID{},
		returns: map[int32][]exprRef{}, returnTyp: map[int32][]exprRef{}, yields: map[int32][]exprRef{}, fluent: map[int32]bool{}}
	*ac = actions{prog: prog, solver: s, ev: ev, names: ns, classes: cs, members: mb, containers: ct, flows: fl, overloads: ov}
	*iv = includedNames{prog: prog, ev: ev, names: ns, members: mb, externals: xs, inc: inc}
	*df = definitions{prog: prog, deps: deps, ev: ev, flows: fl, inc: inc}
	*ov = overloads{prog: prog, deps: deps, ev: ev, classes: cs, included: iv, defs: df, conversions: cv}
	*cv = conversions{prog: prog, ev: ev, classes: cs, containers: ct, externals: xs}

	ns.nameKind = s.define(rule{compute: ns.bindings})
	ev.exprKind = s.define(rule{compute: func(c *cell) []value { return ev.evalOp(prog.Files[c.file], c.a) }})
	rs.resultKind = s.define(rule{compute: rs.returned})
	ex.moduleNameKind = s.define(rule{compute: ex.moduleMember})
	ns.wildcardKind = s.define(rule{compute: ns.wildcardValues})
	ct.elemKind = s.define(rule{compute: ct.inside})
	cs.orderKind = s.define(rule{compute: cs.reorder, forget: func(c *cell) { delete(cs.mros, c.a) }})
	fl.sourceKind = s.define(rule{})
	fl.attrKind = s.define(rule{compute: fl.assigned})
	ac.actionKind = s.define(rule{compute: ac.act, eager: true})
	deps.tokenKind = s.define(rule{})
	l := &Linker{prog: prog, modules: ms, solver: s, deps: deps, ev: ev, names: ns, exports: ex, classes: cs, members: mb, containers: ct, externals: xs,
		flows: fl, results: rs, actions: ac, inc: inc, included: iv, defs: df, overloads: ov, conversions: cv, dirs: map[string]*File{}}
	l.linkKind = s.define(rule{compute: l.linkFile, eager: true, late: true})
	return l
}
