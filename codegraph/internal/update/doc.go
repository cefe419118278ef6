// Package update keeps a graph on disk in step with a repository. [Open] takes a folder, a root and front ends; [Index.Graph] returns the
// graph of the last update, and [Changes] describes what an update found. A [Builder] scans and links; an [Index] also saves and loads.
// [Index.Watch] follows the file events of the operating system and watches new folders too. [Index.Refresh] waits until Watch has handled
// every change that the system had queued before the call; where that is not possible, it scans the repository. It does not depend on the
// questions that graphs answer.
package update
