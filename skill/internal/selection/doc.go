// Package selection chooses the skill for a task by triggers and words, without a model. A [Profile] holds what a skill says about
// itself, as terms. [Choose] weighs the terms that a task shares with each skill, rare ones more, and what both want done, which [Wishes] learn from the
// labelled tasks in wishes/; it returns every fit with its reasons, best first. The same skills and task always give the same choice. The package reads no file: it is
// given the texts that describe a skill, and does not depend on workflows.
package selection
