// Package bounded calls what may hang, panic or never stop talking: functions and streams of a host or a provider. It
// takes the call with its context, and gives the result, an error for a panic, or a [HangError] when a grace has passed since the
// context ended. What went on hanging is left behind, and nobody waits for it. It does not know what is called.
package bounded
