// Package claude is a skill.Model over Anthropic's Messages API, through Anthropic's own Go SDK.
//
//	m, err := claude.New("claude-sonnet-5", &claude.Options{Writer: "claude-opus-5"}) // the key is that of ANTHROPIC_API_KEY
//	if err != nil {
//		return err
//	}
//	out, err := runner.New(m, tools, nil).Run(ctx, s, inputs)
//
// # What is translated
//
// Tools and answers keep the caller's names: a tool's name that the API does not take (letters, digits, "_" and "-", at most
// 64) is sent as one that it does. Messages of tools and users in a row are one message, results first. The thoughts that a
// model signs are kept in Reply.State and go back unchanged to the model that had them, as the API demands after a tool call.
// A Request.Schema is sent as output_config.format, or as a tool that must be called (Options.SchemaTool); what is no object
// is asked for inside one and taken out of it. The end of the instructions and of the conversation are marked for the
// provider's cache.
//
// # Guarantees
//
// Every answer has a limit of time before its first piece, between two, and as a whole, and one of size. Errors are
// *skill.ModelError. A request is tried again, a few times, when an error may pass and nothing of an answer was handed out yet; the
// wait is that which the server asks for, at most a minute. Redirects are not followed. The key is in no error and no
// log, and that of the environment goes over no connection that others can read. A Model is safe for concurrent use.
//
// # Limits
//
// Text only: no images, no documents, none of the tools that run at the provider. Sources: the public documentation of the
// Messages API and the SDK's types, version 1.84; nothing here was ever run against the provider itself.
package claude
