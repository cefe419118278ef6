package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// readPairs reads a file of pairs.
func readPairs(dir, name string) ([]pair, error) {
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
