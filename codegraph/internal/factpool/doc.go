// Package factpool keeps what front ends read of files by the content of the files, in a folder that indexes share. A [Key] names
// facts: the hash of the bytes, and the front end and version that read them; a [Record] holds them. A [Visit] is the use of a
// [Pool] in one pass: what another pass, index or process has put there is found, what is new is written in batches. What is read
// from the folder is checked, and thrown away when it is damaged. It does not know which files there are, nor what facts are for.
package factpool
