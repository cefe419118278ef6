package plans

import (
	"embed"
	"io/fs"
)

//go:embed *.yaml
var files embed.FS

// FS returns the shipped plans, a file NAME.yaml each. It is read-only.
func FS() fs.FS { return files }
