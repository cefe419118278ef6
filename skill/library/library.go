package library

import (
	"embed"
	"io/fs"
)

//go:embed */*
var folders embed.FS

// Skills returns the shipped skills, one folder each, for [github.com/findspot/findspot/skill.Load]. It is read-only.
func Skills() fs.FS { return folders }
