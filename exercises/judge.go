package exercises

import (
	"cmp"
	"database/sql"
	"fmt"
	"slices"

	"github.com/ackademy/ackademy/exercises/kit"
)

// totalRow is the id of the row in totals that holds the total.
const totalRow = "exports"

// delivery is one attempt to hand an intent to a worker.
type delivery struct {
	Intent
	token  string
	label  string // "work-1", "work-1 again", "work-1 with 999"
	answer string // "" until it is settled
}

// acked: the broker was told that the operation is done, and forgets it.
func (d *delivery) acked() bool {
	return d.answer == string(kit.Applied) || d.answer == string(kit.Duplicate)
}

// opinion is what the observer says of a file after some deliveries.
type opinion struct {
	verdict, explanation string
	expected             Rows
}

// judge compares a file with what the deliveries so far allow, at a moment when
// nothing runs. It returns nil if all is well. Effects are read from the
// observer's book: the change of the total that equals an operation's amount
// is that operation's effect (the amounts of an exercise's operations differ).
// With final set, the markers are compared too; before, a missing marker is
// left to show itself as a lost or a duplicated effect.
func judge(found facts, deliveries []*delivery, final bool) *opinion {
	b := book{found: found, byOperation: map[string][]*delivery{}, effects: map[int64]int{}}
	for _, d := range deliveries {
		if len(b.byOperation[d.Operation]) == 0 {
			b.operations = append(b.operations, d.Operation)
		}
		b.byOperation[d.Operation] = append(b.byOperation[d.Operation], d)
		b.effects[d.Amount] += 0
	}
	slices.Sort(b.operations)
	written := b.countEffects()
	for _, operation := range b.operations {
		b.expect(operation)
	}
	slices.SortFunc(b.expected.Markers, func(x, y Marker) int { return cmp.Compare(x.ID, y.ID) })
	if written != nil {
		return b.say(VerdictOverwritten, "A committed amount was written over: "+written.String()+".")
	}
	for _, operation := range b.operations {
		if said := b.operation(operation); said != nil {
			return said
		}
	}
	if final {
		return b.leftovers()
	}
	return nil
}

// book sorts what is known by operation.
type book struct {
	found       facts
	operations  []string
	byOperation map[string][]*delivery
	effects     map[int64]int // committed effects by amount, for every amount delivered
	expected    Rows
}

func (b *book) say(verdict, explanation string) *opinion {
	return &opinion{verdict: verdict, explanation: explanation, expected: b.expected}
}

// countEffects fills effects, and returns the first change that is no effect of
// any delivery but the loss of an earlier one. (The total of a file that was
// never written to is 0.)
func (b *book) countEffects() (written *change) {
	var total int64
	for i, c := range b.found.changes {
		if c.place == "inbox" {
			if before := b.markerBefore(i); written == nil && before.Valid && before != c.after {
				written = &change{place: c.place, id: c.id, before: before, after: c.after}
			}
			continue
		}
		if c.id != totalRow || !c.after.Valid {
			continue // another row is a leftover; a deleted one comes again or is missing at the end
		}
		added := c.after.Int64 - total
		_, delivered := b.effects[added]
		switch {
		case delivered:
			b.effects[added]++
		case added != 0 && written == nil:
			c.before = sql.NullInt64{Int64: total, Valid: true}
			written = &c
		}
		total = c.after.Int64
	}
	return written
}

// markerBefore is the amount of a marker before a change of it. The book alone
// is not enough: INSERT OR REPLACE fires no delete trigger.
func (b *book) markerBefore(at int) (before sql.NullInt64) {
	for _, c := range b.found.changes[:at] {
		if c.place == "inbox" && c.id == b.found.changes[at].id {
			before = c.after
		}
	}
	return before
}

// winner is the amount that holds for an operation: that of its one effect, and
// while there is none, that of its first delivery.
func (b *book) winner(operation string) int64 {
	for _, d := range b.byOperation[operation] {
		if b.effects[d.Amount] > 0 {
			return d.Amount
		}
	}
	return b.byOperation[operation][0].Amount
}

func (b *book) expect(operation string) {
	b.expected.Markers = append(b.expected.Markers, Marker{operation, b.winner(operation)})
	b.expected.Total += b.winner(operation)
}

// operation judges one operation id.
func (b *book) operation(operation string) *opinion {
	winner := b.winner(operation)
	acked := false
	for _, d := range b.byOperation[operation] {
		acked = acked || d.acked()
		if b.effects[d.Amount] > 1 {
			return b.say(VerdictDuplicated, fmt.Sprintf("The amount %d of %s was added %d times.", d.Amount, operation, b.effects[d.Amount]))
		}
		if d.Amount != winner && b.effects[d.Amount] > 0 {
			return b.say(VerdictConflictAccepted, fmt.Sprintf("%s was applied with %d, and then also with %d.", operation, winner, d.Amount))
		}
	}
	if b.effects[winner] == 0 {
		return b.missing(operation, acked)
	}
	for _, d := range b.byOperation[operation] {
		if d.Amount != winner && d.acked() {
			return b.say(VerdictConflictAccepted, fmt.Sprintf("%s stands with %d; its delivery with %d was answered %q instead of %q.", operation, winner, d.Amount, d.answer, kit.Conflict))
		}
		if d.Amount == winner && d.answer != "" && !d.acked() {
			return b.say(VerdictWrongAnswer, fmt.Sprintf("A copy of %s with the same amount, %d, was answered %q.", operation, winner, d.answer))
		}
	}
	return nil
}

// missing judges an operation without effect. As long as no delivery of it was
// settled, the broker still has it and nothing is lost.
func (b *book) missing(operation string, acked bool) *opinion {
	if acked {
		return b.say(VerdictLost, fmt.Sprintf("The broker was told that %s is done, and the file has no effect of it. It will not come again.", operation))
	}
	for _, d := range b.byOperation[operation] {
		if d.answer != "" {
			return b.say(VerdictLost, fmt.Sprintf("%s was answered %q, and the file has no effect of it.", operation, d.answer))
		}
	}
	b.expected = withoutOperation(b.expected, operation)
	return nil
}

func withoutOperation(rows Rows, operation string) Rows {
	kept := Rows{Markers: []Marker{}, Total: rows.Total}
	for _, marker := range rows.Markers {
		if marker.ID == operation {
			kept.Total -= marker.Amount
			continue
		}
		kept.Markers = append(kept.Markers, marker)
	}
	return kept
}

// leftovers judges what else stands in the file.
func (b *book) leftovers() *opinion {
	if b.found.integrity != "ok" {
		return b.say(VerdictCorrupt, "PRAGMA integrity_check says: "+b.found.integrity+".")
	}
	if !slices.Equal(b.found.Markers, b.expected.Markers) || b.found.Total != b.expected.Total || b.found.totals != 1 {
		return b.say(VerdictMismatch, "Every operation has its effect, but the rows are not the expected ones.")
	}
	return nil
}
