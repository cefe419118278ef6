// Package opc opens office documents: ZIP files of parts with relationships between them, as ECMA-376 part 2 (Open Packaging Conventions) has it. Only parts in
// the file are reached: targets outside of it are never opened. What is unpacked is bounded, in sum and against the packed size.
//
// Files of older programs, and those locked by a password, are compound files ([MS-CFB]); they are told apart, and not read.
package opc
