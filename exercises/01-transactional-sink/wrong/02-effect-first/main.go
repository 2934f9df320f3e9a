// The effect commits alone, before the marker.
package main

import "github.com/ackademy/ackademy/exercises/kit"

func main() { kit.Consume(handle) }

func handle(store *kit.Store, work kit.Delivery) error {
	amount, known, err := store.Int("SELECT amount FROM inbox WHERE id = ?", work.Operation)
	if err != nil {
		return err
	}
	if known && amount != work.Amount {
		return work.Answer(kit.Conflict)
	}
	if known {
		return work.Answer(kit.Duplicate)
	}
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if _, err := store.Exec("UPDATE totals SET amount = amount + ? WHERE id = 'exports'", work.Amount); err != nil {
		return err
	}
	if _, err := store.Exec("COMMIT"); err != nil {
		return err
	}
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if _, err := store.Exec("INSERT INTO inbox (id, amount) VALUES (?, ?)", work.Operation, work.Amount); err != nil {
		return err
	}
	if _, err := store.Exec("COMMIT"); err != nil {
		return err
	}
	return work.Answer(kit.Applied)
}
