// Package plans holds the shipped plans: chains of searches, walks and reads that run without a model (`findspot run NAME`). A plan is a workflow in a file of its
// own, which [github.com/findspot/findspot/skill.ParsePlan] reads.
package plans
