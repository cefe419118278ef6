package openai

import "encoding/json"

// The forms of Chat Completions, as far as they are used here, with what other servers send beside them:
// https://platform.openai.com/docs/api-reference/chat.

// params is a request.
type params struct {
	Model           string          `json:"model"`
	Messages        []message       `json:"messages"`
	MaxTokens       int             `json:"max_tokens,omitempty"`
	MaxCompletion   int             `json:"max_completion_tokens,omitempty"`
	Temperature     *float64        `json:"temperature,omitempty"`
	ReasoningEffort string          `json:"reasoning_effort,omitempty"`
	ResponseFormat  *responseFormat `json:"response_format,omitempty"`
	Tools           []tool          `json:"tools,omitempty"`
	ToolChoice      any             `json:"tool_choice,omitempty"` // a word, or a toolChoice
	Stream          bool            `json:"stream"`
	StreamOptions   *streamOptions  `json:"stream_options,omitempty"`
}

const (
	roleSystem = "system"
	roleUser   = "user"
	roleModel  = "assistant"
	roleTool   = "tool"
)

type message struct {
	Role      string            `json:"role"`
	Content   string            `json:"content,omitempty"`
	Result    string            `json:"tool_call_id,omitempty"`
	Calls     []toolCall        `json:"tool_calls,omitempty"`
	Reasoning string            `json:"reasoning_content,omitempty"`
	Details   []json.RawMessage `json:"reasoning_details,omitempty"`
}

type toolCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Function called          `json:"function"`
	Extra    json.RawMessage `json:"extra_content,omitempty"`
}

type called struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters"`
}

type toolChoice struct {
	Type     string     `json:"type"`
	Function chosenTool `json:"function"`
}

type chosenTool struct {
	Name string `json:"name"`
}

type responseFormat struct {
	Type       string       `json:"type"`
	JSONSchema answerSchema `json:"json_schema"`
}

type answerSchema struct {
	Name   string         `json:"name"`
	Schema map[string]any `json:"schema"`
	Strict bool           `json:"strict"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// chunk is an event of a stream.
type chunk struct {
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Index        int64  `json:"index"`
		Delta        delta  `json:"delta"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
		Details          struct {
			CachedTokens int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
}

type delta struct {
	Content   string            `json:"content"`
	Refusal   string            `json:"refusal"`
	ToolCalls []toolCallDelta   `json:"tool_calls"`
	Reasoning string            `json:"reasoning_content"`
	Details   []json.RawMessage `json:"reasoning_details"`
}

type toolCallDelta struct {
	Index    *int64          `json:"index"`
	ID       string          `json:"id"`
	Function called          `json:"function"`
	Extra    json.RawMessage `json:"extra_content"`
}
