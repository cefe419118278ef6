// Package attach lets a command of the program run in the process of a server that holds the index, as though it ran alone: the
// server has the command's arguments, working folder, environment and terminals, and the command's streams go over a socket.
//
// # The socket
//
// A server listens on the Unix socket serve.sock in the folder of the index, with permissions for its user alone, and holds the lock of
// that folder, so that there is one server an index. The path of a socket may have about a hundred bytes: where it would have more, the socket lies in
// a private folder of the user. The file serve.json in the folder of the index says where, which process serves, and since when.
// Both sides ask the system who the other one is, and refuse another user. What a server that crashed left behind refuses connections, blocks nothing, and is
// replaced by the next server.
//
// # The protocol
//
// A frame is a byte that says its kind, its length in four bytes, most significant first, and so many bytes. First the client says
// hello, and then the server: JSON, in whatever version, with the version of the protocol and of the program. Then the client sends one request:
//
//	S  JSON      run a command: arguments, working folder, environment, terminals
//	Q            what is the state?       answered by J
//	T            end                      answered by J, and the end of the connection when the server has ended
//
// While a command runs:
//
//	O R  bytes         the server: standard output, standard error
//	W    number        the server: the command wants so many bytes of standard input, which is not read before
//	I    bytes         the client: those bytes, or fewer
//	E    text          the client: standard input ended, with an error unless the text is empty
//	A    stream, number, text
//	                   the client: so many bytes of O or R are written, or an error
//	C                  the client: the command is interrupted
//	X    number        the server: the exit status; the last frame
//	F    text          the server: it will not do it, and why; the last frame
//
// Of output that was not acknowledged there is at most a fixed amount, so that a client that does not read holds its own command
// and nothing else. A connection that ends cancels its command.
package attach
