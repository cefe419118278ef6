package lspclient

// StartedServer says what came of starting one server in one workspace folder.
type StartedServer struct {
	Name   string `json:"name"`   // of its entry; empty when none is installed
	Folder string `json:"folder"` // relative to the root; "." is the root
	Files  int    `json:"files"`  // that it serves there
	Answer        // Complete: it has read its folder
	// Problem says why it did not start; empty when it did. It is not installed, died, or did not answer in time.
	Problem string `json:"problem"`
}
