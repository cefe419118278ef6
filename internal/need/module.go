package need

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// Module returns the folder with the sources of a module that go.mod names, in the version it names. The folder is not to be written
// to. If the module is not on this machine the test is skipped, or fails when FINDSPOT_REQUIRE names "module".
func Module(t testing.TB, path string) string {
	t.Helper()
	dir, err := findModule(t.Context(), path)
	if err != nil {
		missing(t, "module", err.Error())
	}
	return dir
}

func findModule(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", path)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("no sources of module %s: go list -m: %v: %s", path, err, firstLine([]byte(stderr.String())))
	}
	// Vendored modules, and those that nothing was built of yet, are listed without a folder.
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", fmt.Errorf("no sources of module %s: run go mod download %s", path, path)
	}
	return dir, nil
}
