package skill

import (
	"context"
	"fmt"
)

// maxConversation bounds a conversation that is not compacted, in estimated tokens.
const maxConversation = 1 << 20

// fit keeps the conversation within its size.
func (a *gatherer) fit(context.Context) error {
	if n := estimate(a.system, a.g.Messages); n > maxConversation {
		return fmt.Errorf("the conversation has about %d tokens, and at most %d are sent", n, maxConversation)
	}
	return nil
}
