// Package process starts language servers and lets none of them stay behind. In goes a command with its environment, out
// comes a running process with its three pipes, whose group is its own and which ends with this program, however that comes
// about ([Guard]). It takes the network away where the kernel allows that, and tells how much memory and processor time a
// server with its children takes. It may not know which server it runs, nor what is said over the pipes.
package process
