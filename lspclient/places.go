package lspclient

import (
	"context"

	"github.com/findspot/findspot/lspclient/internal/questions"
)

// Definition returns where the target is defined, usually one place. A method of an interface can have several.
//
// A name that means several symbols is an *AmbiguousError, one that means none wraps ErrNotFound; a language whose
// servers are missing is a *NotInstalledError; a server that fails, or does not answer in time, is a *ServerError. A
// server that does not offer the question makes an error that wraps ErrUnsupported, a bad glob in the options one that
// wraps path.ErrBadPattern.
func (c *Client) Definition(ctx context.Context, t Target, o *QueryOptions) (*Result, error) {
	r, err := c.ask.Places.Definition(ctx, t.query, (*questions.Options)(o))
	return placesResult(r), public(err)
}

// TypeDefinition returns where the type of the target is defined: of a variable, parameter or field its type, of a
// function what the server takes for it (its result's type, or nothing). A type made of several has several places; a
// built-in type may have none, or one in the server's own library. The errors are those of [Client.Definition].
func (c *Client) TypeDefinition(ctx context.Context, t Target, o *QueryOptions) (*Result, error) {
	r, err := c.ask.Places.TypeDefinition(ctx, t.query, (*questions.Options)(o))
	return placesResult(r), public(err)
}

// Implementation returns what implements the target: for an interface or base class the types that do, for one of its
// methods their methods, for a declaration without a body its definition. Servers differ in two things: whether the
// target itself is among them, and, asked about an implementation, whether they give the interface instead (gopls
// does). The errors are those of [Client.Definition].
func (c *Client) Implementation(ctx context.Context, t Target, o *QueryOptions) (*Result, error) {
	r, err := c.ask.Places.Implementation(ctx, t.query, (*questions.Options)(o))
	return placesResult(r), public(err)
}

// References returns where the target is used, in the files the server knows and in those that it can be made to know; the
// answer is degraded when other files hold the name, and has a note when not all could be looked at. The errors are those of
// [Client.Definition]. An empty list means "none" only when [Result.None] says so.
//
// Servers differ in what they make of the wish for declarations. Here the places that [Client.Definition] gives for the
// target are always among the references with ReferenceOptions.Declaration, and never without it, nor are the other
// signatures of an overloaded function. A name in an import is a reference.
func (c *Client) References(ctx context.Context, t Target, o *ReferenceOptions) (*Result, error) {
	if o == nil {
		o = &ReferenceOptions{}
	}
	r, err := c.ask.Places.References(ctx, t.query, o.Declaration, &questions.Options{Limit: o.Limit, Paths: o.Paths})
	return placesResult(r), public(err)
}

func placesResult(r *questions.Result) *Result {
	if r == nil {
		return nil
	}
	return &Result{
		Target: Location(r.Target), Locations: locations(r.Locations), Aliases: locations(r.Aliases), Answer: answer(r.Answer),
		Total: r.Total, Truncated: r.Truncated,
	}
}
