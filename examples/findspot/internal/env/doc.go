// Package env is what a command has of the process that it was started as: the working folder, the environment, the standard
// streams and their terminals. A command that runs in the process of a server has those of the process that asks.
//
// It is the one place of the program, beside main.go, that asks the operating system for any of it.
package env
