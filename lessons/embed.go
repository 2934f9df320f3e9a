package lessons

import (
	"embed"
	"io/fs"
)

//go:embed [0-9]*
var shipped embed.FS

// Files returns the lessons that ship with the program: the root to Load, and
// where a Simulation's Scenario is found.
func Files() fs.FS { return shipped }
