package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// A question with the places that answer it.
type question struct {
	Kind     string  `json:"kind"`
	Question string  `json:"question"`
	Answers  []place `json:"answers"` // none: nothing answers it
	Also     []place `json:"also"`    // of its second part
}

// A place is a piece of a document or of code that answers.
type place struct {
	Doc    string   `json:"doc,omitempty"` // name below the folder of documents
	Page   int      `json:"page,omitempty"`
	Repo   string   `json:"repo,omitempty"`
	Code   string   `json:"code,omitempty"` // path of a file below its repository
	Entity string   `json:"entity,omitempty"`
	Has    []string `json:"has,omitempty"` // words that a piece must hold to answer
}

// A piece is what a system shows, in its order.
type piece struct {
	doc, code, entity string // name of the document; or path of the file and id of the entity
	text              string
	tokens            int // of all that is shown up to its end
	signals           map[string]float64
}

// An answer is what a system says to a question.
type answer struct {
	pieces  []piece
	nothing bool // it says that nothing answers
	tokens  int
}

func read(file string) ([]question, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []question
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		var q question
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		out = append(out, q)
	}
	return out, sc.Err()
}

// plain is a text for comparison: lower case, runs of white space one blank, words put together again that a line end cut.
func plain(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// answers reports whether a piece answers at the place.
func (p *place) answers(x *piece) bool {
	if p.Doc != "" && x.doc != p.Doc {
		return false
	}
	if p.Entity != "" && x.entity != p.Entity || p.Entity == "" && p.Code != "" && x.code != p.Code {
		return false
	}
	text := plain(x.text)
	for _, h := range p.Has {
		if !strings.Contains(text, plain(h)) {
			return false
		}
	}
	return true
}

// rank is the place in the list, from 1, of the first piece that answers; 0: none does.
func rank(places []place, list []piece) int {
	for i := range list {
		for j := range places {
			if places[j].answers(&list[i]) {
				return i + 1
			}
		}
	}
	return 0
}

// rightFirst reports whether the first piece is of a document or file that answers.
func rightFirst(places []place, list []piece) bool {
	for i := range places {
		if len(list) > 0 && (places[i].Doc != "" && places[i].Doc == list[0].doc || places[i].Code != "" && places[i].Code == list[0].code) {
			return true
		}
	}
	return false
}
