package memstore_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/memstore"
)

func TestLibrary(t *testing.T) {
	ctx := t.Context()
	lib, err := memstore.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{
		"38331-h60.txt": "3GPP TS 38.331\n\nThe synchroni-\nzation signals are RRC_CONNECTED with maxNrofSSBs-1.\n",
		"b.md":          "# Notes\n\nSignals of synchronization: PSS, SSS.\n",
		"c.txt":         strings.Repeat("filler words here and there ", 200) + "synchronization signals at the end\n",
	} {
		d, err := lib.Add(ctx, docsearch.Bytes(name, []byte(s)))
		if err != nil || d.Change != docsearch.Added {
			t.Fatal(d, err)
		}
	}
	for _, q := range []string{"synchronization signals", "Find synchronization signals in 38.331", "rrc connected", "maxNrofSSBs-1", "nothingofthekind", "38.331", "and there filler"} {
		res, err := lib.Search(ctx, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.MarshalIndent(res, "", " ")
		t.Log(string(b))
	}
}
