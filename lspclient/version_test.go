package lspclient

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/lspclient/serverspec"
)

// versioned gives the fake rules for versions: from 15 on a flag that the fake does not know, so that it does not start, and what the older ones lack.
func versioned(s *ServerSpec) {
	s.Versions = []serverspec.VersionRule{
		{From: "15", Args: []string{"--unknown"}},
		{Below: "14.1", Lacks: []serverspec.Lack{
			{Why: "has no hover", Effect: "missing", Methods: []string{"textDocument/hover"}},
			{Why: "counts words", Methods: []string{"textDocument/references"}},
			{Why: "guesses", Effect: "degraded", Methods: []string{"textDocument/definition"}},
		}},
	}
}

// TestVersions: arguments and what is lacking are those of the version that the probe tells; one that tells none is older than all.
func TestVersions(t *testing.T) {
	lacks := []string{"has no hover", "counts words", "guesses"}
	for _, tt := range []struct {
		probe   string
		version string
		starts  bool
		lacks   []string
	}{
		{"fakels version 14.0.6 (Debian)", "14.0.6", true, lacks},
		{"fakels version 14.1", "14.1", true, []string{}},
		{"fakels version 14.9.99", "14.9.99", true, []string{}},
		{"fakels version 15.0.0git", "15.0.0", false, []string{}},
		{"fakels version 100.1", "100.1", false, []string{}},
		{"library 22.1\nfakels version 9.9", "9.9", true, lacks},
		{"fakels of today", "", true, lacks},
	} {
		t.Run(strings.ReplaceAll(tt.probe, "\n", " "), func(t *testing.T) {
			c, _, dir := fakeClient(t, "capability hoverProvider", nil, versioned, func(s *ServerSpec) {
				s.Commands[0].Version = `fakels version (\d+(?:\.\d+)+)`
			})
			writeFiles(t, dir, map[string]string{"probe": tt.probe})
			st := c.Servers(t.Context())
			for _, s := range st {
				if s.Name == "fakels" && (s.Version != tt.version || !s.Installed || gocmp.Diff(tt.lacks, s.Lacks) != "") {
					t.Errorf("Servers() = %+v, want version %q that lacks %q", s, tt.version, tt.lacks)
				}
			}
			refs, err := c.References(t.Context(), At("a.fk", 1, 5), nil)
			if (err == nil) != tt.starts {
				t.Fatalf("References = %+v, %v, want a start: %v", refs, err, tt.starts)
			}
			if !tt.starts {
				if !strings.Contains(err.Error(), "unknown argument --unknown") {
					t.Errorf("References: %v", err)
				}
				return
			}
			old := len(tt.lacks) > 0
			if strings.Contains(refs.Note, "counts words") != old || refs.State != Complete {
				t.Errorf("References: %s, %q", refs.State, refs.Note)
			}
			def, err := c.Definition(t.Context(), At("a.fk", 2, 5), nil)
			if err != nil || (def.State == Degraded) != old || strings.Contains(def.Reason, "guesses") != old {
				t.Errorf("Definition = %+v, %v", def, err)
			}
			if _, err = c.Hover(t.Context(), At("a.fk", 1, 5)); errors.Is(err, ErrUnsupported) != old {
				t.Errorf("Hover: %v, want it missing: %v", err, old)
			}
		})
	}
}

// TestProbeOnce: what a program printed counts as long as its file stays the same.
func TestProbeOnce(t *testing.T) {
	c, _, dir := fakeClient(t, "", nil, func(s *ServerSpec) { s.Commands[0].Match = "version 2" })
	writeFiles(t, dir, map[string]string{"probe": "fakels version 1.0"})
	for range 3 { // what does not match is looked for again
		if _, err := c.Definition(t.Context(), At("a.fk", 1, 5), nil); !strings.Contains(err.Error(), "is of another version: fakels version 1.0") {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "probes"))
	if n := strings.Count(string(data), "probed"); err != nil || n != 1 {
		t.Errorf("%d probes, %v, want one", n, err)
	}
}

// TestBadVersions: what is wrong with a rule is told.
func TestBadVersions(t *testing.T) {
	const entry = "- {name: x, languages: {x: [.x]}, commands: [{program: x, version: 'v1'}], install: none, versions: ["
	for text, want := range map[string]string{
		entry + "{args: [-a]}]}":                                             "rule 1 of its versions has neither from nor below",
		entry + "{from: new}]}":                                              `"new" is no version`,
		entry + "{from: '2', below: '2.0'}]}":                                "there are none",
		entry + "{below: '2', lacks: [{why: a}]}]}":                          "a lack needs why and methods",
		entry + "{below: '2', lacks: [{why: a, methods: [b], effect: c}]}]}": `effect "c" is none of`,
		entry + "{below: '2', freshness: never}]}":                           `freshness "never" is none of`,
		entry + "{below: '2', ready: {log: '('}}]}":                          "missing closing )",
		entry + "{below: '2'}]}":                                             `version "v1" has no group`,
	} {
		if _, err := ParseServers([]byte(text)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseServers(%s) = %v, want %s", text, err, want)
		}
	}
}
