package process

// Memory is what a server's processes take.
type Memory struct {
	PIDs  []int // the server's own first, then the others, sorted
	Bytes int64 // resident; what processes share counts for each
}
