// What was applied is remembered in memory, where a new process does not find it.
package main

import "github.com/ackademy/ackademy/exercises/kit"

func main() { kit.Consume(handle) }

var applied = map[string]int64{}

func handle(store *kit.Store, work kit.Delivery) error {
	amount, known := applied[work.Operation]
	if known && amount != work.Amount {
		return work.Answer(kit.Conflict)
	}
	if known {
		return work.Answer(kit.Duplicate)
	}
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if _, err := store.Exec("INSERT OR IGNORE INTO inbox (id, amount) VALUES (?, ?)", work.Operation, work.Amount); err != nil {
		return err
	}
	if _, err := store.Exec("UPDATE totals SET amount = amount + ? WHERE id = 'exports'", work.Amount); err != nil {
		return err
	}
	if _, err := store.Exec("COMMIT"); err != nil {
		return err
	}
	applied[work.Operation] = work.Amount
	return work.Answer(kit.Applied)
}
