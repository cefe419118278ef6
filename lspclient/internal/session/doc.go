// Package session runs language servers and asks them. A Pool has the servers of one root, one for each entry of the registry
// and workspace folder; a Server starts its process when it is asked, restarts it, and leaves it alone when it crashes again and
// again; a Session is one life of that process: handshake, settings, requests that callers share, and conversion between the
// server's positions and those of callers. Ask puts a question and says how far the reply can be trusted. The package does not
// know what the questions are about, nor what servers leave out of their answers.
package session
