// Package selection chooses the skill for a task by triggers and words, without a model. [Profile] holds what a skill says of
// itself, as terms; [Choose] weighs the terms that a task shares with each by how few skills know them, and gives every fit
// with its reasons, best first. The same skills and task give the same choice. It reads no file and knows no workflow: the
// texts of a skill's topic are given to it.
package selection
