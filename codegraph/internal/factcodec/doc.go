// Package factcodec is the byte form of what front ends say of files. [Encode] writes facts, [Decode] reads them back from bytes that may be
// anybody's, and checks every index, so that what it gives never makes a linker panic. A [Reader] decodes the facts of many files into a
// [Table] each, which holds the expressions and references in a third of the memory, and keeps every name once. It does not know what facts
// mean, nor where their bytes are kept.
package factcodec
