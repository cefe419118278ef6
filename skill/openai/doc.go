// Package openai is a skill.Model over any server that speaks OpenAI's Chat Completions: OpenAI's own, and those that hold open
// models (vLLM, llama.cpp, Ollama) or pass requests on (OpenRouter), through OpenAI's own Go SDK.
//
//	m, err := openai.New("qwen3-32b", &openai.Options{BaseURL: "http://127.0.0.1:8000/v1"})
//	if err != nil {
//		return err
//	}
//	out, err := runner.New(m, tools, nil).Run(ctx, s, inputs)
//
// # What is translated
//
// Tools and answers keep the caller's names: a tool's name that the protocol does not take (letters, digits, "_" and "-", at
// most 64) is sent as one that it does. Messages of the user in a row are one message. A tool's error is its result behind
// the word "Error". A Request.Schema is sent as response_format, strictly if it keeps to what OpenAI's strict mode takes, or
// told in the instructions (Options.SchemaText); what is no object is asked for inside one and taken out of it. Thoughts that servers send
// beside the answer (reasoning_content, reasoning_details, and what Gemini signs a call with) are kept in Reply.State and
// go back with the calls that they led to, to the same model.
//
// Servers differ, and this is borne: calls that all have the index 0, or none, or no id, or the whole of their arguments
// at once; an end for "stop" though there are calls; counts of tokens in the last piece, in every piece, or nowhere.
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
// Text only: no images, no audio; not the Responses API. Counts of tokens are those of the server. Sources: the public documentation of
// Chat Completions, the SDK's types, version 3.96, and reports about the servers named; nothing here was ever run against
// OpenAI itself.
package openai
