// Also right: the unique key decides, not a question asked before. The insert
// takes the write lock, so a plain BEGIN is enough: its transaction never reads
// before it writes.
package main

import "github.com/ackademy/ackademy/exercises/kit"

func main() { kit.Consume(handle) }

func handle(store *kit.Store, work kit.Delivery) error {
	if _, err := store.Exec("BEGIN"); err != nil {
		return err
	}
	fresh, err := store.Exec("INSERT INTO inbox (id, amount) VALUES (?, ?) ON CONFLICT DO NOTHING",
		work.Operation, work.Amount)
	if err != nil {
		return err
	}
	if fresh == 1 {
		if _, err := store.Exec("UPDATE totals SET amount = amount + ? WHERE id = 'exports'", work.Amount); err != nil {
			return err
		}
		if _, err := store.Exec("COMMIT"); err != nil {
			return err
		}
		return work.Answer(kit.Applied)
	}
	amount, _, err := store.Int("SELECT amount FROM inbox WHERE id = ?", work.Operation)
	if err != nil {
		return err
	}
	if _, err := store.Exec("COMMIT"); err != nil {
		return err
	}
	if amount != work.Amount {
		return work.Answer(kit.Conflict)
	}
	return work.Answer(kit.Duplicate)
}
