package plant

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Make writes a repository of n packages in an empty folder, each with a few functions and each using the one before, in
// one of the languages of [New].
func Make(root, lang string, n int) error {
	if _, ok := languages[lang]; !ok {
		return fmt.Errorf("plant: no language %q", lang)
	}
	files := map[string]string{}
	var mods []string
	for i := range n {
		name := fmt.Sprintf("pack%04d", i)
		before := fmt.Sprintf("pack%04d", max(i-1, 0))
		var b strings.Builder
		switch lang {
		case "go":
			fmt.Fprintf(&b, "package %s\n\n", name)
			if i > 0 {
				fmt.Fprintf(&b, "import \"example.com/planted/%s\"\n\n", before)
			}
		case "python":
			if i > 0 {
				fmt.Fprintf(&b, "from %s.mod import run0, run1\n\n", before)
			}
		case "typescript":
			if i > 0 {
				fmt.Fprintf(&b, "import { run0, run1 } from \"../%s/mod.js\";\n\n", before)
			}
		case "rust":
			if i > 0 {
				fmt.Fprintf(&b, "use crate::%s as before;\n\n", before)
			}
		case "cpp":
			fmt.Fprintf(&b, "#include \"../%s/mod.h\"\n\n", before)
		}
		for j := range 20 {
			call := "n"
			if i > 0 && j < 2 {
				call = map[string]string{
					"go": fmt.Sprintf("%s.Run%d(n)", before, j), "python": fmt.Sprintf("run%d(n)", j), "typescript": fmt.Sprintf("run%d(n)", j),
					"rust": fmt.Sprintf("before::run%d(n)", j), "cpp": fmt.Sprintf("%s::run%d(n)", before, j),
				}[lang]
			}
			switch lang {
			case "go":
				fmt.Fprintf(&b, "// Run%d is number %d.\nfunc Run%d(n int) int {\n\treturn %s + %d\n}\n\n", j, i, j, call, i)
			case "python":
				own := fmt.Sprintf("run%d", j)
				if j < 2 && i > 0 {
					fmt.Fprintf(&b, "before%d = run%d(%d)\n\n", j, j, i)
					call = "n"
				}
				fmt.Fprintf(&b, "def %s(n):\n    \"\"\"Number %d.\"\"\"\n    return %s + %d\n\n\n", own, i, call, i)
			case "typescript":
				if j < 2 && i > 0 {
					fmt.Fprintf(&b, "export const before%d = run%d(%d);\n\n", j, j, i)
					continue
				}
				if i > 0 {
					fmt.Fprintf(&b, "export function own%d(n: number): number {\n  return n + %d;\n}\n\n", j, i)
					continue
				}
				fmt.Fprintf(&b, "export function run%d(n: number): number {\n  return %s + %d;\n}\n\n", j, call, i)
			case "rust":
				fmt.Fprintf(&b, "/// Number %d.\npub fn run%d(n: usize) -> usize {\n    %s + %d\n}\n\n", i, j, call, i)
			case "cpp":
				fmt.Fprintf(&b, "int %s_own%d(int n) { return %s + %d; }\n\n", name, j, call, i)
			}
		}
		switch lang {
		case "go":
			files[name+"/mod.go"] = b.String()
		case "python":
			files[name+"/__init__.py"], files[name+"/mod.py"] = "", b.String()
		case "typescript":
			if i > 0 {
				b.WriteString("export { run0, run1 };\n")
			}
			files[name+"/mod.ts"] = b.String()
		case "rust":
			files["src/"+name+".rs"] = b.String()
			mods = append(mods, "pub mod "+name+";")
		case "cpp":
			files[name+"/mod.h"] = fmt.Sprintf("#pragma once\nnamespace %s {\ninline int run0(int n) { return n; }\ninline int run1(int n) { return n + 1; }\n}\n", name)
			files[name+"/mod.cpp"] = b.String()
		}
	}
	switch lang {
	case "rust":
		files["src/lib.rs"] = strings.Join(mods, "\n") + "\n"
	case "typescript":
		files["tsconfig.json"] = `{"compilerOptions": {"strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "types": []}}` + "\n"
	}
	for file, text := range files {
		abs := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
