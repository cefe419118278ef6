package lang

// File is the scope index of the file itself, and the parent of its top-level declarations.
const File int32 = -1

// None is the index of an absent expression.
const None int32 = -1

// Facts is all that a linker keeps of one file.
type Facts struct {
	Lang     string    // the front end's name
	Package  string    // the package clause, where the language has one; for its resolver alone
	Lines    int32     // number of lines
	Errors   int32     // syntax errors the parser stepped over
	Decls    []Decl    // in source order: a parent stands before its children
	Imports  []Import  // in source order
	Exprs    []Expr    // an expression stands after the expressions it points to
	Bindings []Binding // in source order
	Refs     []Ref     // in source order
}

// A DeclKind says what a declaration declares.
type DeclKind uint8

// The kinds of declarations. A lambda is a scope and a value, but no entity of a graph. Neither is a namespace; its name is
// part of the ids of what is in it, and namespaces of one name in one scope are one.
const (
	Class DeclKind = 1 + iota
	Function
	Lambda
	Namespace
)

// DeclFlag is a set of properties of a declaration.
type DeclFlag uint16

// The properties of declarations.
const (
	Conditional   DeclFlag = 1 << iota // one of several alternatives: under if, try, match
	Property                           // read without a call
	Static                             // a method without a receiver
	ClassMethod                        // a method whose receiver is the class
	Interface                          // a class that only promises
	Hidden                             // its name is not bound in its scope (a method declared outside of its class)
	Exported                           // offered to importers by name
	DefaultExport                      // offered to importers as the default
	Overload                           // told apart by its parameters from others of the same name in the same scope
	Forward                            // only announces what is defined elsewhere, under the same qualified name
	Test                               // test code by what its source says, not by its path
	AliasType                          // a class that is another name of the types that are its bases
	Local                              // not what another file means by the same name, unless it takes in this file's text
	Secondary                          // of a class's methods of one name written outside of it, those without this flag are meant
	Stub                               // only says how another declaration of the same name in the same scope is called
	Const                              // a method that changes nothing of its receiver; of two alike it is for those that may not be changed
)

// A Span is a half-open range of bytes with its lines. Lines and columns count from 1, columns in bytes.
type Span struct {
	Start, End      int32 // byte offsets from 0
	Line, Col       int32
	EndLine, EndCol int32 // EndLine is the line of the last byte
}

// A Decl is one declaration.
type Decl struct {
	Name      string
	Kind      DeclKind
	Flags     DeclFlag
	Parent    int32 // index of the declaration it is written in, or File
	Span      Span  // decorators included
	NameLine  int32 // line of the name itself
	Body      int32 // byte offset where the signature ends
	Signature string
	Receiver  string  // class whose method this is, when it is written outside of it; of the same package unless Owner says which
	Owner     int32   // expression of the Receiver class, where its name alone does not find it, or None
	Qualifier string  // written between the parent's name and its own, for what is set on an object (JavaScript)
	Bases     []int32 // expressions, in order
	Elem      int32   // a class that is a container: the expression of the container, or None
	Params    []Param // of a class: its fields, where values are given to them by position
	Decorated []int32 // decorators, outermost first
	Shape     uint32  // hash of the parameters' types: equal for an announcement and what it announces; 0 is unknown
}

// A Param is one parameter of a function.
type Param struct {
	Name string
	Kind ParamKind
	Type int32 // expression of its annotation, or None
	Def  int32 // expression of its default, or None
}

// ParamKind says how a parameter takes its arguments.
type ParamKind uint8

// The kinds of parameters.
const (
	Plain     ParamKind = iota
	Receiver            // takes the instance or, for a class method, the class
	Rest                // *args, ...rest
	RestNamed           // **kwargs
	Named               // by name only
)

// An Import is one imported name, or one whole module.
type Import struct {
	Scope  int32  // where the name is bound
	Module string // as written, without the leading dots; "" for "from . import x"
	Level  int32  // number of leading dots (Python)
	Name   string // the imported name; "" binds the module itself; "*" everything; "default" the default export
	Alias  string // the local name; "" when nothing is bound (side effects, re-export)
	As     string // the name under which this file offers it to importers; "" when it is not an explicit re-export
	Dotted bool   // "import a.b.c": binds a, makes a.b.c reachable
	Line   int32
}

// An Op is the form of an expression sketch.
type Op uint8

// The forms of expression sketches.
const (
	OpUnknown  Op = iota
	OpName        // Name, looked up from Scope
	OpAttr        // X.Name
	OpCall        // X(Args...)
	OpIndex       // X[Name]; Name is "" when the key is not constant
	OpDecl        // the declaration Decl; with X, as the decorators inside of decorator X leave it
	OpInstance    // an instance of the type X
	OpThis        // the receiver of the innermost method around Scope
	OpSuper       // the receiver, looked at as its base classes: super()
	OpList        // a sequence of Args; spread elements have Spread
	OpTuple       // several results: a sequence of Args
	OpDict        // a mapping of Args by Name; all of its elements are alike when its own Name is "*", as a type or a comprehension says
	OpAny         // one of Args
	OpElem        // what iterating over X gives
	OpReturn      // what the function X returns, without arguments: await, property
	OpString      // a constant string: Name
	OpModule      // the module named Name: import("x"), require("x")
	OpExternal    // a type known not to be in the repository, or a value of it, such as a literal; Name is the type's, where known
	OpElse        // X where that leads into the repository, else Args[0]
	OpHeld        // the value X, which is what the variable Name holds at this place
	OpTypeOf      // the type whose instances are the class X itself: type[X]; of what is no class that itself
	OpApply       // the generic type X with the type arguments Args; a type from outside, called Name, contains them
	OpClass       // X where a type is meant: the classes of that name, or all it may be when there is none
	OpDeref       // what X points to or holds: elements of a container, the result of the member Name where an instance has it, else X itself
	OpParam       // the type parameter numbered Name, from 0, of the class X; bound by Args[0], where there is one
	OpPointer     // a pointer to X: OpDeref gives X, whatever members it has
	OpMembers     // the members of X, and of classes derived from its class, whose names begin and end with what Name has before and behind a byte 0
	OpConst       // X, which may not be changed through this expression: of methods that differ in Const alone, those with it are called
)

// An Expr is a sketch of one expression.
type Expr struct {
	Op    Op
	X     int32 // the operand, or None
	Decl  int32 // OpDecl
	Scope int32 // OpName, OpThis, OpSuper
	Name  string
	Args  []Arg
}

// An Arg is an argument of a call or an element of a container.
type Arg struct {
	Name   string // keyword or constant key; "" when positional
	X      int32
	Spread bool // *x, ...x; ** when Name is "**"
}

// BindKind says how a binding gives its value.
type BindKind uint8

// The kinds of bindings.
const (
	Assign     BindKind = iota // Name = Value, or Target.Name = Value
	Store                      // Target[Name] = Value
	Annotate                   // Name: Value (a type)
	Return                     // Scope returns Value
	Yield                      // Scope yields Value
	ReturnType                 // Scope returns an instance of the type Value
	Extend                     // the class Target has the base class Value, said outside of it; an instance as Value only lends its members
	Alias                      // Name is another name of Value itself
	Using                      // as Alias, of what is elsewhere: an import. Name "*" imports every name of Value
	Conform                    // the function Value stands for the type Target: its parameters are those of the type's one method
)

// A Binding gives a name, an attribute or a result a value. A name may have several.
type Binding struct {
	Kind   BindKind
	Scope  int32 // where the name is bound; for results the function
	Name   string
	Target int32 // expression whose attribute or element is set, or None
	Value  int32
	Line   int32
}

// RefKind says what a reference does.
type RefKind uint8

// The kinds of references.
const (
	Call      RefKind = iota // a call or instantiation of X
	Decorator                // X is applied to Decl
	Use                      // X is mentioned, not called: passed on, stored, a type, raised
)

// A Ref is one use of a value that makes an edge. What a Use mentions is looked up like any value; those that lead to no
// class or function of the repository leave no trace, so that front ends may be generous.
type Ref struct {
	Kind      RefKind
	Scope     int32  // the innermost declaration around it, or File
	X         int32  // Call: the expression of the call (its operand is the callee); Decorator: the callee; Use: what is mentioned
	Decl      int32  // Decorator: expression of the declaration it is applied to, or None
	Name      string // last name of the callee; "" when it has none
	Line, Col int32
	EndLine   int32
	EndCol    int32
}
