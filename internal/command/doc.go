// Package command runs programs for an agent. A command (a program's name and its arguments) goes in; its status and output come out, or a [Refusal] that says
// why it did not run. Programs that delete, use the network or take other rights never run; rg, ast-grep, jq and findspot run where they only read below one
// folder; the host is asked about everything else. Programs are looked up in trusted folders, run without a shell, in an environment of their own, and all that
// they started ends with them. It knows nothing of tools and workspaces: which files below the folder may be read is the host's function.
package command
