package skill

// The ways in which a run ends.
const (
	StatusDone         = "done"                // the steps ran to the end
	StatusVerifiedNone = "verified_no_results" // nothing was found, and the ledger proves it
	StatusInsufficient = "insufficient"        // not enough was found, or a step could not do its work
	StatusStopped      = "stopped"             // a person, a policy, a guard or a limit ended it
)
