// Package claude is a skill.Model over Anthropic's Messages API. It needs the standard library alone.
//
//	m, err := claude.New("claude-sonnet-5", &claude.Options{Writer: "claude-opus-5"}) // the key comes from ANTHROPIC_API_KEY
//	if err != nil {
//		return err
//	}
//	out, err := runner.New(m, tools, nil).Run(ctx, s, inputs)
//
// # What is translated
//
// The caller sees its own tool names in requests and replies: a name that the API does not accept (it takes letters, digits, "_" and "-",
// at most 64) is sent under one that it does. Consecutive messages of tools and users become one message, results first. Thoughts
// that a model signs are kept in Reply.State and go back unchanged to the model that had them, as the API demands after a tool call.
// A Request.Schema is sent as output_config.format, or as a tool that must be called (Options.SchemaTool); a schema that is not an
// object is wrapped in one, and the answer is unwrapped. The ends of the instructions and of the conversation are marked for the
// provider's cache.
//
// # Guarantees
//
// Every answer is bounded in size, and in time: before its first piece, between two pieces, and as a whole. Errors are
// *skill.ModelError. A request is retried a few times if the error may be temporary and no part of an answer was handed out yet; it
// waits as long as the server asks, at most a minute. Redirects are not followed. The key appears in no error and no
// log, and a key from the environment is never sent over a connection that others can read. A Model is safe for concurrent use.
//
// # Limits
//
// Text only: no images, no documents, none of the tools that run at the provider. The sources are the public documentation of the
// Messages API and the types of Anthropic's Go SDK, version 1.84; nothing here was ever run against the provider itself.
package claude
