package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/edit"
	"github.com/findspot/findspot/lspclient/internal/questions"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

type (
	State        = session.State
	Answer       = session.Answer
	ServerError  = session.ServerError
	BreakerError = session.BreakerError
	MemoryError  = session.MemoryError
)

const (
	Complete = session.Complete
	Indexing = session.Indexing
	Unstable = session.Unstable
	Degraded = session.Degraded
)

type (
	Candidate      = symbols.Candidate
	NotFoundError  = symbols.NotFoundError
	AmbiguousError = symbols.AmbiguousError
)

type (
	Edit          = edit.Edit
	FileEdits     = edit.FileEdits
	FileOperation = edit.FileOperation
)

type (
	Result            = questions.Result
	Call              = questions.Call
	CallsResult       = questions.CallsResult
	HoverResult       = questions.HoverResult
	RenameResult      = questions.RenameResult
	Diagnostic        = questions.Diagnostic
	DiagnosticsResult = questions.DiagnosticsResult
	RelatedPlace      = questions.RelatedPlace
)
