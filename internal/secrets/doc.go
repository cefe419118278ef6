// Package secrets finds secrets: [Name] recognizes the names of files that are never shown, and [Mask] masks keys, tokens and passwords within texts.
//
// A mask is as long as what it covers and keeps its line ends, so that offsets, lines and columns stay right. Mask finds the documented formats of
// issuers, private keys of RFC 7468 and OpenSSH, and values that look random and are assigned to a name such as password. It does not find secrets
// without a form of their own, such as a password in a sentence.
package secrets
