// Package profile holds what is true of real systems, as data: for each broker,
// database and email provider the knobs of package sim that imitate it, and
// for each knob the fact behind it with its source.
//
// A profile is a starting point, not a cage: the scenario language can override
// every knob. Where a system's documents leave something open, the profile
// says so and gives the world a choice instead of inventing a rule.
//
// The sources are named as in the project's reference of delivery semantics:
// a document and, where we watched a release do it, the run (R-RMQ-9). "Our
// reading" marks a conclusion that no vendor states.
package profile

import "github.com/ackademy/ackademy/sim"

// Fact is one thing that is true of a system.
type Fact struct {
	Knob   string // the parameter of the scenario language that it sets
	Text   string // the fact, in a sentence
	Source string
}

// Queue imitates a broker's queue.
type Queue struct {
	Name  string // as in queue(..., like = "...")
	Title string
	Knobs sim.Queue // Name, DeadLetter and IsDeadLetter are the scenario's
	Facts []Fact
	// Versions whose rules differ, oldest first; the last one is what Knobs are.
	Versions []Version
}

// Version is a release from which on rules are different.
type Version struct {
	Name   string
	Text   string // what it does differently, in a sentence
	change func(*sim.Queue)
}

// Database imitates a database.
type Database struct {
	Name  string
	Title string
	Knobs sim.Database // Name and Tables are the scenario's
	Facts []Fact
}

// Provider imitates an email provider.
type Provider struct {
	Name  string
	Title string
	Knobs sim.Provider // Name is the scenario's
	Facts []Fact
}

// FindQueue returns the queue profile of that name.
func FindQueue(name string) (Queue, bool) {
	return find(Queues(), name, func(q Queue) string { return q.Name })
}

// FindDatabase returns the database profile of that name.
func FindDatabase(name string) (Database, bool) {
	return find(Databases(), name, func(d Database) string { return d.Name })
}

// FindProvider returns the provider profile of that name.
func FindProvider(name string) (Provider, bool) {
	return find(Providers(), name, func(p Provider) string { return p.Name })
}

func find[T any](list []T, name string, nameOf func(T) string) (T, bool) {
	for _, item := range list {
		if nameOf(item) == name {
			return item, true
		}
	}
	var none T
	return none, false
}
