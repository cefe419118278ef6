package lspclient

import "github.com/findspot/findspot/lspclient/internal/symbols"

// Target is what a question is about: a name or a place. Make one with [Named] or [At].
type Target struct {
	query symbols.Query
}

// Named asks about the symbol of that name, written as people write it:
//
//	getUser                        the identifier alone
//	Flask.dispatch_request         with what contains it; also "A::b", "A/b", "A#b" and "A->b"
//	(*Type).Method                 the receiver as Go writes it; pointers and type arguments (List<T>.add, F[T].Do) do not count
//	pkg.sub.mod.func               with packages, modules or folders; also "crate::mod::f"
//	path/file.py:Class.method      among the declarations of one file; also "path/file.py::Class::method"
//	/Class/method                  the whole chain from the top of its file, also behind a file: "a.py:/run" is no method
//	com.acme.Foo.bar(int,String)   the overload with these parameter types
//	Class/method[0]                the first of several declarations of a name in one container, counted from 0
//	A::operator+, A::~A            operators and destructors; Class.__init__, Class.constructor and A::A construct
//	path/file.py:12:5              a place, as [At] takes it; the column may be left out
//
// The last part is the identifier; the parts before it must be links of the chain that contains it (classes, packages,
// folders), in order. A name that ends the chain comes before one that leaves links out, and that before one that differs in
// upper and lower case; Result.Note says so when either was taken. A declaration comes before imports and re-exports of
// it, a type before its constructors. What then still means several symbols is an *AmbiguousError, and what means none a
// *NotFoundError with near names.
func Named(name string) Target { return Target{symbols.Query{Name: name}} }

// At asks about the identifier at a place. The path is slash-separated and relative to the client's root (or absolute
// and inside it), line and column count from 1, the column in bytes of the line as UTF-8 without a byte order mark. A
// column that is on no identifier, or on a word that the language reserves, means the name that the line declares, if it
// declares one, else the nearest identifier of the line in code, else the nearest in a comment or a string; Result.Note says
// so. A column below 1 says that none is known, with the same meaning.
func At(path string, line, col int) Target { return Target{symbols.At(path, line, col)} }

// String returns the name, or path:line:col.
func (t Target) String() string { return t.query.String() }

// Name returns the name that the target was made with, "" for a place.
func (t Target) Name() string { return t.query.Name }

// Place returns the place that the target was made with; path is "" for a name.
func (t Target) Place() (path string, line, col int) { return t.query.Path, t.query.Line, t.query.Col }
