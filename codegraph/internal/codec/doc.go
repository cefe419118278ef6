// Package codec writes and reads the bytes that an index is made of: numbers of variable length, strings, numbers of 32 bits,
// checksums and compressed facts. Values go in and bytes come out, or the other way round. A [Reader] takes any bytes: what is
// cut off makes it bad and never panics, and no length that it reads is more than what is left. [Unpack] bounds what a few
// packed bytes may unfold to. It knows nothing of files, graphs and sections; those who use it say what the bytes mean.
package codec
