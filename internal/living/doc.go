// Package living finds what has become of the evidence of a sealed answer after its sources have changed. [Check] takes an answer and the sources of a workspace; where
// the text of a piece of evidence stands no longer at its place it looks in the same document or file, then in others that hold the rare words of the text, then for what is
// most like it. What that means for the sentences of the answer is for package skill/evidence to say. It changes no index and no answer.
package living
