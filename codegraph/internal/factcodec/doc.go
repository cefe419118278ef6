// Package factcodec is the byte form of the facts that front ends return. [Encode] writes facts; [Decode] reads them from untrusted bytes
// and checks every index, so that decoded facts never make a linker panic. A [Reader] decodes the facts of many files, each into a [Table],
// which holds the expressions and references in a third of the memory and keeps every name once. It does not depend on what facts mean or
// where their bytes are kept.
package factcodec
