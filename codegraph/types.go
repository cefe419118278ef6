package codegraph

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/internal/errs"
)

// The errors of this package.
var (
	// ErrNotFound is wrapped when an id does not exist; near ids are in the message.
	ErrNotFound = errs.NotFound
	// ErrStale is wrapped when a source changed after it was indexed.
	ErrStale = errs.Stale
	// ErrClosed is wrapped when an index is used after Close.
	ErrClosed = errs.Closed
	// ErrFormat is wrapped when an index was written by a newer version.
	ErrFormat = errs.Format
	// ErrUnsupported is wrapped when an index cannot do what it is asked to.
	ErrUnsupported = errs.Unsupported
)

// A LockedError says that another process keeps an index up to date, and which.
type LockedError = errs.LockedError

// An UntrustedError says why a folder is not taken for an index of this user, and the way out.
type UntrustedError = errs.UntrustedError

// A Kind is the kind of an entity.
type Kind string

// The kinds of entities. Methods are functions; structs, interfaces and named types are classes.
const (
	KindDirectory Kind = "directory"
	KindFile      Kind = "file"
	KindClass     Kind = "class"
	KindFunction  Kind = "function"
)

// An EdgeKind is the kind of an edge.
type EdgeKind string

// The kinds of edges, from the first to the second: a directory contains a file, a file imports a file or an entity, a
// function invokes a function or class, a class inherits from its base. A reference is any other mention of a class or
// function: as a callback, a type, a value to be kept, an exception to be raised. A declaration that only announces a
// function or class (a prototype in a header) has an edge to its definition; all other edges lead to the definition then.
const (
	Contain   EdgeKind = "contain"
	Import    EdgeKind = "import"
	Invoke    EdgeKind = "invoke"
	Inherit   EdgeKind = "inherit"
	Reference EdgeKind = "reference"
	Define    EdgeKind = "define"
)

// EdgeKinds lists the kinds of edges.
func EdgeKinds() []EdgeKind { return slices.Clone(edgeKinds[:]) }

// A Level says how an edge is known.
type Level string

// The levels, strongest first. A way is as weak as its weakest step. Values are known at [LevelFlow] as long as each step hands on what
// went in: an assignment, an argument or a default, what a function returns or yields, the element of a container under a key or index
// that is constant where it is put in and where it is taken out. They are known at [LevelContainer] once an element is taken
// under a key that is not known, or by a loop, and could be another one of those in the container; so is a member whose name is
// put together at run time, and one that a class leaves to those derived from it.
const (
	LevelExact     Level = "exact"     // by a compiler or language server, or by the structure of the tree
	LevelScope     Level = "scope"     // a name of the same file, by its scopes
	LevelImport    Level = "import"    // through imports
	LevelMember    Level = "member"    // a member of the receiver, of a base class, or of an annotated type, also an annotated container's
	LevelFlow      Level = "flow"      // through values of variables, parameters and results
	LevelContainer Level = "container" // one of several: elements of lists and mappings, members of derived classes
	LevelName      Level = "name"      // the only method with that name, or the one that all others override
)

// Levels lists the levels, strongest first.
func Levels() []Level { return slices.Clone(levels[:]) }

// AtLeast tells whether l is as strong as min; the empty min accepts every level.
func (l Level) AtLeast(min Level) bool { return min == "" || l.rank() <= min.rank() }

// rank counts from 0, the strongest; an unknown or empty level is the weakest.
func (l Level) rank() uint8 {
	if i := slices.Index(levels[:], l); i >= 0 {
		return uint8(i)
	}
	return model.Levels - 1
}

// A Location is a half-open range in a file. Lines and columns count from 1, columns in bytes; paths are relative to
// the root and slash-separated.
type Location struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"end_line"`
	EndCol  int    `json:"end_col"`
}

// An Entity is a node of the graph.
type Entity struct {
	ID        string `json:"id"`
	Kind      Kind   `json:"kind"`
	Name      string `json:"name"` // the last name
	Path      string `json:"path"` // of its file or directory; "/" for the root
	Line      int    `json:"line"` // from 1, decorators included; 0 for a directory
	EndLine   int    `json:"end_line"`
	Signature string `json:"signature"`           // on one line; "" for files and directories
	Lang      string `json:"lang,omitempty"`      // "" for a directory and for text whose language is not known
	Test      bool   `json:"test,omitempty"`      // test code, by the language's conventions
	Vendored  bool   `json:"vendored,omitempty"`  // code of others kept in the repository, by its folder (vendor, third_party, site-packages)
	Generated bool   `json:"generated,omitempty"` // written by a program: its first comment or its long lines say so
}

// An Edge joins two entities. Sites are the places in the source of Src that make it, in order.
type Edge struct {
	Src   string     `json:"src"`
	Dst   string     `json:"dst"`
	Kind  EdgeKind   `json:"kind"`
	Level Level      `json:"level"` // the strongest of its sites
	By    string     `json:"by"`    // what found it: "linker", or who else did, see [Graph.Overlay]; several with commas
	Sites []Location `json:"sites"`
}

// An Unresolved is a reference that the linker could not place.
type Unresolved struct {
	Name    string   `json:"name"` // its last name
	At      Location `json:"at"`
	Outside bool     `json:"outside"` // it is known to lead outside of the repository
}

// A Skip is a file or folder that was left out.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Rule   bool   `json:"rule"` // left out by a rule, such as that of links; false: it could not be read
}

// The names of the kinds and levels by their numbers in package model.
var (
	kinds     = [model.EntityKinds]Kind{model.Directory: KindDirectory, model.File: KindFile, model.Class: KindClass, model.Function: KindFunction}
	edgeKinds = [model.Kinds]EdgeKind{
		model.Contain: Contain, model.Import: Import, model.Invoke: Invoke, model.Inherit: Inherit, model.Reference: Reference, model.Define: Define,
	}
	levels = [model.Levels]Level{
		model.LevelExact: LevelExact, model.LevelScope: LevelScope, model.LevelImport: LevelImport, model.LevelMember: LevelMember,
		model.LevelFlow: LevelFlow, model.LevelContainer: LevelContainer, model.LevelName: LevelName,
	}
)

// kindNumbers gives the numbers of kinds; bad words an error for each that is none of the kinds allowed.
func kindNumbers(list []Kind, allowed []Kind, bad func(Kind) error) (out []uint8, errs []error) {
	for _, k := range list {
		if !slices.Contains(allowed, k) {
			errs = append(errs, bad(k))
		}
		out = append(out, uint8(slices.Index(kinds[:], k)))
	}
	return out, errs
}
