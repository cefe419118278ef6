package lspclient

import (
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/crash"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

var (
	// ErrNotFound: no symbol of that name, or no such file. Near names are in the message.
	ErrNotFound = errs.NotFound
	// ErrIncomplete: nothing of that name was found, and not everything could be looked at, so that it may exist.
	ErrIncomplete = symbols.ErrIncomplete
	// ErrUnsupported: no registered server knows the file's language, or the server does not offer what was asked.
	ErrUnsupported = errs.Unsupported
	// ErrClosed: the client was used after Close.
	ErrClosed = errs.Closed
	// ErrTooLarge: a file is too large to be shown to a server.
	ErrTooLarge = errs.TooLarge
	// ErrStale: a server answered about a text that is not the present one.
	ErrStale = errs.Stale
	// ErrFormat: a servers file is not what [ParseServers] reads, or an answer was not what the protocol says.
	ErrFormat = errs.Format
)

// NotInstalledError says that the language has servers in the registry, and none of them is installed.
type NotInstalledError = registry.NotInstalledError

type (
	// CrashInput is something that a server was asked or shown.
	CrashInput = crash.About
	// CrashInputError says that a server crashed twice on an input, so that it is not given it again.
	CrashInputError = crash.InputError
)
