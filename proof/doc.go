// Package proof puts an answer with all that proves it into a folder, which anybody can check with a PDF viewer and nothing else.
//
//	bundle, err := proof.Write(ctx, "proof", answer, workspace, nil)
//	bundle, err := proof.WriteZIP(ctx, response, answer, workspace, nil)
//
// # What a bundle holds
//
//   - answer.html and answer.md: the text, with a link from each key to what proves it. The page is one file without scripts and loads nothing.
//   - documents/: the PDFs that the answer cites, with what it cites highlighted (package docsearch/pdf/mark). The original is the beginning of each, byte
//     for byte; README.txt says how long it is and which hash it must have, the one that answer.json was sealed with. A PDF that cannot be marked is there as it is.
//   - excerpts/: the cited lines of code and of other documents, with their numbers.
//   - answer.json: the sealed answer, for findspot verify.
//   - SHA256SUMS: the hash of every file, for sha256sum -c.
//   - README.txt: how to check all of that.
//
// Documents, code and answers are not trusted: in none of these files is a text of theirs markup, and what could not be seen of it is written
// out, as "[U+202E]". Names of files are made of letters, digits and hyphens.
//
// # Guarantees
//
// The folder must be new or empty, and no link. It appears when all of it is written, and not at all when something fails. An answer that does not hold against its
// sources has no bundle. The same answer and sources make the same bytes.
//
// # Limits
//
// A bundle has at most 500 documents of 100 MB each and Options.MaxBytes in all; an excerpt shows at most 2,000 lines of at most 2,000 characters.
//
// The package links github.com/pdfcpu/pdfcpu, which the root package does not: who does not import this package has no part of it.
package proof
