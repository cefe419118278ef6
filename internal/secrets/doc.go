// Package secrets knows what holds secrets: the names of files that are never shown ([Name]), and keys, tokens and passwords within texts, which are masked
// ([Mask]).
//
// A mask is as long as what it covers and keeps its line ends, so that offsets, lines and columns stay right. The kinds are the documented formats
// of their issuers, private keys of RFC 7468 and OpenSSH, and values that are assigned to a name such as password and look random. What has no
// form of its own, such as a password in a sentence, is not found.
package secrets
