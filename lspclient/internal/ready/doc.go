// Package ready tells when a server's answers count. In goes what the server says about its work (progress, log lines,
// notifications, diagnostics) and what it was told of files, judged by the entry's [serverspec.ReadyRule]; out comes a [Status]:
// whether it has read its workspace, what it is at, what it complains about, and whether two answers must agree. A
// [Tracker] may not know what was asked or answered, and sends nothing itself.
package ready
