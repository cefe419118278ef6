// Package project makes what a server needs to know about a workspace folder but must not be written into the repository: a folder for the server's
// data in the user's cache ([DataFolder]), a copy of the compilation database of C and C++ ([Database]), and for Java an Eclipse project that stands
// for the folder ([Eclipse]). It takes the folder and its files, and returns arguments for the server and what the server will lack (dependencies,
// sources that fit nowhere). It does not depend on how the server is spoken to.
package project
