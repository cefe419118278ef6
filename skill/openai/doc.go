// Package openai is a skill.Model over any server that speaks OpenAI's Chat Completions: OpenAI's own, and those that run open
// models (vLLM, llama.cpp, Ollama) or forward requests (OpenRouter). It needs the standard library alone.
//
//	m, err := openai.New("qwen3-32b", &openai.Options{BaseURL: "http://127.0.0.1:8000/v1"})
//	if err != nil {
//		return err
//	}
//	out, err := runner.New(m, tools, nil).Run(ctx, s, inputs)
//
// # What is translated
//
// The caller sees its own tool names in requests and replies: a name that the protocol does not accept (it takes letters,
// digits, "_" and "-", at most 64) is sent under one that it does. Consecutive messages of the user become one message. A
// tool's error is sent as its result, after the word "Error". A Request.Schema is sent as response_format, with strict set if
// it keeps to what OpenAI's strict mode takes, or described in the instructions (Options.SchemaText); a schema that is not an
// object is wrapped in one, and the answer is unwrapped. Thoughts that servers send beside the answer (reasoning_content,
// reasoning_details, Gemini's signature on a call) are kept in Reply.State and go back with the calls that they led to, to the
// same model.
//
// Servers differ, and these differences are tolerated: calls that all have the index 0, or no index, or no id, or all of their
// arguments at once; finish reason "stop" though there are calls; token counts in the last piece, in every piece, or nowhere.
//
// # Guarantees
//
// Every answer is bounded in size, and in time: before its first piece, between two pieces, and as a whole. Errors are
// *skill.ModelError. A request is retried a few times if the error may be temporary and no part of an answer was handed out; it
// waits as long as the server asks, at most a minute. Redirects are not followed. The key appears in no error or log, and a key
// from the environment goes over no connection that others can read. A Model is safe for concurrent use.
//
// # Limits
//
// Text only: no images, no audio; not the Responses API. Token counts are those of the server. The sources are the public
// documentation of Chat Completions, the types of OpenAI's Go SDK, version 3.96, and reports about the servers named; nothing here was ever
// run against OpenAI itself.
package openai
