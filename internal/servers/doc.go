// Package servers asks the language servers of a workspace's repositories. It takes a target, asks the servers of the repositories that the target
// may be in, and joins their answers with the code graph: each place comes back with the function or class around it. It also reads the user's
// description of servers, and keeps unsaved buffers. How a server is asked, and how far its answer can be trusted, is up to package lspclient.
package servers
