// INSERT OR REPLACE always changes a row, so every copy looks new.
package main

import "github.com/ackademy/ackademy/exercises/kit"

func main() { kit.Consume(handle) }

func handle(store *kit.Store, work kit.Delivery) error {
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	fresh, err := store.Exec("INSERT OR REPLACE INTO inbox (id, amount) VALUES (?, ?)",
		work.Operation, work.Amount)
	if err != nil {
		return err
	}
	if fresh == 0 {
		if _, err := store.Exec("ROLLBACK"); err != nil {
			return err
		}
		return work.Answer(kit.Duplicate)
	}
	if _, err := store.Exec("UPDATE totals SET amount = amount + ? WHERE id = 'exports'", work.Amount); err != nil {
		return err
	}
	if _, err := store.Exec("COMMIT"); err != nil {
		return err
	}
	return work.Answer(kit.Applied)
}
