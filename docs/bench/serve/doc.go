// Serve measures a command of findspot as a whole process: through the server that holds the index, and alone. It prints the median, the 95th
// percentile and the most of each, in milliseconds.
//
//	go build -o /tmp/findspot ./examples/findspot
//	go run ./docs/bench/serve -findspot /tmp/findspot -repo django -n 200
package main
