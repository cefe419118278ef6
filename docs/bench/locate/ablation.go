package main

import (
	"fmt"
	"maps"
	"strings"
)

// ablation prints what each signal is worth: the numbers without it.
func ablation(fixes []*fix, w map[string]float64) {
	set := func(name string, change func(map[string]float64)) {
		v := maps.Clone(w)
		change(v)
		line(name, score(fixes, v))
	}
	to := func(x float64, names ...string) func(map[string]float64) {
		return func(v map[string]float64) {
			for _, n := range names {
				v[n] = x
			}
		}
	}
	kinds := []string{"title", "prose", "later", "inline", "message", "code", "output"}
	alone := func(v map[string]float64) {
		to(0, signals...)(v)
		v["file"] = 1
	}
	plainly := func(v map[string]float64) {
		to(1, kinds...)(v)
		v["file_k1"], v["file_b"] = 1.2, .75
	}
	fmt.Println()
	set("BM25 over files, all text alike", func(v map[string]float64) { alone(v); plainly(v) })
	set("BM25 over files, parts weighted", alone)
	set("BM25 over files and entities", func(v map[string]float64) {
		to(0, signals...)(v)
		v["file"], v["best"], v["three"] = w["file"], w["best"], w["three"]
	})
	line("all signals", score(fixes, w))
	set("all text alike", to(1, kinds...))
	for _, s := range [][]string{{"file"}, {"best", "three", "lead"}, {"best"}, {"three"}, {"lead"}, {"path"}, {"scope"}, {"covered"}, {"named"}, {"module"}, {"place"}, {"frame"}, {"near"}, {"meaning"}, {"meaning", "entity_meaning"}} {
		set("without "+strings.Join(s, ", "), to(0, s...))
	}
	set("tests and others not lowered", to(1, "test", "generated", "plain", "aside"))
	for _, s := range []string{"entity_body", "entity_share", "entity_named", "entity_word", "entity_module", "entity_frame", "entity_covered", "entity_meaning", "entity_base"} {
		set("without "+s, to(0, s))
	}
	set("classes as functions", to(1, "entity_class"))
}
