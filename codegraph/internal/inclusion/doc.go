// Package inclusion handles files that include the text of others, as in C. It takes the files of a program and their imports, and finds
// which files a file sees through any number of inclusions, and where each name of a namespace is bound in all files. It does not depend on
// what the value of a name is (package infer) or which definition a declaration without a body stands for.
package inclusion
