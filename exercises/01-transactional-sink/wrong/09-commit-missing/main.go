// Nobody commits; the transaction stays open behind the answer.
package main

import "github.com/ackademy/ackademy/exercises/kit"

func main() { kit.Consume(handle) }

func handle(store *kit.Store, work kit.Delivery) error {
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	amount, known, err := store.Int("SELECT amount FROM inbox WHERE id = ?", work.Operation)
	if err != nil {
		return err
	}
	if known && amount != work.Amount {
		if _, err := store.Exec("ROLLBACK"); err != nil {
			return err
		}
		return work.Answer(kit.Conflict)
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
	return work.Answer(kit.Applied)
}
