// Package manpage writes the commands of a program as pages for man, in the macros of man(7).
package manpage
