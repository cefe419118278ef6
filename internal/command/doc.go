// Package command runs programs for an agent. It takes a command (a program's name and its arguments) and returns the command's status and output, or
// a [Refusal] that says why it did not run. Programs that delete, use the network or gain other rights never run; rg, ast-grep, jq and findspot run
// if they only read below one folder; the host is asked about everything else. Programs are looked up in trusted folders and run without a shell, in
// an environment of their own; when a command ends, everything that it started ends too. The package does not depend on tools or workspaces: a
// function of the host decides which files below the folder may be read.
package command
