package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ackademy/ackademy/sim/explore"
)

// bounds end a search early. The commands that search share them.
type bounds struct {
	maxStates int
	maxDepth  int
	maxBytes  int64
	maxTime   time.Duration
}

func (b *bounds) options() []option {
	return []option{
		countOption(&b.maxStates, "max-states", "stop after so many states (default 2,000,000)", 1, 1<<31),
		countOption(&b.maxDepth, "max-depth", "look no further than so many steps (default 250,000)", 1, 1<<31),
		{name: "max-memory", value: "SIZE", text: "stop when the states take so much memory: 512MB, 4GiB (default 2GiB)", set: b.setMemory},
		timeOption(&b.maxTime, "max-time", "stop after so long; results then depend on the machine"),
	}
}

// memoryUnits are what a size may be given in.
var memoryUnits = map[string]float64{
	"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40,
}

func (b *bounds) setMemory(s string) *problem {
	number := strings.TrimRightFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	unit, known := memoryUnits[strings.ToUpper(strings.TrimSpace(s[len(number):]))]
	n, err := strconv.ParseFloat(strings.ReplaceAll(number, "_", ""), 64)
	if size := n * unit; known && err == nil && size >= 1 && size < math.MaxInt64 {
		b.maxBytes = int64(size)
		return nil
	}
	return wrongInput("bad-option", "--max-memory can't be "+quote(s), "Give a size with its unit: 512MB, 4GiB.")
}

// search is the options of a search that a file's progress is shown for. What
// was shown is wiped when the search is over.
func (b *bounds) search(t *terminal, path string) (o explore.Options, wipe func()) {
	progress, wipe := t.progress(path)
	return explore.Options{MaxStates: b.maxStates, MaxDepth: b.maxDepth, MaxBytes: b.maxBytes, MaxTime: b.maxTime, Progress: progress}, wipe
}

// boundText says which bound ended a search and what that means, or nothing.
func boundText(bound explore.Bound, limit int64) string {
	reached := ""
	switch bound {
	case explore.NoBound:
		return ""
	case explore.Cancelled:
		return "Cancelled"
	case explore.Time:
		reached = time.Duration(limit).String()
	case explore.Memory:
		reached = thousands(int(limit)) + " bytes"
	default:
		reached = thousands(int(limit))
	}
	return fmt.Sprintf("Stopped at the bound of %s (%s)", bound, reached)
}

// progress shows how far a search has come where somebody watches, and wipes
// it afterwards.
func (t *terminal) progress(path string) (show func(explore.Progress), wipe func()) {
	if !t.live {
		return nil, func() {}
	}
	last, before, shown := time.Duration(0), 0, false
	show = func(p explore.Progress) {
		if p.Elapsed-last < time.Second/2 {
			return
		}
		rate := float64(p.States-before) / (p.Elapsed - last).Seconds()
		last, before, shown = p.Elapsed, p.States, true
		_, _ = fmt.Fprintf(t.stderr, "\r\x1b[K%s: %s states, %s waiting, %s a second, depth %d", clean(path),
			thousands(p.States), thousands(p.Frontier), thousands(int(rate)), p.Depth)
	}
	return show, func() {
		if shown {
			_, _ = fmt.Fprint(t.stderr, "\r\x1b[K")
		}
	}
}
