// Package update keeps a graph on disk in step with a repository. A folder, a root and front ends go in ([Open]); graphs come out, one for each
// state that was seen ([Index.Graph]), and what each update found ([Changes]). [Builder] scans and links; [Index] saves, and takes what is saved;
// [Index.Watch] follows what the system tells of changes, and [Index.Refresh] asks whether it has told all. It does not know what graphs
// are asked.
package update
