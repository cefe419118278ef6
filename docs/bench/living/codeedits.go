package main

import (
	"path"
	"slices"
	"strings"
)

// A function of the corpus that an edit changes in several languages.
var languages = []string{"code/search.py", "code/pool.go", "code/retry.ts", "code/Ledger.java", "code/ring.rs", "code/frame.c"}

// functions are the indexes of a file's functions.
func functions(f *file) (out []int) {
	for i, b := range f.blocks {
		if b.fact != "" {
			out = append(out, i)
		}
	}
	return out
}

// code are the edits of code.
var code = []edit{
	{"moved", "functions in reverse order", func(w *world) {
		for _, name := range languages {
			f := w.file(name)
			at := functions(f)
			slices.Reverse(f.blocks[at[0] : at[len(at)-1]+1])
		}
	}},
	{"moved", "a licence and imports before all", func(w *world) {
		for name, head := range map[string]string{
			"code/search.py": "# Copyright the authors.\n# All rights reserved.\n", "code/pool.go": "// Copyright the authors.\n// All rights reserved.\n", "code/retry.ts": "/* Copyright the authors. */\n",
			"code/Ledger.java": "/*\n * Copyright the authors.\n */", "code/ring.rs": "// Copyright the authors.\n", "code/frame.c": "/* Copyright the authors. */\n#include <string.h>",
		} {
			f := w.file(name)
			f.blocks = slices.Insert(f.blocks, 0, text(head))
		}
	}},
	{"moved", "functions to other files", func(w *world) {
		for id, to := range map[string][2]string{
			"lags": {"code/steps.py", "\"\"\"Steps.\"\"\""}, "best": {"code/rank.py", "\"\"\"Ranking.\"\"\""}, "drain": {"code/drain.go", "package pool"}, "label": {"code/label.ts", "import { Task } from './retry';"},
			"energy": {"code/energy.rs", "//! Energy."}, "payload": {"code/payload.c", "#include \"frame.h\""},
		} {
			b := w.take(id)
			w.add(to[0], text(to[1]), b)
		}
	}},
	{"renamed", "files", func(w *world) {
		for _, name := range languages {
			f := w.file(name)
			f.name = strings.Replace(name, "code/", "code/v2/", 1)
			if path.Ext(name) != ".java" { // a class has the name of its file
				f.name = strings.TrimSuffix(f.name, path.Ext(name)) + "_new" + path.Ext(name)
			}
		}
	}},
	{"renamed", "functions", func(w *world) {
		for id, to := range map[string][2]string{
			"gauge": {"gauge", "measure"}, "put": {"Put", "Return"}, "retry": {"retry", "persist"}, "add": {"add", "book"}, "clipped": {"clipped", "saturated"}, "checksum": {"checksum", "fold"},
		} {
			w.put(id, to[0]+"(", to[1]+"(")
			w.broken[id] = true // the sentence has the old name
		}
	}},
	{"numbers", "limits and defaults", func(w *world) {
		w.breaks("gauge", "12", "9")
		w.breaks("best", "0.4", "0.5")
		w.breaks("get", "4096", "8192")
		w.breaks("delay", "30000", "60000")
		w.breaks("add", "1)", "0)")
		w.breaks("clipped", "32000", "32001")
		w.breaks("checksum", "0xFF", "0x00")
		w.breaks("header", "8", "16")
	}},
	{"meaning", "signs of operation", func(w *world) {
		w.breaks("gauge", "> threshold", "< threshold")
		w.breaks("put", ">=", ">")
		w.breaks("label", "<=", "<")
		w.breaks("over", "> LIMIT", ">= LIMIT")
		w.breaks("energy", ") * (", ") + (")
		w.breaks("payload", "- 2", "+ 2")
	}},
	{"deleted", "functions", func(w *world) {
		for _, id := range []string{"lags", "drain", "label", "sum", "energy", "header"} {
			w.take(id)
		}
	}},
	{"deleted", "files", func(w *world) { w.remove("code/search.py"); w.remove("code/frame.c") }},
	{"reformatted", "other indentation", func(w *world) {
		for _, name := range languages {
			f := w.file(name)
			f.each(func(s string) string {
				lines := strings.Split(s, "\n")
				for i, l := range lines {
					bare := strings.TrimLeft(l, " \t")
					in := l[:len(l)-len(bare)]
					switch {
					case strings.Contains(in, "\t"):
						in = strings.ReplaceAll(in, "\t", "    ")
					case len(in)%4 == 0:
						in = strings.Repeat("  ", len(in)/4)
					default:
						in = strings.Repeat("\t", len(in)/2)
					}
					lines[i] = in + bare
				}
				return strings.Join(lines, "\n")
			})
		}
	}},
	{"reformatted", "formatters of the languages", reformat},
	{"reformatted", "arguments on lines of their own", func(w *world) {
		w.put("gauge", "(samples, threshold=12)", "(\n    samples,\n    threshold=12,\n)")
		w.put("put", "(b []byte)", "(\n\tb []byte,\n)")
		w.put("retry", "(task: Task, times = 5)", "(\n  task: Task,\n  times = 5,\n)")
		w.put("add", "(String account, long amount)", "(\n            String account,\n            long amount)")
		w.put("push", "(ring: &mut Vec<i16>, at: &mut usize, sample: i16)", "(\n    ring: &mut Vec<i16>,\n    at: &mut usize,\n    sample: i16,\n)")
		w.put("checksum", "(const uint8_t *data, size_t n)", "(\n    const uint8_t *data,\n    size_t n)")
	}},
	{"reformatted", "functions in a class", func(w *world) {
		f := w.file("code/search.py")
		for _, i := range functions(f) {
			f.blocks[i].text = "    " + strings.ReplaceAll(f.blocks[i].text, "\n", "\n    ")
		}
		f.blocks = slices.Insert(f.blocks, 1, text("class Search:\n    \"\"\"A search.\"\"\""))
		f = w.file("code/ring.rs")
		for _, i := range functions(f) {
			f.blocks[i].text = "    " + strings.ReplaceAll(f.blocks[i].text, "\n", "\n    ")
		}
		f.blocks = append(slices.Insert(f.blocks, 1, text("pub mod ring {")), text("}"))
	}},
	{"reformatted", "comments added within", func(w *world) {
		w.put("gauge", "    peak =", "    # the strongest sample\n    peak =")
		w.put("put", "\tp.free =", "\t// it is lent again\n\tp.free =")
		w.put("retry", "    try {", "    // once more\n    try {")
		w.put("sum", "        return", "        // zero for what is not known\n        return")
		w.put("push", "    if ring", "    // fill it first\n    if ring")
		w.put("header", "    if (n", "    /* too short */\n    if (n")
	}},
	{"copied", "functions copied into other files", func(w *world) {
		for _, name := range []string{"code/search.py", "code/retry.ts", "code/ring.rs", "code/frame.c"} {
			w.add(strings.Replace(name, "code/", "code/vendored/", 1), copied(w.file(name).blocks)...)
		}
	}},
	{"copied", "a copy stays, the original is changed", func(w *world) {
		for _, name := range []string{"code/search.py", "code/retry.ts", "code/ring.rs", "code/frame.c"} {
			w.add(strings.Replace(name, "code/", "code/old/", 1), copied(w.file(name).blocks)...)
		}
		w.breaks("gauge", "12", "9")
		w.breaks("delay", "30000", "60000")
		w.breaks("clipped", "32000", "31000")
		w.breaks("checksum", "0xFF", "0x00")
	}},
	{"merged", "files become one", func(w *world) {
		f, o := w.file("code/frame.c"), w.add("code/checks.c", text("#include <stdint.h>"), text("int nothing(void)\n{\n    return 0;\n}"))
		o.blocks = append(o.blocks, f.blocks[1:]...)
		w.remove("code/frame.c")
		p, q := w.file("code/search.py"), w.add("code/rest.py", text("import os"), text("def rest():\n    return os.name"))
		q.blocks = append(q.blocks, p.blocks[1:]...)
		w.remove("code/search.py")
	}},
}

// reformat writes functions as a formatter of their language does: black, prettier, google-java-format, rustfmt and clang-format, with settings that others chose.
func reformat(w *world) {
	w.put("best", "{'names': [], 'scores': []}", "{\"names\": [], \"scores\": []}")
	w.put("best", "        if score < 0.4: continue\n", "        if score < 0.4:\n            continue\n")
	w.put("best", "kept['names']", "kept[\"names\"]")
	w.put("best", "kept['scores'].append", "kept[\"scores\"].append")
	w.put("retune", "radio.tune(wait=5, attempt=n, carrier=radio.carrier, bandwidth=radio.bandwidth)",
		"radio.tune(\n            wait=5,\n            attempt=n,\n            carrier=radio.carrier,\n            bandwidth=radio.bandwidth,\n        )")
	w.put("delay", "base = 250;", "base = 250")
	w.put("delay", "30000);", "30000)")
	w.put("label", "{ return task.name; }", "{\n    return task.name;\n  }")
	w.put("label", "'...'", "\"...\"")
	w.put("retry", "'gave up: '", "\"gave up: \"")
	w.put("sum", "return sums.getOrDefault(account, 0L);", "return sums\n                .getOrDefault(account, 0L);")
	w.put("over", "boolean over(String account) {", "boolean over(String account)\n    {")
	w.put("energy", "    ring.iter().map(|s| (*s as i64) * (*s as i64)).sum()", "    ring.iter()\n        .map(|s| (*s as i64) * (*s as i64))\n        .sum()")
	w.put("clipped", "    ring.iter().filter(|s| s.unsigned_abs() > 32000).count()", "    ring.iter()\n        .filter(|s| s.unsigned_abs() > 32000)\n        .count()")
	w.put("checksum", "size_t n)\n{", "size_t n) {")
	w.put("checksum", "(const uint8_t *data,", "(const uint8_t* data,")
	w.put("header", "if (n < 8) {\n        return 0;\n    }", "if(n < 8)\n    {\n        return 0;\n    }")
	w.put("payload", "size_t n)\n{", "size_t n) {")
	w.put("payload", "n - 8 - 2", "n-8-2")
}
