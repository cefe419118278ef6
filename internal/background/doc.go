// Package background does work behind the calls that cause it, such as making vectors of what was added. It does not depend on what the work is.
package background
