// Package servers puts questions to the language servers of a workspace's repositories. A target goes in; it is routed to the repositories that it may be in, asked
// of their servers, and what they say comes out joined with the code graph: with the function or class around each place. It also reads the user's description of
// servers, and keeps unsaved buffers. What the servers are asked, and how far an answer counts, is lspclient's.
package servers
