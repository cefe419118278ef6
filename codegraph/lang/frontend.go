package lang

import (
	"context"
)

// A Frontend reads one language. It is safe for concurrent use.
type Frontend interface {
	// Name is the language's name, lower case. It is unique in a list of front ends.
	Name() string

	// Extensions are the file name endings it reads, lower case, with the dot.
	Extensions() []string

	// FeatureVersion grows whenever Parse gives other facts for the same bytes.
	FeatureVersion() int

	// Rules are the language's constants.
	Rules() Rules

	// Parse gives the facts of one file. The result depends on the extension of path and on src only. A syntax error
	// loses what it touches and is counted in the facts; an error return means that nothing could be read (for
	// example a parse over its time limit), and wraps the context's error when that ended it.
	Parse(ctx context.Context, path string, src []byte) (*Facts, error)

	// Resolver answers for one state of a repository. It is used by one goroutine at a time.
	Resolver(t Tree) Resolver
}

// Rules are what a linker must know about a language besides the facts.
type Rules struct {
	Family       string          // languages of one family may call each other by name alone; "" means the language's name
	Constructors []string        // names of the methods that run on instantiation; "" means the name of the class
	Class        string          // constant attribute that gives an instance's class, such as __class__
	Call         string          // method that runs when an instance is called
	PackageScope bool            // all files of a module share their top-level names
	ClassScope   bool            // names of a class are visible in its methods without a receiver
	BlockScope   bool            // a name without a known value in an inner scope may mean the one around it
	Objects      bool            // mappings are objects: their elements are attributes
	Conversion   bool            // calling a class converts a value: it makes no edge
	Typed        bool            // a declared type says all: what is assigned or returned only tells which function a value is
	Linear       bool            // base classes are ordered by C3; else depth first, left to right
	Derived      bool            // what a class and its bases leave open is looked for in the classes derived from it
	Inherit      bool            // overloads of a class and of its base classes are chosen from together, and its members are seen by plain names
	Extends      bool            // classes of the repository give methods to types outside of it: Interface ones whose methods are written again with an Owner that is not here
	Declared     bool            // as Typed, and functions without name are all that learns from calls and assignments
	VarMark      string          // begins the names of variables, where those have a name space of their own
	Universal    map[string]bool // members that every object has, from outside
	Outside      *Outside        // what is known of types outside of the repository; nil: nothing
	Includes     bool            // a star import takes in a file's text with all that it sees, scopes of one name are one, and announcements mean definitions elsewhere
	AllExported  bool            // every top-level name can be imported; else only exported ones
	Config       []string        // base names of files a resolver reads (go.mod), with stars as path.Match takes them; they are read up to 1 MB
	Builtins     map[string]bool // names that are always there
	Common       map[string]bool // method names of built-in types: never linked by name alone
}

// A Tree is one state of a repository, as resolvers see it. Paths are slash-separated and relative to the root, which
// is "". Lists are sorted.
type Tree interface {
	HasFile(path string) bool
	HasDir(path string) bool
	Dirs() []string                    // all folders that hold source files at any depth, without the root
	Files(dir string) []string         // source files directly in dir
	Config(path string) ([]byte, bool) // content of a file named in Rules.Config
	Configs(base string) []string      // paths of all files with this base name
	Package(path string) string        // Facts.Package of a source file
}

// A Module is what an import string names.
type Module struct {
	Files  []string // the files whose top-level names are the module's
	Dir    string   // where its submodules are, when HasDir
	HasDir bool
	Inner  string // a class of the module, by its dotted name, whose members are meant; "" means the module itself
}

// A Resolver maps import strings to modules of the repository.
type Resolver interface {
	// Module gives what imp names in file from, and false when that lies outside of the repository. For a dotted
	// import it is the whole dotted module.
	Module(from string, imp Import) (Module, bool)

	// Sub gives the submodule of m with this name.
	Sub(m Module, name string) (Module, bool)
}

// An Excluder is a resolver that knows which files are never part of one build, such as those of two systems. What one of
// them names is not in the other.
type Excluder interface {
	Apart(a, b string) bool
}

// A Structural is a resolver of a language in which a class is of an interface by having all of its methods. Shape gives the
// form in which the method of a file with this name and signature is compared with others of the name; "" is like no other.
type Structural interface {
	Shape(path, name, signature string) string
}
