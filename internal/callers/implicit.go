package callers

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// implicit says why an entity may be called although no code of the repository names it: by the language, by a test
// runner, by what a decorator does with it, or by a base class or an interface from outside. It is "" when nothing says so.
func (s *search) implicit(ctx context.Context, e codegraph.Entity) string {
	owner, method := s.owner(e)
	switch strings.ToLower(path.Ext(e.Path)) {
	case ".go":
		switch {
		case e.Kind == codegraph.KindFunction && !method && (e.Name == "main" || e.Name == "init"):
			return "the Go runtime calls it"
		case e.Test && !method && goTest.MatchString(e.Name):
			return "go test calls it"
		case method && goOutside[e.Name]:
			return "it may be called through an interface of the standard library"
		}
		if method {
			if module := s.foreignInterface(ctx, owner, e.Name); module != "" {
				return "it may be called through an interface of the module " + module
			}
		}
	case ".py", ".pyi":
		switch {
		case method && strings.HasPrefix(e.Name, "__") && strings.HasSuffix(e.Name, "__"):
			return "the language calls it"
		case e.Test && pyTest.MatchString(e.Name):
			return "a test runner calls it"
		}
		if d := s.decorator(e); d != "" {
			return "its decorator " + d + " may call it or hand it on"
		}
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		if method && jsOutside[e.Name] {
			return "the language calls it"
		}
		if d := s.decorator(e); d != "" {
			return "its decorator " + d + " may call it or hand it on"
		}
	}
	if method {
		if base := s.foreignBase(ctx, owner, map[string]bool{}); base != "" {
			return "its class has the base " + base + " from outside of the repository, which may call it"
		}
	}
	return ""
}

var (
	goTest = lazyregexp.New(`^(?:Test|Benchmark|Fuzz|Example)(?:$|\P{Ll})`)
	pyTest = lazyregexp.New(`^(?:test|setUp|tearDown|setup|teardown|asyncSetUp|asyncTearDown|Test|pytest_)`)
	// goOutside are methods of the interfaces of the standard library that are met most.
	goOutside = names("String GoString Format Error Unwrap Is As Read Write Close Seek ReadAt WriteAt ReadFrom WriteTo ReadByte WriteByte ReadRune UnreadByte WriteString " +
		"Len Less Swap Push Pop ServeHTTP RoundTrip Handle Handler Enabled WithAttrs WithGroup LogValue MarshalJSON UnmarshalJSON MarshalJSONTo UnmarshalJSONFrom MarshalText UnmarshalText AppendText " +
		"MarshalBinary UnmarshalBinary AppendBinary GobEncode GobDecode MarshalXML UnmarshalXML MarshalXMLAttr UnmarshalXMLAttr MarshalYAML UnmarshalYAML Scan Value Set Type Lock Unlock " +
		"Open Stat ReadDir ReadFile Glob Sub Name Size Mode ModTime IsDir Sys Info Accept Addr Network LocalAddr RemoteAddr SetDeadline Deadline Done Err Visit Sum Sum32 Sum64 Reset BlockSize Hash " +
		"At Bounds ColorModel RGBA Int63 Uint64 Seed Timeout Temporary Header WriteHeader Flush Hijack Exec Query Prepare Begin Commit Rollback Next Columns")
	jsOutside = names("constructor toString toJSON valueOf toLocaleString then next return throw")
)

func names(s string) map[string]bool {
	m := map[string]bool{}
	for n := range strings.FieldsSeq(s) {
		m[n] = true
	}
	return m
}

// owner gives the class that an entity is a method of.
func (s *search) owner(e codegraph.Entity) (codegraph.Entity, bool) {
	i := strings.LastIndexByte(e.ID, '.')
	if e.Kind != codegraph.KindFunction || i < 0 || i < strings.LastIndexByte(e.ID, ':') {
		return codegraph.Entity{}, false
	}
	o, ok := s.g.Entity(e.ID[:i])
	return o, ok && o.Kind == codegraph.KindClass
}

// plainDecorators change nothing about who calls.
var plainDecorators = names("staticmethod classmethod property cached_property abstractmethod abstractproperty overload override final lru_cache cache wraps contextmanager " +
	"asynccontextmanager dataclass total_ordering singledispatchmethod setter getter deleter runtime_checkable deprecated no_type_check unique njit jit")

var decoratorLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*@((?:[\pL_][\pL\pN_]*\.)*([\pL_][\pL\pN_]*))`)
})

// decorator gives the first decorator of an entity that may hand it on, as written.
func (s *search) decorator(e codegraph.Entity) string {
	lines, last := s.file(e.Path), s.namePlace(e).Line
	for n := max(e.Line, 1); n <= min(last, len(lines)); n++ {
		if m := decoratorLine().FindSubmatch(lines[n-1]); m != nil && !plainDecorators[string(m[2])] {
			return "@" + string(m[1])
		}
	}
	return ""
}

// plainBases call no method that they do not declare.
var plainBases = names("object ABC Protocol Generic NamedTuple TypedDict Enum IntEnum StrEnum Flag IntFlag tuple dict list set str int float bytes Error")

var (
	pyBases = lazyregexp.New(`^(?:@.*\s)?class\s+[\pL\pN_]+\s*(?:\[[^\]]*\])?\s*\((.*)\)`)
	jsBases = lazyregexp.New(`\b(?:extends|implements)\s+([^{]+)`)
	dotted  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[\pL_$][\pL\pN_$]*\.)*([\pL_$][\pL\pN_$]*)`) })
)

// foreignBase gives a base of a class, or of its bases, that is not in the repository.
func (s *search) foreignBase(ctx context.Context, class codegraph.Entity, seen map[string]bool) string {
	if seen[class.ID] || len(seen) > 100 {
		return ""
	}
	seen[class.ID] = true
	walk, err := s.g.Traverse(ctx, []string{class.ID}, &codegraph.TraverseOptions{Direction: codegraph.Out, Tests: true, Generated: true, Limit: -1, Edges: []codegraph.EdgeKind{codegraph.Inherit}})
	if err != nil {
		return ""
	}
	var own []codegraph.Entity
	for _, e := range walk.Edges {
		if b, ok := s.g.Entity(e.Dst); ok && e.Src == class.ID {
			own = append(own, b)
		}
	}
	for _, b := range bases(class) {
		m := dotted().FindStringSubmatch(b)
		if m == nil {
			continue
		}
		known := slices.ContainsFunc(own, func(o codegraph.Entity) bool { return o.Name == m[1] })
		if !known && !plainBases[m[1]] && !strings.HasSuffix(m[1], "Error") && !strings.HasSuffix(m[1], "Exception") && len(own) < len(bases(class)) {
			return m[0]
		}
	}
	for _, o := range own {
		if b := s.foreignBase(ctx, o, seen); b != "" {
			return b
		}
	}
	return ""
}

// bases lists the bases in a class's signature, as written.
func bases(class codegraph.Entity) []string {
	list := ""
	if m := pyBases.FindStringSubmatch(class.Signature); m != nil {
		list = m[1]
	} else {
		for _, m := range jsBases.FindAllStringSubmatch(strings.ReplaceAll(class.Signature, " implements ", "{ implements "), -1) {
			list += "," + m[1]
		}
	}
	var out []string
	depth, from := 0, 0
	cut := func(to int) {
		if b := strings.TrimSpace(list[from:to]); b != "" && !strings.Contains(strings.SplitN(b, "[", 2)[0], "=") {
			out = append(out, b)
		}
		from = to + 1
	}
	for i, r := range list {
		switch r {
		case '(', '[', '<':
			depth++
		case ')', ']', '>':
			depth--
		case ',':
			if depth == 0 {
				cut(i)
			}
		}
	}
	if from <= len(list) {
		cut(len(list))
	}
	return out
}
