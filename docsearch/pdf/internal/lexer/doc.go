// Package lexer cuts content streams, CMaps and the clear text part of Type 1 fonts into tokens and operands (ISO 32000-1, 7.2).
// Bytes go in, which may be damaged: what fits nothing is skipped, so that it never fails. The tokens that come out point
// into the input and into memory that is used again. It knows the syntax of objects, and no operator. The objects of files
// are read by package cos.
package lexer
