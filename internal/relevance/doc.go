// Package relevance judges how well a piece of text answers a question, on one scale for documents and code. [Read] takes a question apart into the
// words that say something of its subject and the kind of thing it asks for; [Question.Weigh] weighs the words by their rarity; [Question.Windows] cuts
// a text into pieces of whole sentences and judges each by [Signals], whose weights stand in one place. It searches nothing: the rooms bring texts, and
// what is known of where each stands.
package relevance
