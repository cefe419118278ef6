package training_test

import (
	"bytes"
	"strings"
	"testing"
)

func TestView(t *testing.T) {
	s := plain
	s.text, s.gates = "<script>alert(1)</script> \" onload=x", []bool{false}
	s.results = []string{strings.Repeat("line\n", 20), "</pre><img src=x>", "ok"}
	v := read(t, "run<b>.jsonl", recorded(t, s)).View()
	var text, page bytes.Buffer
	if err := v.WriteText(&text, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"call 1 search by model", "... 14 lines more", "gate g0: closed", "!  ", "C1 src/a.py:1", "-> read {\"query\":\"b\"}", "done, not verified; 1 tool calls, 0 denied, 3 model calls"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, &text)
		}
	}
	if err := v.WritePage(&page); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img", "run<b>", "http://", "https://", "url("} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{"default-src &#39;none&#39;", "default-src 'none'"} {
		if strings.Contains(page.String(), want) {
			return
		}
	}
	t.Error("the page has no policy")
}
