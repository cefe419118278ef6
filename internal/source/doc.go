// Package source is the policy on showing a user's files: which of them an answer may show, and with which secrets masked. [Policy.Allowed] takes a
// folder and a path and returns nil, or a refusal that says how the host can allow it. The same policy holds for the files of repositories and for
// commands; the package does not depend on either.
package source
