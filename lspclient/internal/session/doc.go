// Package session runs language servers and sends them questions. A [Pool] has the servers of one root, one for each entry of the registry and
// workspace folder. A [Server] starts its process at the first question, restarts it, and leaves it alone for a while if it crashes again and again.
// A [Session] is one life of that process: handshake, settings, requests that callers share, and the conversion of positions between the server and
// callers. A reply says how far it can be trusted. The package does not depend on what the questions are about (package questions) or what servers
// leave out of their answers (package complete).
package session
