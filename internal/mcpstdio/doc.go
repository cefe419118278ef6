// Package mcpstdio carries the Model Context Protocol over a reader and a writer, one JSON-RPC message a line. Nothing that a client sends ends the
// session or blocks it.
//
//	err := server.Run(ctx, mcpstdio.New(os.Stdin, os.Stdout, nil))
//
// The SDK's own transport ends the session at the first line that it cannot read, because its connection treats every error of a transport as the end
// of input. This transport looks at each line first, and itself answers what the SDK could not handle:
//
//   - -32700 for a line that is not JSON or not UTF-8, or that holds part of a message or more than one: a message is one line.
//   - -32600 for JSON that is not a message of the protocol, lines over [Options.MaxLine] (skipped to their end in constant memory), nesting deeper
//     than 500, ids that could not be sent back unchanged, ids of calls under way, and batches, except in version 2025-03-26, the only one that has
//     them.
//
// Such an answer has the request's id if the id can be read and belongs to no other call, else null. A blank line is ignored. An error that the
// client sends with the id null is logged and not answered: answers could go back and forth for ever.
//
// Memory is bounded: at most 256 calls and 64 MiB of their text are under way, and the transport reads nothing more while the client does not read
// what is written. It writes only whole lines.
//
// The transport reports the end of input once the calls under way are answered, or after [Options.Grace]. An output that is closed or broken ends the
// session without an error. When the context of Connect ends, the session ends, whatever is under way.
//
// Limits: if the Close of a reader or writer does not wake a call that is blocked in it, as with a terminal, a goroutine stays behind until the
// program ends. To notice a closed standard output, a program must catch SIGPIPE.
package mcpstdio
