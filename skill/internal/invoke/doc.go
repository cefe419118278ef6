// Package invoke calls what belongs to the host: tools, models and hooks. It takes the call and its grace period, and returns a result
// that nobody else holds, bounded in size and valid as JSON, or an error, also for a panic or a hang. The caller decides
// beforehand which calls may be made, and records their outcome.
package invoke
