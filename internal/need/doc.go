// Package need finds what a test cannot bring along: real tools (a language server, a search engine), the shared data folder and the sources of
// modules.
//
//	gopls := need.Tool(t, "gopls", "version")
//	corpus := need.Shared(t, "pdf", "corpus")
//	sources := need.Module(t, "github.com/spf13/cobra")
//	model := need.Folder(t, "embed_model_dir", "pip install the package that has it")
//	urls := need.Server(t, "opensearch", "start one with .ci/opensearch/nodes")
//
// If something is missing, the test is skipped with a message that says what to install or set. The environment variable FINDSPOT_REQUIRE, a
// comma-separated list such as "gopls,pyright,shared", makes the test fail instead for the needs it names, so that continuous integration cannot pass
// by skipping. An entry also covers the programs that a product ships beside its main one: "pyright" covers "pyright-langserver".
//
// Limits: a probe runs for at most a minute. Nothing is cached between calls.
package need
