//go:build !race

package exercises

const raceEnabled = false
