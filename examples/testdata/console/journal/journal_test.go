package journal

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	entries, err := Read(strings.NewReader("set a 1\n\nget a\nget b\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n := Count(entries); n["set"] != 1 || n["get"] != 2 {
		t.Errorf("Count = %v", n)
	}
	if e := longest(entries); e.Word != "set" {
		t.Errorf("longest = %v", e)
	}
}
