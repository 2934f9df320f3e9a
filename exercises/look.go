package exercises

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/exercises/kit/wire"
)

// The observer's part of a run: looking at the file when nothing runs.

// look judges the file at a moment when nothing runs.
func (r *run) look(final bool) error {
	found, err := observe(r.file, r.schema)
	if err != nil {
		return r.unreadable(err)
	}
	return r.think(found, final)
}

func (r *run) think(found facts, final bool) error {
	if found.schema != r.schema {
		return &halt{verdict: VerdictMismatch, message: "The program has changed the tables themselves. Leave the schema as it is."}
	}
	if said := judge(found, r.deliveries, final); said != nil {
		return &disproof{opinion: *said, found: found}
	}
	return nil
}

// unreadable: the file can't be read as the database it was.
func (r *run) unreadable(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return &halt{verdict: VerdictMismatch, message: "The database file is gone."}
	}
	return &halt{verdict: VerdictCorrupt, message: "The database can't be read any more: " + plain(err.Error()) + "."}
}

// disproof is a run whose file is wrong.
type disproof struct {
	opinion
	found facts
}

func (d *disproof) Error() string { return d.explanation }

// end is how every run ends: each delivery comes once more and must change
// nothing; nobody may hold a lock; then all processes are gone, the file is
// opened read-only, and all of it must be as expected. The caller has looked at
// the file before the late copies: they could cover a loss.
func (r *run) end() error {
	if err := r.lateCopies(); err != nil {
		return err
	}
	if err := r.unlocked(); err != nil {
		return err
	}
	for _, w := range r.workers {
		if err := w.kill(); err != nil { // idle: not one of the kills that are counted
			return err
		}
	}
	found, err := inspect(r.file, "mode=ro", r.schema)
	if err != nil {
		return r.unreadable(err)
	}
	return r.think(found, true)
}

// unlocked checks, while every worker is idle, that none has left a
// transaction open.
func (r *run) unlocked() error {
	ok, err := free(r.file)
	if err != nil {
		return r.unreadable(err)
	}
	if !ok {
		return &halt{verdict: VerdictStuck, message: "A process waits for its next delivery and still has a transaction open: nobody else can write."}
	}
	return nil
}

// watch finds changes of the file that no announced call can have made: then
// the program has a way around the kit, and kills at the kit's calls prove
// nothing.
func (r *run) watch(call wire.Message) error {
	if r.watched < 0 {
		return nil
	}
	found, err := observe(r.file, r.schema)
	if err != nil {
		return r.unreadable(err)
	}
	changed := len(found.changes) != r.watched
	r.watched = len(found.changes)
	verb, _, _ := strings.Cut(strings.ToUpper(call.Text), " ")
	canWrite := !slices.Contains([]string{"", "OPEN", "RECEIVE", "ANSWER", "SELECT", "BEGIN", "ROLLBACK"}, verb)
	if changed && (call.Outcome != wire.OutcomeDone || !canWrite) {
		return &halt{verdict: VerdictUnannounced, message: fmt.Sprintf("The file changed at %q, which can't change it: the program reaches the database without the kit.", plain(call.Text))}
	}
	return nil
}
