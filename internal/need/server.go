package need

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// Server returns the addresses of a real server: those in the environment variable FINDSPOT_ and its name in capitals, a comma list of URLs. The first must
// answer GET with a JSON object within a minute. If there is none the test is skipped, or fails when FINDSPOT_REQUIRE names it; how
// says what to do then.
func Server(t testing.TB, name, how string) []string {
	t.Helper()
	urls, err := findServer(t.Context(), name, how)
	if err != nil {
		missing(t, name, err.Error())
	}
	return urls
}

func findServer(ctx context.Context, name, how string) ([]string, error) {
	key := "FINDSPOT_" + strings.ToUpper(name)
	var urls []string
	for u := range strings.SplitSeq(os.Getenv(key), ",") {
		if u = strings.TrimSpace(u); u != "" {
			urls = append(urls, u)
		}
	}
	if len(urls) == 0 {
		return nil, fmt.Errorf("no %s: set %s to its address; %s", name, key, how)
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, urls[0], nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", key, err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s does not answer: %v; %s", name, err, how)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("%s does not answer: %v; %s", name, err, how)
	}
	var about map[string]any
	if err := json.Unmarshal(body, &about); err != nil || res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers with status %d and %q; %s", name, res.StatusCode, firstLine(body), how)
	}
	return urls, nil
}

// Dir returns the folder that the environment variable key names, where what a tool needs was built. If it is not set or is no
// folder the test is skipped, or fails when FINDSPOT_REQUIRE names name; how says what to do then.
func Dir(t testing.TB, name, key, how string) string {
	t.Helper()
	dir := os.Getenv(key)
	if fi, err := os.Stat(dir); dir == "" || err != nil || !fi.IsDir() {
		missing(t, name, fmt.Sprintf("no %s: set %s to its folder; %s", name, key, how))
	}
	return dir
}
