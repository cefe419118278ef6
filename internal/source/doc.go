// Package source is the policy on showing a user's files: which of them answers may give out, and with secrets masked. A folder and a path go in, a refusal that
// says how the host can allow it comes out. It is the same for repositories, folders of documents and commands, and knows none of them.
package source
