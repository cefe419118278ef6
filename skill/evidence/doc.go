// Package evidence keeps what tools returned, each piece under a short key with the exact place it came from, and what was
// searched; and it checks answers that cite these keys.
//
//	led := evidence.NewLedger()
//	it := led.Add(evidence.Item{Kind: "passage", At: evidence.Place{Doc: id, Name: "ssb.pdf", Page: 3, Line: 120, EndLine: 124}, Text: text})
//	fmt.Println(it.Key, it.At) // D1 p. 3, l. 120-124 (ssb.pdf)
//	err := evidence.VerifyQuote(ctx, src, it, "the PSS is an m-sequence of length 127")
//	none, why := led.None() // were there really no results, or could we not tell?
//	bad := evidence.CheckText(ctx, led, answer, &evidence.CheckOptions{EveryClaim: true, Quotes: true, Source: src})
//	short, err := evidence.Compact(ctx, led, led.Items(), question, nil, nil) // and back: evidence.Expand(led, answer)
//	ans := &evidence.Answer{Text: "The PSS has length 127 [D1].", Quotes: []evidence.Quote{{Key: "D1", Text: "an m-sequence of length 127"}}}
//	err = ans.Seal(ctx, src, led) // copies the cited items and the hashes of their sources
//	report, err := ans.Verify(ctx, src, nil) // any time later, by anyone; findspot verify does it for a file
//
// # Model
//
// A [Place] is a place in a document (page, lines, byte offsets) or in code (path, lines, entity). An [Item] is a text found at
// a place. A [Ledger] gives each item a key in the order of first sight: D1, D2 ... for documents (passages, figures, tables),
// C1, C2 ... for code. The same text at the same place keeps its key. An [Answer] is a text with the items that it cites. The
// caller's [Source] gives the text at a place.
//
// # Guarantees
//
// Keys never change and are never used twice in one ledger. A quote is accepted only when all of it stands at the cited place,
// cut at word boundaries; it may differ only in how a typesetter broke it: white space, ligatures, and the hyphen at a line
// end. An answer is checked sentence by sentence, and whatever could carry a claim counts as one ([CheckText]); checking while
// it is written ([Stream]) gives the same result. [Answer.Verify] detects an answer file that was changed, or whose sources
// were. Only the ledger decides that nothing was found ([Ledger.None]), and only for searches that ran on a fresh index in
// every tier.
//
// # Limits
//
// A key says where a claim should be checked, not that it is true. A quote is checked as text: whether the sentence around it
// twists its meaning is for the reader to judge. Quotes over 16,384 runes, places over 4 MB, answers over 1 MB and answer files
// over 16 MB are refused. An answer file carries no signature: whoever can write the file can write another one that verifies.
package evidence
