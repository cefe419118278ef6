// Lsp measures what lspclient makes of a language server, on a real repository.
//
//	go run ./docs/bench/lsp cold -server gopls -root DIR [-rounds 20] [-timeouts 2s,5s,60s] [-busy 2] NAME...
//	go run ./docs/bench/lsp direct -server gopls -command "gopls serve" -root DIR [-n 30] [-seed 1] [NAME...]
//	go run ./docs/bench/lsp changes -server gopls -lang go -root DIR [-rounds 10] [-kinds renamed,edited]
//
// Cold starts the server anew in each round and asks all names at once, as the first questions; then it asks until nothing
// changes any more. What was smaller than that and yet called itself complete is counted: it should be 0.
//
// Direct asks for references by name, then asks the same of a server of its own over a bare connection, and searches for
// the word in the text. It prints how the three differ, and why, by class. Without names it takes a sample of the
// functions, methods and classes that the server lists.
//
// Changes copies the repository into a temporary folder, or makes one of -made packages, puts files of its own into it, and
// changes these on disk in every way (see internal/plant) without a word to the client. After each change it asks at once
// and compares with what must hold. What is wrong and said to be complete is counted: it should be 0.
package main
