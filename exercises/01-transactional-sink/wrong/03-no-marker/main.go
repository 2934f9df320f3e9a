// The effect is made for each delivery; nobody remembers which operation it was.
package main

import "github.com/ackademy/ackademy/exercises/kit"

func main() { kit.Consume(handle) }

func handle(store *kit.Store, work kit.Delivery) error {
	if _, err := store.Exec("BEGIN IMMEDIATE"); err != nil {
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
