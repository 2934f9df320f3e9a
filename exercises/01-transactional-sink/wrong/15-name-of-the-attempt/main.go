// The marker carries the name of the attempt, which every copy has anew, instead of
// the name of the operation.
package main

import "github.com/ackademy/ackademy/exercises/kit"

func main() { kit.Consume(handle) }

func handle(store *kit.Store, work kit.Delivery) error {
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	_, known, err := store.Int("SELECT amount FROM inbox WHERE id = ?", work.Token)
	if err != nil {
		return err
	}
	if known {
		if _, err := store.Exec("ROLLBACK"); err != nil {
			return err
		}
		return work.Answer(kit.Duplicate)
	}
	if _, err := store.Exec("INSERT INTO inbox (id, amount) VALUES (?, ?)", work.Token, work.Amount); err != nil {
		return err
	}
	if _, err := store.Exec("UPDATE totals SET amount = amount + ? WHERE id = 'exports'", work.Amount); err != nil {
		return err
	}
	if _, err := store.Exec("COMMIT"); err != nil {
		return err
	}
	return work.Answer(kit.Applied)
}
