package session

// State says how far an answer can be trusted to be the whole answer.
type State string

const (
	// Complete: the server had read the workspace, and nothing moved while it answered. The list is all it knows.
	Complete State = "complete"
	// Indexing: the server was still reading the workspace when the time was up. There may be more.
	Indexing State = "indexing"
	// Unstable: the server said it was ready, but two answers to the same question differed until the time was up. The
	// last one is given.
	Unstable State = "unstable"
	// Degraded: something is known to be missing or wrong; Reason says what (a package that does not load, a location
	// that does not fit its file, another workspace folder that was not asked).
	Degraded State = "degraded"
)

// Answer is what every answer says about itself.
type Answer struct {
	State State `json:"state"`
	// Reason says why the state is not complete; empty when it is.
	Reason string `json:"reason"`
	// Progress is how much of the workspace the server says it has read, in percent; 0 when it does not say, or when it
	// is done.
	Progress int `json:"progress,omitempty"`
	// Note says what was assumed, such as a column that was moved to the identifier on its line; often empty.
	Note string `json:"note"`
	// Server is the name and version of the server that answered, such as "gopls v0.23.0".
	Server string `json:"server"`
}

// Degrade makes a complete answer degraded for the first of the reasons that is not empty.
func (a *Answer) Degrade(reasons ...string) {
	for _, reason := range reasons {
		if reason != "" && a.State == Complete {
			a.State, a.Reason = Degraded, reason
		}
	}
}
