// Package project makes what a server needs to know a workspace folder and that may not lie in the repository: a folder for
// its data in the user's cache ([DataFolder]), a copy of the compilation database of C and C++ ([Database]), and for Java an
// Eclipse project that stands for the folder ([Eclipse]). In go the folder and its files, out come arguments for the server
// and what it will lack (dependencies, sources that fit nowhere). It may not know how the server is spoken with.
package project
