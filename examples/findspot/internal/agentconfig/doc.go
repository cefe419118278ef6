// Package agentconfig writes into a project what its coding agent must know to start the MCP server of findspot. What a file holds already stays.
package agentconfig
