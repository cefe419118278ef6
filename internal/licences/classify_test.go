package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClassify(t *testing.T) {
	apache, err := os.ReadFile(filepath.Join("..", "..", "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string
		want       []string
		refused    bool
	}{
		{"our own", string(apache), []string{"Apache-2.0"}, false},
		{"a note", "Licensed under the Apache License, Version 2.0 (the \"License\");", []string{"Apache-2.0"}, false},
		{"mit, wrapped", "Permission is hereby granted, free of charge,\n to any person obtaining a copy of this", []string{"MIT"}, false},
		{"bsd", "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided", []string{"BSD"}, false},
		{"two", "Permission is hereby granted, free of charge, to any person obtaining a copy ... Apache License, Version 2.0", []string{"Apache-2.0", "MIT"}, false},
		{"gpl", "GNU GENERAL PUBLIC LICENSE\n  Version 3, 29 June 2007", []string{"GPL"}, true},
		{"agpl", "GNU AFFERO GENERAL PUBLIC LICENSE\n  Version 3, 19 November 2007", []string{"AGPL"}, true},
		{"lgpl", "GNU LESSER GENERAL PUBLIC LICENSE Version 2.1", []string{"LGPL"}, true},
		{"mpl", "Mozilla Public License Version 2.0 ... \"Secondary License\" means either the GNU General Public License, Version 2.0, the GNU Lesser General Public License, Version 2.1", []string{"MPL-2.0"}, false},
		{"unknown", "All rights reserved.", nil, true},
		{"empty", "", nil, true},
	} {
		got, err := classify(tt.text)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: classify (-want +got):\n%s", tt.name, diff)
		}
		if (err != nil) != tt.refused {
			t.Errorf("%s: classify error = %v, want refused %v", tt.name, err, tt.refused)
		}
	}
}

func TestReport(t *testing.T) {
	good := &module{path: "example.com/good", version: "v1.0.0", dir: t.TempDir()}
	nested := filepath.Join(good.dir, "copied", "deep")
	bad := &module{path: "example.com/bad", version: "v2.0.0", dir: t.TempDir()}
	if err := os.MkdirAll(nested, 0o755); err != nil {
		t.Fatal(err)
	}
	good.packages = []string{good.dir, nested}
	for path, text := range map[string]string{
		filepath.Join(good.dir, "LICENSE"):                       "Apache License, Version 2.0",
		filepath.Join(good.dir, "copied", "COPYING"):             "Permission is hereby granted, free of charge, to any person obtaining a copy",
		filepath.Join(good.dir, "copied", "deep", "licenses.go"): "package deep",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := report(&out, []*module{good}); err != nil {
		t.Error(err)
	}
	if got := strings.Fields(out.String()); !cmp.Equal(got, []string{"example.com/good", "Apache-2.0,", "MIT"}) {
		t.Errorf("report printed %q", out.String())
	}
	err := report(&out, []*module{good, bad})
	if err == nil || !strings.Contains(err.Error(), "example.com/bad v2.0.0: no licence file") {
		t.Errorf("report of a module without a licence = %v", err)
	}
}
