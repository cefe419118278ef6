package agenttools

// The budgets of answers, in tokens by estimate.
const (
	SearchTokens = 1000 // of answers to searches and of lists, unless another is asked for
	AskTokens    = 1500 // of the tool ask
	ReadTokens   = 8000 // of texts to read
	TokenBytes   = 4    // of a token

	mostTokens  = 16000 // that can be asked for
	leastTokens = 100   // of any answer: a head, and something of one item
)

// A Budget is an argument of the tools that search or list.
type Budget struct {
	Tokens int `json:"tokens,omitempty" alias:"max_tokens,token_budget" jsonschema:"max tokens in the answer, best first; 0 means 1000"`
}

// A ReadBudget is an argument of the tools that return texts.
type ReadBudget struct {
	Tokens int `json:"tokens,omitempty" alias:"max_tokens,token_budget" only:"full" jsonschema:"max tokens in the answer; 0 means 8000"`
}

// Tokens is a budget that was asked for, within bounds; a negative one asks for the most.
func Tokens(asked, normal int) int {
	switch {
	case asked == 0:
		return normal
	case asked < 0:
		return mostTokens
	}
	return min(max(asked, leastTokens), mostTokens)
}

// frameBytes is what [Guard.Tool] adds to a text, and maskedBytes what it says of secrets.
const (
	frameBytes  = 40
	maskedBytes = len(maskedHint)
)

// textBytes is how long a body may be for an answer within so many tokens.
func textBytes(tokens int) int { return tokens*TokenBytes - frameBytes }
