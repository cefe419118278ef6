// Package bounded calls functions and streams of a host or a provider that may hang, panic or never end. It takes the call with its
// context, and returns the result, an error for a panic, or a [HangError] when the call has not returned within a grace period after
// the context ended. A call that still hangs is left running, and nobody waits for it. The package does not depend on what is called.
package bounded
