// Proof measures how sentences are judged by their evidence: a table by kind of what is called supported, unsupported and undecided.
//
//	go run ./docs/bench/proof        # the pairs that the rules were fitted on
//	go run ./docs/bench/proof held2 held3   # others, which nobody who works on the rules has read
//	go run ./docs/bench/proof -around 1500 fit5 # as if whole pages were cited: so many bytes of the document on each side of each piece
//	go run ./docs/bench/proof matched       # right and wrong sentences that only the evidence tells apart
package main
