package session

// State is lspclient.State, documented there.
type State string

const (
	Complete State = "complete"
	Indexing State = "indexing"
	Unstable State = "unstable"
	Degraded State = "degraded"
)

// Answer is lspclient.Answer, documented there.
type Answer struct {
	State    State
	Reason   string
	Progress int
	Note     string
	Server   string
}

// Degrade makes a complete answer degraded for the first of the reasons that is not empty.
func (a *Answer) Degrade(reasons ...string) {
	for _, reason := range reasons {
		if reason != "" && a.State == Complete {
			a.State, a.Reason = Degraded, reason
		}
	}
}
