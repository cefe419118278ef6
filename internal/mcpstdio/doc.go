// Package mcpstdio carries the Model Context Protocol over a reader and a writer, one JSON-RPC message a line, such that nothing
// that a client sends ends the session or blocks it.
//
//	err := server.Run(ctx, mcpstdio.New(os.Stdin, os.Stdout, nil))
//
// The transport of the SDK ends the session at the first line that it cannot read, since its connection takes every error of a
// transport for the end of input. This one looks at each line first, and answers itself what the SDK would stumble over:
//
//   - -32700 for what is no JSON value, is no UTF-8, or is part of a message or more than one: a message is one line.
//   - -32600 for JSON that is no message of the protocol, lines over [Options.MaxLine] (skipped to their end in constant memory),
//     nesting deeper than 500, ids that could not be sent back as they came, ids of calls under way, and batches, but for those
//     of version 2025-03-26, which alone has them.
//
// Such an answer has the request's id where it can be read and belongs to no other call, else null. A blank line is nothing. An
// error that the client sends with the id null is logged: an answer could go to and fro for ever.
//
// Memory is bounded: at most 256 calls and 64 MiB of their text are under way, and while the client does not read what is written,
// nothing more is read. What is written are whole lines.
//
// The end of input is passed on once the calls under way are answered, or after [Options.Grace]. An output that is closed or
// broken ends the session without an error. When the context of Connect ends, so does the session, whatever is under way.
//
// Limits: a reader or writer whose Close does not wake what is blocked in it, such as a terminal, leaves a goroutine behind until
// the program ends. To be told of a closed standard output, a program must catch SIGPIPE.
package mcpstdio
