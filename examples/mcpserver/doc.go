// Mcpserver offers a workspace to agents over the Model Context Protocol on standard input and output. Its tools and
// instructions come from the library.
//
//	mcpserver --docs papers --repo receiver
//
// With --skill NAME every call is under the guards of that skill, and the tool run_skill runs its steps.
package main
