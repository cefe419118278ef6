// Package ready decides when a server's answers can be trusted. A [Tracker] takes what the server says about its work (progress, log lines,
// notifications, diagnostics) and which files it was told of, and judges them by the entry's [serverspec.ReadyRule]. It returns a [Status]: whether
// the server has read its workspace, what it is doing, what it complains about, and whether two answers must agree. A tracker sends nothing, and does
// not see what questions and answers contain.
package ready
