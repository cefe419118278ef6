package findspot_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeSnippets makes sure that the README and the guides show what the examples compile and run.
func TestReadmeSnippets(t *testing.T) {
	var pages strings.Builder
	for _, name := range []string{"README.md", "docs/guide/library.md", "docs/guide/agents.md"} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(page)
	}
	src, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	snippets := regexp.MustCompile(`(?s)\t// README: (\w+)\n(.*?)\t// end\n`).FindAllStringSubmatch(string(src), -1)
	if len(snippets) != 7 {
		t.Fatalf("%d snippets in example_test.go, want 7", len(snippets))
	}
	if strings.Contains(string(src), "// end\n\t// Output:") {
		t.Error("example_test.go: a comment that goes on into // Output keeps the example from running; leave a line blank before it")
	}
	program, err := os.ReadFile("examples/embed/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(pages.String(), "```go\n"+string(program)+"```\n") {
		t.Error("no guide holds the program examples/embed/main.go as it stands there")
	}
	for _, m := range snippets {
		code := strings.TrimPrefix(strings.ReplaceAll(m[2], "\n\t", "\n"), "\t")
		if !strings.Contains(pages.String(), "```go\n"+code+"```\n") {
			t.Errorf("neither the README nor a guide holds the snippet %q as it stands in example_test.go:\n%s", m[1], code)
		}
	}
}
