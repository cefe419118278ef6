package evidence_test

import (
	"context"
	"fmt"

	"github.com/findspot/findspot/skill/evidence"
)

// What a tool returned gets a key, and an answer that cites it is checked.
func Example() {
	led := evidence.NewLedger()
	it := led.Add(evidence.Item{Kind: evidence.KindPassage, Text: "The PSS has length 127.", At: evidence.Place{Doc: "d", Name: "ssb.pdf", Page: 3}})
	fmt.Println(it.Key, it.At)
	for _, bad := range evidence.CheckText(context.Background(), led, `It "has length 127" [D1]. It is blue [D7].`, &evidence.CheckOptions{EveryClaim: true, Quotes: true}) {
		fmt.Println(bad)
	}
	// Output:
	// D1 p. 3 (ssb.pdf)
	// "It is blue [D7].": [D7] is no evidence that was found
}
