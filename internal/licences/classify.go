package main

import (
	"errors"
	"fmt"
	"strings"
)

// marks are words that only one licence has, in lower case, with single blanks and without commas.
var marks = []struct {
	name, words string
	refused     bool
}{
	{"AGPL", "gnu affero general public license version", true},
	{"LGPL", "gnu lesser general public license version", true},
	{"LGPL", "gnu library general public license version", true},
	{"GPL", "gnu general public license version", true},
	{"SSPL", "server side public license", true},
	{"BUSL", "business source license", true},
	{"CC-BY-NC", "attribution-noncommercial", true},
	{"Apache-2.0", "apache license version 2.0", false},
	{"MIT", "permission is hereby granted free of charge to any person obtaining a copy", false},
	{"BSD", "redistribution and use in source and binary forms with or without modification are permitted", false},
	{"ISC", "permission to use copy modify and/or distribute this software for any purpose with or without fee", false},
	{"ISC", "permission to use copy modify and distribute this software for any purpose with or without fee", false},
	{"MPL-2.0", "mozilla public license version 2.0", false},
	{"Unlicense", "this is free and unencumbered software released into the public domain", false},
}

// secondary stands in the Mozilla licence, which names the copyleft licences it can be combined with.
const secondary = "\"secondary license\" means either the gnu general public license"

// classify returns the names of the licences whose words a text holds, each once. A refused licence is named and is an
// error too; so is a text that holds none of them.
func classify(text string) ([]string, error) {
	text = strings.NewReplacer(",", " ", "“", `"`, "”", `"`).Replace(strings.ToLower(text))
	text = strings.Join(strings.Fields(text), " ")
	mozilla := strings.Contains(text, secondary)
	var names []string
	var err error
	for _, m := range marks {
		if !strings.Contains(text, m.words) || m.refused && mozilla && strings.HasSuffix(m.name, "GPL") {
			continue
		}
		if m.refused {
			err = fmt.Errorf("%s does not go with Apache-2.0", m.name)
		}
		if len(names) == 0 || names[len(names)-1] != m.name {
			names = append(names, m.name)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("unknown licence: read it, and add its words to internal/licences/classify.go when it permits use")
	}
	return names, err
}
