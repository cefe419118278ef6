// Package invoke calls what is the host's: tools, models and hooks. It takes the call and its grace, and gives a result that nobody
// else holds, bounded in size and valid as JSON, or an error; a panic or a hang is one. Which calls may be made is
// decided before, and what came of them is written down by the caller.
package invoke
