package docsearch_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
)

// lines returns what a file of JSON Lines yields: "id name size" or "line n: error".
func lines(t *testing.T, name string, data []byte) (out []string) {
	t.Helper()
	for src, err := range docsearch.JSONLines(name, "/o/"+name, bytes.NewReader(data)) {
		if ie, ok := errors.AsType[*docsearch.IngestError](err); ok && ie.Name == name {
			out = append(out, fmt.Sprintf("line %d: %v", ie.Line, ie.Err))
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		} else {
			out = append(out, fmt.Sprintf("%s %s %d", src.ID, src.Name, src.Size))
		}
	}
	return out
}

func TestJSONLines(t *testing.T) {
	long := `{"id":"big","text":"` + strings.Repeat("x", 17<<20) + `"}`
	data := strings.Join([]string{
		`{"id":"a","title":"T","text":"one"}`,
		`  `,
		`{"_id":17,"text":"two","metadata":{"x":[1]}}` + "\r",
		`{"id":"a","text":"again"}`,
		`{"title":"none"}`,
		`{"id":`,
		long,
		`{"id":"b\nc","text":"x"}`,
		`{"id":"` + strings.Repeat("i", 257) + `"}`,
		`{"id":"n","name":"papers/n","text":"x"}`,
		`{"id":"bad` + "\xff" + `"}`,
		`{"id":["x"]}`,
		`[1]`,
		`{"id":"last","text":"no line end"}`,
	}, "\n")
	want := []string{
		"a a 35", "17 17 45",
		`line 4: unsupported: id "a" is on line 1 already`,
		`line 5: unsupported: no id: give "id" or "_id"`,
		"line 6: bad format: bad JSON at byte 6: unexpected end of JSON input",
		"line 7: too large: the line is longer than 16777216 bytes",
		`line 8: unsupported: the id "b\nc" must be one line of UTF-8, without control characters or blanks at its ends`,
		"line 9: unsupported: the id is longer than 256 bytes",
		"n papers/n 39",
		"line 11: bad format: the line is not UTF-8",
		"line 12: bad format: id: neither a string nor a number",
		"line 13: bad format: cannot unmarshal array into Go value of type struct",
		"last last 34",
	}
	got := lines(t, "c.jsonl", []byte(data))
	for i, s := range got { // the rest of this one is the decoder's
		if strings.HasPrefix(s, "line 13: ") {
			got[i] = s[:len(want[11])]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("JSONLines (-want +got):\n%s", diff)
	}

	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	fmt.Fprint(w, `{"id":"a","text":"one"}`+"\n"+`{"id":"b","text":"two"}`+"\n")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a a 23", "b b 23"}, lines(t, "c.jsonl.gz", z.Bytes())); diff != "" {
		t.Errorf("packed (-want +got):\n%s", diff)
	}
	cut := lines(t, "cut.gz", z.Bytes()[:z.Len()-4])
	if len(cut) == 0 || !strings.Contains(cut[len(cut)-1], "damaged or cut off") {
		t.Errorf("packed and cut off: %q", cut)
	}
	bad := lines(t, "bad.jsonl", bytes.Repeat([]byte("no record\n"), 5000))
	if len(bad) != 1000 || !strings.Contains(bad[999], "the rest of the file is left out") {
		t.Errorf("%d errors for 5000 bad lines, the last: %q", len(bad), bad[len(bad)-1])
	}
	z.Reset()
	w.Reset(&z)
	fmt.Fprintln(w, strings.Repeat(" ", 20<<20))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	endless := lines(t, "long.gz", bytes.Repeat(z.Bytes(), 1000))
	if n := len(endless); n > 100 || !strings.Contains(endless[n-1], "this is not JSON Lines") {
		t.Errorf("%d errors for 1000 lines of 20 MB, the last: %q", n, endless[n-1])
	}
}

func TestAddJSONLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "corpus.jsonl")
	write := func(lines ...string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		when := time.Unix(1e9, 0) // a new time of the file alone would be remembered
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	lib := open(t, nil)
	round := func() (out []string) {
		t.Helper()
		for d, err := range lib.AddAll(t.Context(), docsearch.Files(file)) {
			if d == nil {
				out = append(out, err.Error())
			} else {
				out = append(out, d.ID+" "+string(d.Change)+" "+d.Status)
			}
		}
		return out
	}
	a := `{"_id":"W/1","title":"Boundary layers","text":"Boundary layers of a wing.\r\nSecond line\u0000.","authors":["A. One","B. Two"],"date":"1958","url":"https://example.org/1"}`
	b := `{"id":"W/2","title":"Shock waves","text":"They travel."}`
	write(a, b, "{", `{"id":"empty","text":" "}`)
	want := []string{"W/1 added ready", "W/2 added ready", `ingest "corpus.jsonl" line 3: bad format: bad JSON at byte 1: unexpected end of JSON input`, "empty added failed"}
	if diff := cmp.Diff(want, round()); diff != "" {
		t.Errorf("first round (-want +got):\n%s", diff)
	}
	gen := lib.Generation()
	write(a, b)
	if diff := cmp.Diff([]string{"W/1 unchanged ready", "W/2 unchanged ready"}, round()); diff != "" || lib.Generation() != gen {
		t.Errorf("second round (-want +got):\n%s", diff)
	}
	write(strings.Replace(b, "travel", "stand", 1), a)
	if diff := cmp.Diff([]string{"W/2 replaced ready", "W/1 unchanged ready"}, round()); diff != "" {
		t.Errorf("third round (-want +got):\n%s", diff)
	}
	d, err := lib.Resolve(t.Context(), "W/1")
	if err != nil || d.Name != "W/1" || d.Title != "Boundary layers" || len(d.Authors) != 2 || d.Date != "1958" || d.URL != "https://example.org/1" || d.Origin != file {
		t.Errorf("W/1: %+v, %v", d, err)
	}
	for id, raw := range map[string]string{"W/1": "Boundary layers of a wing.\nSecond line\uFFFD.\n", "W/2": "Shock waves\n\nThey stand.\n"} {
		if x, err := lib.Read(t.Context(), id, nil); err != nil || x.Text != raw {
			t.Errorf("Read(%s) = %+v, %v; want %q", id, x, err, raw)
		}
	}
	if got := names(search(t, lib, "shock waves", nil)); len(got) != 1 || got[0] != "W/2 phrase" {
		t.Errorf("Search: %v", got)
	}
	// The same id from another file is refused.
	for other, err := range docsearch.JSONLines("other", "elsewhere", strings.NewReader(`{"id":"W/2","text":"other"}`)) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lib.Add(t.Context(), other); !errors.As(err, new(*docsearch.ConflictError)) {
			t.Errorf("the id from another origin: %v, want a ConflictError", err)
		}
	}
}

func FuzzJSONLines(f *testing.F) {
	f.Add([]byte(`{"id":"a","title":"T","text":"one"}` + "\n" + `{"_id":2}`))
	f.Add([]byte("{\n[]\n\"x\"\n\x1f\x8b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		for src, err := range docsearch.JSONLines("f", "o", bytes.NewReader(data)) {
			if n++; err == nil && (src.ID == "" || len(src.ID) > 256 || src.Open == nil) {
				t.Errorf("source %+v", src)
			}
		}
		if n > bytes.Count(data, []byte("\n"))+1 && !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
			t.Errorf("%d records in %d bytes", n, len(data))
		}
	})
}
