package main

import (
	"regexp"
	"slices"
	"strings"
)

// later are edits that were written when what the others had shown was mended: several at once, and changes that look like others.
var later = []edit{
	{"several at once", "a PDF renamed, typeset anew, and a number changed", func(w *world) {
		f := w.file(trial)
		f.name, f.wide, f.hyphen = "docs/2027/trial.pdf", 60, true
		slices.Reverse(f.blocks)
		w.breaks("drift", "340", "34")
		w.breaks("rate", "7.5", "75")
	}},
	{"several at once", "Markdown renamed, wrapped, a section gone", func(w *world) {
		f := w.file(search)
		f.name = "docs/notes/search.md"
		f.blocks = slices.Delete(f.blocks, 7, 11)
		f.each(func(s string) string { return strings.Join(wrap(s, 48, false), "\n") })
		w.breaks("memory", "64", "46")
	}},
	{"several at once", "text split into three documents", func(w *world) {
		f := w.file(link)
		w.add("docs/receiver.txt", slices.Clone(f.blocks[4:8])...)
		w.add("docs/maintenance.txt", slices.Clone(f.blocks[8:])...)
		f.blocks = f.blocks[:4]
		w.breaks("alarm", "90 seconds", "900 seconds")
		w.breaks("margin", "6 dB", "8 dB")
	}},
	{"several at once", "a file of code renamed, a function renamed, another formatted", func(w *world) {
		w.file("code/search.py").name = "code/lib/scan.py"
		w.put("lags", "def lags(", "def steps(")
		w.broken["lags"] = true
		w.put("gauge", "(samples, threshold=12)", "(\n    samples,\n    threshold=12,\n)")
		w.breaks("retune", "wait=5", "wait=6")
	}},
	{"several at once", "code formatted, and an operation changed", func(w *world) {
		reformat(w)
		w.breaks("gauge", "> threshold", ">= threshold")
		w.breaks("payload", "n-8-2", "n-8-4")
		w.breaks("clipped", "> 32000", ">= 32000")
		w.breaks("label", "24", "32")
	}},
	{"exchanged", "numbers of two sentences", func(w *world) {
		w.breaks("period", "20 ms", "25 ms")
		w.breaks("window", "25 ms", "20 ms")
		w.breaks("power", "33", "6")
		w.breaks("margin", "6 dB", "33 dB")
	}},
	{"exchanged", "cells of two rows", func(w *world) {
		w.breaks("free", "3 |", "50 |")
		w.breaks("team", "50 |", "3 |")
	}},
	{"exchanged", "names", func(w *world) {
		w.breaks("rate", "packet rate", "loss rate")
		w.breaks("sense", "sensitivity", "selectivity")
		w.breaks("battery", "battery", "heater")
	}},
	{"looks alike", "sentences about another thing before", func(w *world) {
		f := w.file(search)
		f.blocks = slices.Insert(f.blocks, 1, text("The secondary synchronization signal is an m-sequence of length 63."), text("A peak of the secondary signal counts when it stands 9 dB above the noise floor."),
			text("A search of the secondary signal keeps 16 candidates in memory."))
		f = w.file(link)
		f.blocks = slices.Insert(f.blocks, 1, text("The spare transmitter sends 23 dBm at the antenna port."), text("The noise figure of the spare receiver is 7.2 dB."))
	}},
	{"looks alike", "sentences replaced by those about another thing", func(w *world) {
		w.breaks("length", "The primary", "The secondary")
		w.breaks("figure", "The noise figure of the receiver", "The noise figure of the transmitter")
		w.breaks("clock", "The clocks of the stations", "The readings of the sensors")
	}},
	{"looks alike", "variables renamed, bodies as they were", func(w *world) {
		for id, to := range map[string][2]string{"drain": {"n", "count"}, "checksum": {"sum", "acc"}, "lags": {"step", "stride"}, "over": {"current", "now"}} {
			f, i := w.find(id)
			f.blocks[i].text = regexp.MustCompile(`\b`+to[0]+`\b`).ReplaceAllString(f.blocks[i].text, to[1])
			w.broken[id] = true // other code: a reader must look
		}
	}},
	{"looks alike", "what strings hold", func(w *world) {
		w.breaks("put", "\"full\"", "\"fu ll\"")
		w.breaks("label", "'...'", "'. . .'")
		w.breaks("retry", "'gave up: '", "'gave up:'")
	}},
	{"looks alike", "comments removed or changed", func(w *world) {
		w.breaks("get", "// Get lends a buffer.\n", "")
		w.breaks("put", "takes a buffer back", "takes no buffer back")
	}},
	{"looks alike", "a line of code removed, and one doubled", func(w *world) {
		w.breaks("best", "        kept['scores'].append(score)\n", "")
		w.breaks("push", "        ring.push(sample);\n", "        ring.push(sample);\n        ring.push(sample);\n")
		w.breaks("add", "            return false;\n", "            return true;\n")
	}},
	{"retold", "other words for the same", func(w *world) {
		w.rewords("owner", "and reviews them after each release", "which it reviews with each release")
		w.rewords("visit", "and write down the torque of\nevery bolt that they tighten", "and note how tight\neach bolt is")
		w.rewords("cost", "most of which was spent on the hire of the second boat", "since the second boat had to be hired")
		w.rewords("model", "and it must be fitted again before that", "so it has to be fitted once more")
		w.rewords("change", ", at the end of the period that was paid", " when the paid period ends")
	}},
	{"retold", "a sentence before it in the paragraph", func(w *world) {
		for _, id := range []string{"median", "raster", "sense", "depth"} {
			w.put(id, "The ", "This was measured again in the spring. The ")
		}
	}},
}
