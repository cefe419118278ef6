// Package agentconfig tells coding agents how to start the MCP server of findspot: in the file of a project, or in the user's own.
//
//	client, _ := agentconfig.FindClient("vscode")
//	plan, err := client.Plan(agentconfig.Project, root, server, false)
//	fmt.Print(plan.Diff())
//	err = plan.Write()
//
// What a file holds besides stays as it is, to the byte: comments in JSON, the rest of a TOML file. A file that is broken is refused with the place of the fault.
package agentconfig
