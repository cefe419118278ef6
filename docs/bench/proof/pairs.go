package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// pair is a line of pairs/*.jsonl: a sentence as an answer would have it, what it cites, and whether that bears it out.
type pair struct {
	ID       string  `json:"id"`
	Sentence string  `json:"sentence"`
	Evidence []cited `json:"evidence"`
	Right    bool    `json:"right"`
	Kind     string  `json:"kind"`
	Why      string  `json:"why"`   // of a wrong one: the words that are wrong, and what the evidence says
	Style    string  `json:"style"` // what makes it hard, or empty
}

// cited is a piece of a document in corpus, to the byte.
type cited struct {
	Doc  string `json:"doc"`
	Text string `json:"text"`
}

// matched is the name of the pairs of pairs: right and wrong are alike in style, length and nearness to the evidence.
const matched = "matched"

// readMatched reads a folder of files with a kind, a style, a piece of evidence, a right sentence and a wrong one in each line, between tabs.
func readMatched(dir string) (out []pair, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, n := strings.TrimSuffix(filepath.Base(path), ".tsv"), 0
		for line := range strings.Lines(string(data)) {
			n++
			f := strings.Split(strings.TrimRight(line, "\n"), "\t")
			if len(f) != 5 {
				return nil, fmt.Errorf("%s:%d: %d fields, want kind, style, evidence, right, wrong", path, n, len(f))
			}
			id, ev := fmt.Sprintf("%s%d", name, n), []cited{{Doc: name, Text: f[2]}}
			out = append(out, pair{ID: id + "r", Sentence: f[3], Evidence: ev, Right: true, Kind: f[1], Style: f[0]},
				pair{ID: id + "w", Sentence: f[4], Evidence: ev, Kind: f[0], Style: f[1], Why: f[3]})
		}
	}
	return out, nil
}

// readPairs reads a file of pairs, or those that are matched.
func readPairs(dir, name string) ([]pair, error) {
	if name == matched {
		return readMatched(filepath.Join(dir, name))
	}
	path := filepath.Join(dir, name+".jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var pairs []pair
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	for dec.More() {
		var p pair
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("%s: after pair %d: %w", path, len(pairs), err)
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// widen makes the evidence of pairs as long as what a whole page has: so many bytes of the document on each side, to whole lines.
func widen(pairs []pair, corpus string, n int) error {
	docs := map[string]string{}
	for i := range pairs {
		for k := range pairs[i].Evidence {
			e := &pairs[i].Evidence[k]
			doc, ok := docs[e.Doc]
			if !ok {
				data, err := os.ReadFile(filepath.Join(corpus, e.Doc))
				if err != nil { // as those of matched, which are of no document
					return fmt.Errorf("%s cannot be widened: %w", pairs[i].ID, err)
				}
				doc = string(data)
				docs[e.Doc] = doc
			}
			at := strings.Index(doc, e.Text)
			if at < 0 {
				return fmt.Errorf("%s cannot be widened: %s does not have its evidence", pairs[i].ID, e.Doc)
			}
			from, to := max(0, at-n), min(len(doc), at+len(e.Text)+n)
			from = strings.LastIndexByte(doc[:from], '\n') + 1
			if end := strings.IndexByte(doc[to:], '\n'); end >= 0 {
				to += end
			} else {
				to = len(doc)
			}
			e.Text = doc[from:to]
		}
	}
	return nil
}
