package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/ackademy/ackademy/sim/schedule"
)

func versionCommand() command {
	return command{
		name: "version", summary: "which version this is",
		help: "Prints the version, the Go version it was built with, and the version of schedules it reads.",
		run: func(t *terminal, positional []string) int {
			if len(positional) > 0 {
				return t.problem(wrongInput("too-many-arguments", "version takes no arguments", "Write `ackademy version`."))
			}
			t.print(versionText() + "\n")
			return exitGood
		},
	}
}

// versionText says what a report of a bug has to say of this program.
func versionText() string {
	version, revision := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return fmt.Sprintf("ackademy %s%s, schedules %s, %s %s/%s", version, revision, schedule.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
