// Package citation gives the text at a cited place, the hash of the file that holds it, and what reads that file, so that a quote can be checked. A place goes in; its
// text comes out, as answers show it, if what the place says beside is true. [Sources] reads the library and the repositories of a workspace, [Folders] reads folders
// without any index. Whether a quote stands in the text is for skill/evidence to say.
package citation
