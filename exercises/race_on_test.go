//go:build race

package exercises

// raceEnabled: the race detector itself takes more memory than the tests allow.
const raceEnabled = true
