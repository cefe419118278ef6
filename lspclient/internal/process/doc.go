// Package process starts language servers and makes sure that none of them stays behind. It takes a command with its environment and returns a
// running process with its pipes. The process has a group of its own and ends with this program, however this program ends ([Guard]). The package
// takes the network away if the kernel allows that, and measures the memory and processor time of a server with its children. It does not depend on
// which server it runs or what is said over the pipes.
package process
