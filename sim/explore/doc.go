// Package explore searches every schedule of a world within its fault budget
// and answers, per property: holds in all states, violated with a shortest
// schedule, or undecided with the bound named.
//
// Run is the search, Judge what the observer says of a single state. The
// search is breadth first over whole states (store.go), so the first state
// that shows a violation ends a shortest schedule, and the order of results is
// fixed. What a verdict needs to know of the future is worked out afterwards,
// from the back (hopeless.go).
//
// A bound that is reached is a named outcome: nothing is then said to hold.
package explore
