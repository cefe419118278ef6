// Package callers finds who calls or uses a symbol, and says how sure the answer is. [Search] takes a name and repositories. It returns the uses,
// each with its places and the source that found it, and a verdict. It asks the language server first, then the code graph, then searches every file
// in which the name is written; it answers "there are none" only if every occurrence is explained. It does not depend on questions, evidence or
// tools.
package callers
