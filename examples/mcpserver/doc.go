// Mcpserver offers a workspace to agents over the Model Context Protocol on standard input and output. Tools and
// instructions come from the library.
//
//	mcpserver --docs papers --repo receiver
//
// With --skill NAME the guards of that skill hold for every call, and the tool run_skill runs its steps.
package main
