// The identity is enough for it: another amount under the same name is taken for
// a copy and answered as one.
package main

import "github.com/ackademy/ackademy/exercises/kit"

func main() { kit.Consume(handle) }

func handle(store *kit.Store, work kit.Delivery) error {
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	_, known, err := store.Int("SELECT amount FROM inbox WHERE id = ?", work.Operation)
	if err != nil {
		return err
	}
	if known {
		if _, err := store.Exec("ROLLBACK"); err != nil {
			return err
		}
		return work.Answer(kit.Duplicate)
	}
	if _, err := store.Exec("INSERT INTO inbox (id, amount) VALUES (?, ?)", work.Operation, work.Amount); err != nil {
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
