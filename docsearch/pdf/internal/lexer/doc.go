// Package lexer splits content streams, CMaps and the clear text part of Type 1 fonts into tokens and operands (ISO
// 32000-1, 7.2). It takes bytes, damaged or not, and never fails: it skips what it cannot read. The tokens it returns
// point into the input and into memory that is reused. It knows the syntax of objects but no operators; package cos
// reads the objects of files.
package lexer
