// Package inclusion knows the files that include the text of others, as in C. The files of a program and their imports go in;
// what comes out is which files a file sees, through any number of inclusions, and where each name of a namespace is bound over
// all files. It does not know what a name's value is, nor which definition an announcement means.
package inclusion
