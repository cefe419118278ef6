package record_test

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
)

// A host writes the record of a loop of its own, and reads it back.
func Example() {
	var file bytes.Buffer
	w := record.NewWriter(&file, nil)
	for _, e := range []record.Event{
		&record.Run{Agent: "host", Inputs: map[string]any{"question": "who calls detect_pss?"}},
		&record.Call{Call: 1, Tool: "references", Args: json.RawMessage(`{"symbol":"detect_pss"}`), By: "host"},
		&record.Result{Call: 1, Tool: "references", By: "host", Result: &skill.Result{Text: "one caller"}},
		&record.Outcome{Status: skill.StatusDone},
	} {
		if err := w.Write(e); err != nil {
			fmt.Println(err)
			return
		}
	}
	for e, err := range record.Read(&file) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Head().N, record.Summary(e))
	}
	// Output:
	// 1 run agent=host tools=0 model=false
	// 2 call call=1 tool=references args={"symbol":"detect_pss"} by=host
	// 3 result call=1 tool=references by=host items=0 bytes=10
	// 4 outcome status=done items=0 calls=0 tokens=0
}
