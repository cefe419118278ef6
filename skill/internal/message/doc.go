// Package message makes texts fit for an error or a report: cut to a length, on one line, with the names that a writer of
// an unknown one may have meant. It takes texts, gives texts, and knows nothing of what they say.
package message
