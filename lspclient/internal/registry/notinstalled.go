package registry

import "fmt"

// NotInstalledError says that the language has servers in the registry, and none of them is installed.
type NotInstalledError struct {
	Language string // such as "go"
	Server   string // the first choice for the language
	Install  string // the command that installs it
	Why      string // what was found instead, such as a shim whose probe failed; may be empty
}

func (e *NotInstalledError) Error() string {
	msg := fmt.Sprintf("no language server for %s: %s is not installed", e.Language, e.Server)
	if e.Why != "" {
		msg += " (" + e.Why + ")"
	}
	return msg + "; to install it: " + e.Install
}
