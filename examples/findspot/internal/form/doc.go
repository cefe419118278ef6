// Package form gives the results of commands other forms: lines of JSON ([Lines]) and Markdown ([Markdown]), both made of what the JSON of a result holds, so that
// every command has them alike. It takes a value with a form in JSON. What an answer found (its rows: hits, pieces, matches, findings) is told from what it says besides by the
// names of fields, see rowFields. It does not depend on the commands, makes nothing visible, and prints nothing.
package form
