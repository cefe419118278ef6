// Package message makes texts fit for an error or a report: cut to a length, on one line, and, for an unknown name, with the known
// names that the writer may have meant. It takes and returns texts, and does not depend on what they say.
package message
