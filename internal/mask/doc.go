// Package mask finds which bytes of a source file are comments and which are string literals, well enough to say that a name in a comment is not a
// use of it. It implements the lexical rules of Python, Go, JavaScript and TypeScript, and those that C, C++, Java and Rust share with them.
package mask
