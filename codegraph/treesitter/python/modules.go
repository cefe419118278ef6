package python

import (
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// modules finds Python modules by the import system's rules, with the search path guessed: the folder of a script,
// the folder above a file's outermost package, the root, src, and the folders above other packages.
type modules struct {
	t     lang.Tree
	roots map[string][]string // folders that hold a package or module of this name, found by climbing; nil before the first is asked for

	tops  map[string]string // by folder: the one above its outermost package
	found core.Memo[query]
}

// A query is a module looked for from a folder: relative to it, or with it on the search path.
type query struct {
	dir, name string
	level     int32
}

// Module asks once for what the files of a folder, or of a package, import alike.
func (m *modules) Module(from string, imp lang.Import) (lang.Module, bool) {
	q := query{core.Dir(from), imp.Module, imp.Level}
	if imp.Level == 0 {
		q.dir = m.top(q.dir)
	}
	return m.found.Find(q, func() (lang.Module, bool) { return m.find(q.dir, imp) })
}

// top gives the folder above the outermost package that a folder is of.
func (m *modules) top(dir string) string {
	top, ok := m.tops[dir]
	if !ok {
		if top = dir; m.isPackage(dir) {
			top = m.top(core.Dir(dir))
		}
		m.tops[dir] = top
	}
	return top
}

// find looks for a module: a relative one from the folder of the file, another one from the folder that is searched first.
func (m *modules) find(dir string, imp lang.Import) (lang.Module, bool) {
	if imp.Level > 0 {
		for range imp.Level - 1 {
			if dir == "" {
				return lang.Module{}, false
			}
			dir = core.Dir(dir)
		}
		return m.at(path.Join(dir, strings.ReplaceAll(imp.Module, ".", "/")))
	}
	rel := strings.ReplaceAll(imp.Module, ".", "/")
	first, _, _ := strings.Cut(rel, "/")
	if first == "" {
		return lang.Module{}, false
	}
	tried := map[string]bool{}
	try := func(root string) (lang.Module, bool) {
		if tried[root] {
			return lang.Module{}, false
		}
		tried[root] = true
		return m.at(path.Join(root, rel))
	}
	for _, root := range []string{dir, "", "src", "lib", "python"} {
		if found, ok := try(root); ok && (len(found.Files) > 0 || !stdlib[first]) {
			return found, true
		}
	}
	if stdlib[first] {
		return lang.Module{}, false
	}
	var hit lang.Module
	n := 0
	for _, root := range m.rootsOf(first) {
		if found, ok := try(root); ok {
			if n++; n == 1 {
				hit = found
			}
		}
	}
	return hit, n == 1
}

func (m *modules) isPackage(dir string) bool {
	return dir != "" && (m.t.HasFile(dir+"/__init__.py") || m.t.HasFile(dir+"/__init__.pyi"))
}

// rootsOf lists the folders that hold a package (a folder with __init__.py that is in no package) of this name.
func (m *modules) rootsOf(name string) []string {
	if m.roots == nil {
		m.roots = map[string][]string{}
		for _, d := range m.t.Dirs() {
			if m.isPackage(d) && !m.isPackage(core.Dir(d)) {
				m.roots[path.Base(d)] = append(m.roots[path.Base(d)], core.Dir(d))
			}
		}
	}
	return m.roots[name]
}

// at gives the module in a place: a package before a module before a plain folder.
func (m *modules) at(p string) (lang.Module, bool) {
	if p == "." {
		p = ""
	}
	join := func(name string) string { return strings.TrimPrefix(p+"/"+name, "/") }
	for _, init := range []string{"__init__.py", "__init__.pyi"} {
		if m.t.HasFile(join(init)) {
			return lang.Module{Files: []string{join(init)}, Dir: p, HasDir: true}, true
		}
	}
	for _, ext := range []string{".py", ".pyi"} {
		if found, ok := core.One(m.t, p+ext); ok && p != "" {
			return found, true
		}
	}
	if m.t.HasDir(p) {
		return lang.Module{Dir: p, HasDir: true}, true
	}
	return lang.Module{}, false
}

func (m *modules) Sub(mod lang.Module, name string) (lang.Module, bool) {
	if !mod.HasDir || name == "" || strings.ContainsAny(name, "/.") {
		return lang.Module{}, false
	}
	return m.at(path.Join(mod.Dir, name))
}

// stdlib are the top-level modules of Python's library that repositories have folders of the same name for.
var stdlib = core.Words(`abc argparse array ast asyncio base64 bisect builtins calendar cgi cmd code codecs collections concurrent
configparser contextlib copy csv ctypes curses dataclasses datetime dbm decimal difflib dis email encodings enum errno
fnmatch fractions ftplib functools gc getpass gettext glob gzip hashlib heapq hmac html http imaplib importlib inspect io
ipaddress itertools json keyword linecache locale logging lzma mailbox math mimetypes multiprocessing numbers operator os
pathlib pickle pkgutil platform plistlib pprint profile queue random re resource sched secrets select selectors shelve
shlex shutil signal site smtplib socket sqlite3 ssl stat statistics string struct subprocess symtable sys sysconfig
tarfile tempfile test textwrap threading time timeit tkinter token tokenize tomllib trace traceback types typing
unicodedata unittest urllib uuid venv warnings wave weakref webbrowser xml xmlrpc zipfile zlib zoneinfo __future__`)

var rules = lang.Rules{
	Constructors: []string{"__init__", "__new__"},
	Class:        "__class__",
	Call:         "__call__",
	Linear:       true,
	Derived:      true,
	AllExported:  true,
	Builtins: core.Words(`abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input
int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range
repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ NotImplemented
BaseException Exception ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError BufferError
ConnectionError DeprecationWarning EOFError EnvironmentError FileExistsError FileNotFoundError FutureWarning
GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError
OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning
RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError
TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeWarning UserWarning
ValueError Warning ZeroDivisionError __name__ __file__ __doc__ __path__`),
	Common: core.Words(`append extend insert remove pop clear index count sort reverse copy add discard update union intersection
difference get items keys values setdefault popitem fromkeys join split rsplit splitlines strip lstrip rstrip replace
find rfind format encode decode lower upper title startswith endswith partition rpartition isdigit isalpha isalnum
isspace zfill ljust rjust center translate capitalize swapcase casefold read readline readlines write writelines close
flush seek tell open exists mkdir unlink rename stat match search findall finditer sub group groups start end span
send throw next acquire release wait notify put run is_alive total_seconds strftime isoformat date time now
debug info warning error exception critical log setLevel commit rollback execute fetchone fetchall cursor connect`),
}
