package home

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Run runs the tests of a package with an empty configuration folder, in this process and those that it starts, and returns the exit code.
func Run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "findspot-config-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	set := map[string]string{"XDG_CONFIG_HOME": dir, "AppData": dir}
	if config, err := os.UserConfigDir(); err == nil && os.Getenv("GOENV") == "" {
		set["GOENV"] = filepath.Join(config, "go", "env")
	}
	for name, value := range set {
		if err := os.Setenv(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}
