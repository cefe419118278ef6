// Mcpserver shows how a program offers a workspace to agents with package mcphandler: here over the Model Context Protocol on standard input and
// output. A program that serves HTTP mounts the same handler: mux.Handle("/mcp", h). What people use is findspot mcp, which has all options.
//
//	mcpserver -docs papers -repo receiver
package main
