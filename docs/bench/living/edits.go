package main

import (
	"slices"
	"strings"
)

// An edit changes a world, and says which facts it breaks. Which stand elsewhere then follows from where their blocks are written.
type edit struct {
	kind, name string
	do         func(w *world)
}

const (
	search = "docs/search.md"
	link   = "docs/link.txt"
	trial  = "docs/trial.pdf"
	plans  = "docs/plans.md"
)

// documents are the edits of documents.
var documents = []edit{
	{"moved", "sections of Markdown in another order", func(w *world) {
		f := w.file(search)
		f.blocks = slices.Concat(f.blocks[:1], f.blocks[11:], f.blocks[7:11], f.blocks[1:7])
	}},
	{"moved", "paragraphs of text in reverse order", func(w *world) { slices.Reverse(w.file(link).blocks) }},
	{"moved", "sections of a PDF in another order", func(w *world) {
		f := w.file(trial)
		f.blocks = slices.Concat(f.blocks[:1], f.blocks[5:10], f.blocks[1:5], f.blocks[10:])
	}},
	{"moved", "paragraphs before others", func(w *world) {
		for _, name := range []string{search, link} {
			f := w.file(name)
			var out []block
			for i, b := range f.blocks {
				if i%3 == 1 && b.glue == "\n\n" {
					out = append(out, text("This was added later, and says nothing about what stands around it.\nIt has two lines."))
				}
				out = append(out, b)
			}
			f.blocks = out
		}
	}},
	{"moved", "a section to another document", func(w *world) {
		f := w.file(search)
		w.add("docs/timing.md", slices.Concat([]block{text("# Of timing")}, f.blocks[8:11])...)
		f.blocks = slices.Delete(f.blocks, 7, 11)
	}},
	{"renamed", "Markdown and text renamed", func(w *world) {
		w.file(search).name, w.file(link).name = "docs/cell-search.md", "docs/relay.txt"
	}},
	{"renamed", "all documents in new folders", func(w *world) {
		for _, name := range []string{search, link, trial} {
			f := w.file(name)
			f.name = strings.Replace(f.name, "docs/", "docs/edition-2/", 1)
		}
	}},
	{"numbers", "numbers in Markdown", func(w *world) {
		w.breaks("length", "127", "63")
		w.breaks("peak", "12 dB", "9 dB")
		w.breaks("period", "20 ms", "10 ms")
		w.breaks("memory", "64", "32")
	}},
	{"numbers", "numbers in text", func(w *world) {
		w.breaks("power", "33", "30")
		w.breaks("loss", "1.5", "1.8")
		w.breaks("sense", "-94", "-91")
		w.breaks("battery", "11", "7")
	}},
	{"numbers", "a sign and units", func(w *world) {
		w.breaks("window", "25 ms", "25 s")
		w.breaks("offset", "7 kHz", "7 MHz")
		w.breaks("sense", "-94", "94")
		w.breaks("alarm", "90 seconds", "90 minutes")
	}},
	{"numbers", "a new edition of a PDF", func(w *world) {
		w.breaks("crew", "nine members", "seven members")
		w.breaks("drift", "340", "430")
		w.breaks("rate", "7.5", "5.7")
		w.breaks("cost", "48,000", "84,000")
	}},
	{"numbers", "a new edition of a PDF under another name", func(w *world) {
		f := w.file(trial)
		f.name = "docs/trial-v2.pdf"
		f.blocks = slices.Insert(f.blocks, 0, text("Second edition, in which some of the numbers were corrected after the trial."))
		w.breaks("start", "22:15", "23:15")
		w.breaks("depth", "18", "13")
	}},
	{"meaning", "negations and bounds", func(w *world) {
		w.breaks("window", "at most", "at least")
		w.breaks("offset", "does not correct", "corrects")
		w.breaks("clock", "did not differ", "did differ")
		w.breaks("repeat", "will be repeated", "will not be repeated")
	}},
	{"meaning", "other names", func(w *world) {
		w.breaks("owner", "calibration team", "release team")
		w.breaks("repeat", "October", "November")
		w.breaks("visit", "Technicians", "Climbers")
		w.breaks("median", "median", "mean")
	}},
	{"deleted", "paragraphs", func(w *world) {
		for _, id := range []string{"length", "peak", "raster", "margin", "battery", "drift", "clock"} {
			w.take(id)
		}
	}},
	{"deleted", "sections", func(w *world) {
		f := w.file(search)
		f.blocks = slices.Delete(f.blocks, 7, 11)
		f = w.file(trial)
		f.blocks = slices.Delete(f.blocks, 5, 10)
	}},
	{"deleted", "documents", func(w *world) { w.remove(link); w.remove(search) }},
	{"typeset", "a page before the others", func(w *world) {
		f := w.file(trial)
		var front []block
		for range 5 {
			front = append(front, text("A preface of the second edition, in which the harbour office is thanked for the night, and the readers are told that nothing else has changed since the first one."))
		}
		f.blocks = append(front, f.blocks...)
	}},
	{"typeset", "shorter lines, and words that are divided", func(w *world) {
		f := w.file(trial)
		f.wide, f.tall, f.hyphen = 52, 18, true
	}},
	{"typeset", "longer pages", func(w *world) { w.file(trial).tall = 30 }},
	{"typeset", "text wrapped at 44 letters", func(w *world) {
		w.file(link).each(func(s string) string {
			return strings.Join(wrap(strings.Join(strings.Fields(s), " "), 44, true), "\n")
		})
	}},
	{"typeset", "Markdown wrapped at 40 letters", func(w *world) {
		f := w.file(search)
		for i := range f.blocks {
			if f.blocks[i].glue == " " {
				f.blocks[i].glue = "\n"
			}
			f.blocks[i].text = strings.Join(wrap(f.blocks[i].text, 40, false), "\n")
		}
	}},
	{"typeset", "paragraphs of text in one line", func(w *world) {
		w.file(link).each(func(s string) string { return strings.Join(strings.Fields(s), " ") })
	}},
	{"typeset", "line ends of Windows and a mark at the beginning", func(w *world) {
		for _, name := range []string{search, link} {
			w.file(name).form = func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }
		}
	}},
	{"copied", "a document copied to another name", func(w *world) {
		w.add("docs/archive/copy.md", copied(w.file(search).blocks)...)
		w.add("docs/archive/copy.txt", copied(w.file(link).blocks)...)
	}},
	{"copied", "an older edition stays, the other is changed", func(w *world) {
		w.add("docs/old.md", copied(w.file(search).blocks)...)
		w.add("docs/old.pdf", copied(w.file(trial).blocks)...)
		w.breaks("length", "127", "63")
		w.breaks("window", "25 ms", "35 ms")
		w.breaks("drift", "340", "430")
		w.breaks("cost", "48,000", "84,000")
	}},
	{"copied", "the same words at the end of the document", func(w *world) {
		f := w.file(search)
		f.blocks = slices.Concat(f.blocks, []block{text("## Summary")}, copied(f.blocks[1:6]))
		f = w.file(link)
		f.blocks = slices.Concat(f.blocks, []block{text("SUMMARY")}, copied(f.blocks[1:4]))
	}},
	{"copied", "the same words before, and all moves on", func(w *world) {
		f := w.file(link)
		f.blocks = slices.Concat([]block{text("SUMMARY\nfor readers in a hurry")}, copied(f.blocks[1:3]), f.blocks)
		w.breaks("alarm", "90", "60")
	}},
	{"merged", "sections without their headings, in one paragraph", func(w *world) {
		f := w.file(search)
		f.blocks = slices.DeleteFunc(f.blocks, func(b block) bool { return strings.HasPrefix(b.text, "## ") })
		for i := range f.blocks[2:] {
			f.blocks[i+2].glue = " "
		}
	}},
	{"merged", "two documents become one", func(w *world) {
		f, o := w.file(search), w.file(link)
		f.blocks = slices.Concat([]block{text("# All of it")}, o.blocks, f.blocks)
		w.remove(link)
	}},
	{"merged", "a PDF becomes text", func(w *world) {
		f := w.file(trial)
		f.name = "docs/trial.txt"
		f.each(func(s string) string { return strings.Join(wrap(s, 70, false), "\n") })
	}},
	{"merged", "text becomes a PDF", func(w *world) { w.file(link).name = "docs/link.pdf" }},
	{"reworded", "what is not cited of a paragraph", func(w *world) {
		w.rewords("shapes", "and each cell sends one of them", "of which every cell sends exactly one")
		w.rewords("memory", "and drops the weakest when another one comes", "whatever the band is")
		w.rewords("raster", " and 1.44 MHz in the upper one", ", and it differs in the upper one")
		w.rewords("loss", "It was measured with\nthe cable that is delivered with the mast.", "Other cables were\nnot measured.")
		w.rewords("crew", "four of whom had taken part in the first trial on the river in the spring of the year before", "among them two divers")
		w.rewords("depth", "and the readings could not be used", "so that the readings were of no use")
	}},
	{"reworded", "typographic marks and emphasis", func(w *world) {
		w.rewords("length", "127", "**127**")
		w.rewords("peak", "12 dB", "*12 dB*")
		w.rewords("median", "median", "_median_")
		w.rewords("owner", "thresholds, and", "thresholds \u2013 and")
	}},
	{"tables", "rows in another order, and another table before", func(w *world) {
		f := w.file(plans)
		f.blocks = slices.Concat(f.blocks[:1], []block{text("| Region | Sites |\n|---|---|\n| north | 4 |\n| south | 9 |"), text("The plans:")}, f.blocks[1:2], []block{f.blocks[4], f.blocks[2], f.blocks[3], f.blocks[5]})
	}},
	{"tables", "cells changed", func(w *world) {
		w.breaks("free", "| 3 |", "| 5 |")
		w.breaks("team", "| 50 |", "| 60 |")
	}},
	{"tables", "columns aligned", func(w *world) {
		w.put("free", "| Free | 3 | 20 GB | none |", "| Free |   3 | 20 GB | none         |")
		w.put("team", "| Team | 50 | 2 TB | by mail |", "| Team |  50 |  2 TB | by mail      |")
		w.put("firm", "| Firm | 400 | 9 TB | by telephone |", "| Firm | 400 |  9 TB | by telephone |")
		f := w.file(plans)
		f.blocks[1].text = "| Plan | Buckets | Transfer | Support |\n|------|--------:|---------:|---------|"
	}},
}
