// Package factpool stores the facts that front ends returned, by the content of the files, in a folder that indexes share. A [Key] names
// facts by the hash of the bytes, the front end and its version; a [Record] holds them. A [Visit] is the use of a [Pool] in one pass: it
// finds what other passes, indexes and processes have stored, and writes new facts in batches. What it reads from the folder is checked, and
// thrown away when it is damaged. It does not depend on which files there are or what facts are used for.
package factpool
