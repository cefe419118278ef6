// Mcpserver offers a workspace to agents over the Model Context Protocol on standard input and output. Tools and
// instructions come from the library.
//
//	mcpserver --docs papers --repo receiver
package main
