package lspclient

// Diagnostic is something a server complains about.
type Diagnostic struct {
	Location Location `json:"location"`
	// Severity is "error", "warning", "information" or "hint"; "unknown" when the server does not say.
	Severity string `json:"severity"`
	Message  string `json:"message"` // at most 8 KiB
	Code     string `json:"code"`    // the server's name or number for it; may be empty
	Source   string `json:"source"`  // what found it, such as "compiler" or a linter; may be empty
	// Unnecessary: the code is not used. Deprecated: it is marked as not to be used.
	Unnecessary bool `json:"unnecessary,omitempty"`
	Deprecated  bool `json:"deprecated,omitempty"`
	// Related are other places that belong to it; may be nil.
	Related []RelatedPlace `json:"related,omitempty"`
}

// RelatedPlace is a place that explains a diagnostic.
type RelatedPlace struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// DiagnosticOptions of [Client.Diagnostics].
type DiagnosticOptions struct {
	Limit int // most diagnostics to return; 0 means 1,000
	// Severity is the least one that is returned: "error", "warning", "information" or "hint"; empty means all. One whose
	// severity the server does not say is always returned.
	Severity string
}

// DiagnosticsResult holds what a server complains about in one file.
type DiagnosticsResult struct {
	Path string `json:"path"`
	Answer
	Diagnostics []Diagnostic `json:"diagnostics"` // sorted by place, then severity; never null in JSON
	// Total counts the diagnostics of the asked severity before the limit; Truncated says that the limit left some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
	// Pulled: the server was asked and has answered. Otherwise it published them by itself, and what counts is its last
	// word on the present text, after which it was silent for a while.
	Pulled bool `json:"pulled"`
}

// None reports whether the server has looked at the present text of the file and has nothing to complain about, of the
// asked severity. It is false while the server has not looked.
func (r *DiagnosticsResult) None() bool { return r.Total == 0 && r.State == Complete }
