// Package symbolname takes names of symbols apart: those that people write ("A.b", "A::b", "(*T).m", "f(int)[1]") and those
// that servers show ("impl Trait for T", "run(int) : String"). In goes a name, out come its parts, its parameter list and the
// chain of containers that it stands for, and how well a written name fits such a chain. It knows nothing of servers, files
// and places.
package symbolname
