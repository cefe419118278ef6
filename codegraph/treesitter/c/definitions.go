package c

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A macro is a definition of this file.
type macro struct {
	name     string
	params   []string
	fn       bool // takes arguments
	variadic bool // takes any number of them
	body     string
}

// macro reads a #define.
func (d *directive) macro() (macro, bool) {
	n := 0
	for n < len(d.arg) && isIdent(d.arg[n]) {
		n++
	}
	if n == 0 {
		return macro{}, false
	}
	m := macro{name: d.arg[:n]}
	rest := d.arg[n:]
	if strings.HasPrefix(rest, "(") {
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return macro{}, false
		}
		m.fn = true
		for _, p := range strings.Split(rest[1:end], ",") {
			p = strings.TrimSpace(p)
			if strings.HasSuffix(p, "...") {
				m.variadic = true
				p = "__VA_ARGS__"
			}
			if p != "" {
				m.params = append(m.params, p)
			}
		}
		rest = rest[end+1:]
	}
	m.body = strings.TrimSpace(rest)
	return m, true
}

const (
	macroSays  = 1 + iota // only what facts leave out: attributes, storage
	macroOpens            // a namespace
	macroCloses
)

// readDefinitions looks at the macros that this file defines itself.
func (s *source) readDefinitions() {
	for i := range s.dirs {
		if s.dirs[i].name != "define" {
			continue
		}
		m, ok := s.dirs[i].macro()
		if !ok {
			continue
		}
		s.defined[m.name] = m
		body := m.body
		switch {
		case strings.Contains(m.name, "NAMESPACE") && strings.Contains(body, "namespace") && strings.Contains(body, "{"):
			s.erasable[m.name] = macroOpens
			continue
		case strings.Contains(m.name, "NAMESPACE") && strings.Trim(body, "} ;") == "" && strings.Contains(body, "}"):
			s.erasable[m.name] = macroCloses
			continue
		}
		if m.fn {
			continue
		}
		says := true
		for _, w := range strings.FieldsFunc(body, func(r rune) bool { return r == ' ' || r == '\t' }) {
			if strings.HasPrefix(w, "__attribute__") || strings.HasPrefix(w, "__declspec") || strings.HasPrefix(w, "[[") {
				break
			}
			says = says && (quietMacros[w] || storageWords[w] || s.erasable[w] == macroSays)
		}
		if body == "" && strings.HasSuffix(m.name, "_H") {
			says = false // a guard
		}
		if _, twice := s.erasable[m.name]; says {
			s.erasable[m.name] = macroSays
		} else if twice {
			delete(s.erasable, m.name)
		}
	}
}

// quietMacros are words that facts leave out and that grammars do not all know in all places.
var quietMacros = core.Words(`__extension__ __restrict __restrict__ restrict __cdecl __stdcall __fastcall __thiscall __vectorcall _Noreturn
__inline __inline__ __forceinline __always_inline __signed__ __volatile__ __const WINAPI CALLBACK APIENTRY __noinline __init __exit
__user __kernel __iomem __must_check __cold __hot __maybe_unused __unused __used __packed _Inout_ _In_ _Out_ _In_opt_ _Out_opt_`)

// storageWords say how something is kept or linked.
var storageWords = core.Words("inline static extern register noexcept")

// typeWords are keywords that begin a declaration, so that a name before one is a macro.
var typeWords = core.Words(`void char short int long float double signed unsigned bool struct union enum class static inline extern virtual
explicit constexpr consteval constinit typedef typename template namespace friend auto using mutable register thread_local
_Bool wchar_t size_t ssize_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t`)

// typeNames are the type words that stand for a whole type.
var typeNames = core.Words(`void char short int long float double signed unsigned bool _Bool wchar_t size_t ssize_t uint8_t uint16_t uint32_t uint64_t
int8_t int16_t int32_t int64_t auto`)

// keywords are keywords that are no names of things.
var keywords = core.Words(`if else for while do switch case default return goto break continue sizeof new delete throw try catch operator
const volatile public private protected this nullptr true false not and or co_return co_await co_yield static_assert alignas alignof
decltype noexcept requires concept final override`)

// isMacroName tells a name that is written like a macro.
func isMacroName(name string) bool {
	if len(name) < 2 {
		return false
	}
	upper := false
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			upper = true
		case c >= 'a' && c <= 'z' || c >= 0x80:
			return strings.HasSuffix(name, "_API") || strings.HasSuffix(name, "_EXPORT") || strings.HasSuffix(name, "_PUBLIC")
		}
	}
	return upper
}

// namespace records that the macro at i opens or closes a namespace. Which one, the file's own definition says, or else the
// macro's name. It tells whether that is so.
func (s *source) namespace(i int, around byte, depth int) bool {
	w := s.text(i)
	kind := s.erasable[w]
	if kind == 0 {
		parts := strings.Split(w, "_")
		switch {
		case slices.Contains(parts, "BEGIN") || slices.Contains(parts, "OPEN"):
			kind = macroOpens
		case slices.Contains(parts, "END") || slices.Contains(parts, "CLOSE"):
			kind = macroCloses
		default:
			return false
		}
	}
	if kind == macroCloses {
		for j := len(s.namespaces) - 1; j >= 0; j-- {
			if s.namespaces[j].end == int32(len(s.src)) {
				s.namespaces[j].end = s.toks[i].end
				break
			}
		}
		return true
	}
	name := ""
	if m, ok := s.defined[w]; ok {
		_, rest, _ := strings.Cut(m.body, "namespace")
		if f := strings.Fields(strings.ReplaceAll(rest, "{", " { ")); len(f) > 0 && isIdent(f[0][0]) {
			name = f[0]
		}
	}
	if name == "" {
		left := slices.DeleteFunc(strings.Split(w, "_"), func(p string) bool { return p == "BEGIN" || p == "OPEN" || p == "NAMESPACE" })
		name = strings.ToLower(strings.Join(left, "_"))
	}
	if around == inFile && name != "" && depth == 1 {
		s.namespaces = append(s.namespaces, namespaceMacro{byteRange{s.toks[i].end, int32(len(s.src))}, name})
	}
	return true
}
