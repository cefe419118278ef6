package sourcetext

import (
	"path"
	"strings"
)

// asideFolders hold code that shows, measures or builds a repository's own code.
var asideFolders = map[string]bool{
	"example": true, "examples": true, "_examples": true, "demo": true, "demos": true, "sample": true, "samples": true, "tutorial": true, "tutorials": true, "galleries": true,
	"bench": true, "benches": true, "benchmark": true, "benchmarks": true, "asv_bench": true, "asv_benchmarks": true, "playground": true, "playgrounds": true, "sandbox": true,
	"doc": true, "docs": true, "documentation": true, "website": true, "site": true, "sites": true, "scripts": true, "script": true, "ci": true, ".github": true, ".circleci": true,
	"fixtures": true, "__fixtures__": true, "e2e": true, "fuzz": true, "dist": true,
}

// IsAsidePath tells a file beside the code by its folders, or by its name: what configures a build, or declares types alone.
func IsAsidePath(p string) bool {
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		d := strings.ToLower(path.Base(dir))
		if asideFolders[d] || strings.HasPrefix(d, "test-") || strings.HasPrefix(d, "test_") || strings.HasPrefix(d, "tests-") || strings.HasPrefix(d, "tests_") {
			return true
		}
	}
	name := strings.ToLower(path.Base(p))
	s := Stem(name)
	return strings.HasSuffix(s, ".d") && strings.HasSuffix(name, "ts") || strings.HasSuffix(s, ".config") || s == "gulpfile" || s == "gruntfile"
}
