// Package callers finds who calls or uses a symbol, and says how sure the answer is. A name and repositories go
// in; the uses, each with its places and the source that gave it, and a verdict come out. The language server is asked first, then the code graph, then every file
// in which the name is written, so that "there are none" is said only when every occurrence is explained. It knows nothing of questions, evidence and tools.
package callers
