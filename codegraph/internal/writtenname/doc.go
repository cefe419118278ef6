// Package writtenname parses the names of code that people and programs write, in questions, test runners, stack traces, declarations and
// documentation: "Class.method", "path.py:func". It takes text and returns a path, a line and the parts of a name, or reports that it is no
// name. It does not depend on a repository: which node a name means is up to package query. Names that language servers show are parsed by
// lspclient/internal/symbolname.
package writtenname
