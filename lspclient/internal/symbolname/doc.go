// Package symbolname parses names of symbols: those that people write ("A.b", "A::b", "(*T).m", "f(int)[1]") and those that language servers show
// ("impl Trait for T", "run(int) : String"). It takes a name and returns its parts, its parameter list and the chain of containers that it stands
// for; it also says how well a written name fits such a chain. It does not depend on servers, files or places. Names in questions to the code graph,
// test runners and stack traces are parsed by codegraph/internal/writtenname.
package symbolname
