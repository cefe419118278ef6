// Package wire is what the model adapters (packages claude and openai) share: an HTTP client that bounds a streamed answer, errors of
// servers as skill.ModelError, retries, tool names that providers accept, and schemas in the form they want.
//
//	c, err := wire.NewClient("openai", base, wire.Limits{}, []string{key})
//	res, err := c.Do(req) // an event stream of bounded size and time, or a *skill.ModelError
//
// # Guarantees
//
// [Client.Do] follows no redirect, so that a key goes only to the address that it was meant for. It returns a
// response only if that is an event stream; of anything else that a server sends it reads up to 64 KB and makes an error.
// The secrets that the client was given appear in no error.
package wire
