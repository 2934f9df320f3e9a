package lessons

import (
	"embed"
	"io/fs"
)

//go:embed [0-9]* casebook idioms
var shipped embed.FS

// Files returns the lessons, the casebook and the idioms that ship with the
// program: the root to Load, LoadCasebook and LoadIdioms, and where a
// Simulation's Scenario is found.
func Files() fs.FS { return shipped }
