// Package querytext takes the text of a query apart: plain stretches, phrases in quotes, what a minus leaves out, the words of each, and the numbers of documents
// ("38.331", "RFC 3261") in queries, names and titles. Text goes in; what does not fit is plain text, and notes say so. It knows no library and no options.
package querytext
