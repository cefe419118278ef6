package lspclient

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/registry"
)

// TestPlantedPrograms: a repository holds programs and modules under the names that servers look for, and its settings point
// at them. None of them is run while questions are asked, by no server.
func TestPlantedPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("starts every server that is installed")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the planted programs are scripts for a shell")
	}
	specs, err := registry.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{
		".go": "package a\n\nfunc alpha() { alpha() }\n", ".py": "def alpha():\n    alpha()\n",
		".ts": "export function alpha() { alpha() }\n", ".c": "int alpha(void) { return alpha(); }\n",
		".rs": "pub fn alpha() { alpha() }\n", ".java": "class A { void alpha() { alpha(); } }\n",
	}
	files := map[string]string{".go": "a.go", ".py": "a.py", ".ts": "a.ts", ".c": "a.c", ".rs": "src/lib.rs", ".java": "A.java"}
	for _, spec := range specs {
		t.Run(spec.Name, func(t *testing.T) {
			t.Parallel()
			cmd := spec.Commands[0]
			if len(cmd.Probe) > 0 {
				need.Tool(t, cmd.Probe[0], cmd.Probe[1:]...)
			} else {
				need.Tool(t, cmd.Program)
			}
			needRuntime(t, spec.Name)
			root, proof := t.TempDir(), filepath.Join(t.TempDir(), "proof")
			run := "#!/bin/sh\necho \"$0 $*\" >> " + proof + "\nexit 1\n"
			js := "require('fs').appendFileSync(" + "'" + proof + "', __filename + '\\n');\n"
			py := "open(" + "'" + proof + "', 'a').write(__file__ + '\\n')\n"
			plant := map[string]string{
				"go.mod": "module a\n\ngo 1.21\n\ntoolchain go1.99.0\n", "pyproject.toml": "[tool.pyright]\nvenvPath = \".\"\nvenv = \".venv\"\n[tool.ty.environment]\npython = \".venv\"\n",
				"package.json": `{"name":"a","main":"index.js","scripts":{"postinstall":"./gopls"}}`, "index.js": js,
				"tsconfig.json":         `{"compilerOptions":{"plugins":[{"name":"evil"}]}}`,
				"Cargo.toml":            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\nbuild = \"build.rs\"\n",
				"build.rs":              "fn main() { std::fs::write(\"" + proof + "\", \"build.rs\").unwrap(); }\n",
				"compile_commands.json": `[{"directory":".","file":"a.c","command":"./bin/gcc -c a.c"}]`,
				".clangd":               "CompileFlags:\n  Compiler: ./bin/gcc\n", ".cargo/config.toml": "[build]\nrustc = \"./bin/rustc\"\nrustc-wrapper = \"./bin/rustc\"\n",
				"rust-toolchain.toml": "[toolchain]\npath = \".\"\n", ".vscode/settings.json": `{"python.defaultInterpreterPath":"./bin/python","typescript.tsdk":"node_modules/typescript/lib"}`,
				".venv/pyvenv.cfg": "home = bin\nversion = 3.12.0\n", "node_modules/evil/index.js": js, "node_modules/evil/package.json": `{"name":"evil","main":"index.js"}`,
				"node_modules/typescript/package.json": `{"name":"typescript","version":"5.9.9","main":"lib/typescript.js"}`,
				"pom.xml":                              "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version></project>",
				"build.gradle":                         "new File('" + proof + "').text = 'build.gradle'\n", "settings.gradle": "new File('" + proof + "').text = 'settings.gradle'\n",
				".project":         "<projectDescription><name>evil</name><buildSpec><buildCommand><name>org.eclipse.ui.externaltools.ExternalToolBuilder</name><arguments><dictionary><key>LaunchConfigHandle</key><value>&lt;project&gt;/evil.launch</value></dictionary></arguments></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>",
				"evil.launch":      "<launchConfiguration type=\"org.eclipse.ui.externaltools.ProgramBuilderLaunchConfigurationType\"><stringAttribute key=\"org.eclipse.ui.externaltools.ATTR_LOCATION\" value=\"" + filepath.Join(root, "mvnw") + "\"/></launchConfiguration>",
				"sitecustomize.py": py, "json.py": py, "os.py": py, "jedi.py": py, "pylsp.py": py, "setup.py": py, "conftest.py": py,
			}
			for _, name := range []string{"tsserver.js", "tsserverlibrary.js", "typescript.js", "_tsserver.js", "tsc.js"} {
				plant["node_modules/typescript/lib/"+name] = js
			}
			for _, name := range []string{"go", "gopls", "git", "python", "python3", "node", "npm", "gcc", "cc", "clang", "clangd", "rustc", "cargo", "java", "javac", "tsc", "tsserver",
				"pyright", "pyright-langserver", "basedpyright-langserver", "ty", "pylsp", "jdtls", "mvn", "gradle", "rustfmt"} {
				for _, dir := range []string{"", "bin/", ".venv/bin/", "venv/bin/", "node_modules/.bin/"} {
					plant[dir+name] = run
				}
			}
			plant["mvnw"], plant["gradlew"] = run, run
			for ext, text := range sources {
				plant[files[ext]] = text
			}
			writeFiles(t, root, plant)
			for name, text := range plant {
				if strings.HasPrefix(text, "#!") {
					if err := os.Chmod(filepath.Join(root, filepath.FromSlash(name)), 0o755); err != nil {
						t.Fatal(err)
					}
				}
			}
			c, err := Open(t.Context(), root, &Options{Prefer: []string{spec.Name}})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			asked := false
			for ext, file := range files {
				if (&registry.Spec{Spec: spec}).LanguageOf(file) == "" {
					continue
				}
				asked = true
				if _, err := c.Symbols(ctx, file); err != nil {
					t.Logf("Symbols(%s): %v", file, err)
				}
				line := 1
				if ext == ".go" {
					line = 3
				}
				if _, err := c.References(ctx, At(file, line, 10), nil); err != nil {
					t.Logf("References in %s: %v", file, err)
				}
				if _, err := c.Diagnostics(ctx, file, nil); err != nil {
					t.Logf("Diagnostics(%s): %v", file, err)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			if ran, err := os.ReadFile(proof); err == nil {
				t.Errorf("programs of the repository were run:\n%s", ran)
			}
			if !asked {
				t.Skip("no file of its languages is planted")
			}
		})
	}
}
