// Lsp compares the answers of lspclient with those of the language server behind it, on a real repository.
//
//	go run ./docs/bench/lsp cold -server gopls -root DIR [-rounds 20] [-timeouts 2s,5s,60s] [-busy 2] NAME...
//	go run ./docs/bench/lsp direct -server gopls -command "gopls serve" -root DIR [-n 30] [-seed 1] [NAME...]
//	go run ./docs/bench/lsp changes -server gopls -lang go -root DIR [-rounds 10] [-kinds renamed,edited]
//
// Cold starts the server anew in each round and asks about all names at once, as the first questions, then again until nothing
// changes any more. It counts answers that were smaller than the last and yet called themselves complete: there should be 0.
//
// Direct asks for references by name, then asks a second server the same over a bare connection, and searches the text for the
// word. It prints how the three differ, and why, by class. Without names it takes a sample of the functions, methods and
// classes that the server lists.
//
// Changes copies the repository into a temporary folder (or generates one with -made packages), adds files of its own to it,
// and changes these on disk in every way (see internal/plant) without notifying the client. After each change it asks at once
// and compares the answer with the truth. It counts wrong answers that called themselves complete: there should be 0.
package main
