// Package wire is what the model adapters share: an HTTP client that bounds a streamed answer, errors of servers as
// skill.ModelError, retries, names that providers take, and schemas as they want them.
//
//	c, err := wire.NewClient("openai", base, wire.Limits{}, []string{key})
//	res, err := c.Do(req) // an event stream of bounded size and time, or a *skill.ModelError
//
// # Guarantees
//
// [Client.Do] follows no redirect, so that a key goes to the address that it was meant for and to no other. It returns a
// response only if that is an event stream; everything else a server may send is read up to 64 KB and becomes an error.
// No secret that the client was told of is in any error.
package wire
