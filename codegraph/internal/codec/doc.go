// Package codec writes and reads the bytes of an index: numbers of variable length, strings, numbers of 32 bits, checksums and compressed
// facts. A [Reader] takes untrusted bytes: truncated input makes it bad and never panics, and no length that it returns exceeds the bytes
// left. [Unpack] limits how much a few packed bytes may expand to. The package does not depend on files, graphs or sections: what the bytes
// mean is up to its callers.
package codec
