package exercises

import (
	"database/sql"
	"testing"

	"github.com/ackademy/ackademy/exercises/kit"
)

// story is a file told in short: deliveries with their answers, and the
// committed changes of the book.
type story struct {
	deliveries []*delivery
	changes    []change
}

func told(operation string, amount int64, answer kit.Answer) *delivery {
	return &delivery{Intent: Intent{operation, amount}, answer: string(answer)}
}

func marker(id string, before, after int64) change { return changed("inbox", id, before, after) }
func total(before, after int64) change             { return changed("totals", totalRow, before, after) }

// changed uses -1 for "no row".
func changed(place, id string, before, after int64) change {
	return change{
		place: place, id: id,
		before: sql.NullInt64{Int64: max(before, 0), Valid: before >= 0},
		after:  sql.NullInt64{Int64: max(after, 0), Valid: after >= 0},
	}
}

// facts plays the changes into rows, as SQLite did.
func (s story) facts() facts {
	found := facts{totals: 1, integrity: "ok", changes: s.changes}
	found.Markers = []Marker{}
	rows := map[string]int64{}
	var order []string
	for _, c := range s.changes {
		switch {
		case c.place == "totals":
			found.Total = c.after.Int64
		case !c.after.Valid:
			delete(rows, c.id)
		default:
			if _, known := rows[c.id]; !known {
				order = append(order, c.id)
			}
			rows[c.id] = c.after.Int64
		}
	}
	for _, id := range order { // the stories name them in order
		if amount, stands := rows[id]; stands {
			found.Markers = append(found.Markers, Marker{id, amount})
		}
	}
	return found
}

// TestJudge: each verdict has a story that has it and, beside it, the nearest
// story that has not.
func TestJudge(t *testing.T) {
	applied100 := told("work-1", 100, kit.Applied)
	once := []change{marker("work-1", -1, 100), total(0, 100)}
	for _, test := range []struct {
		name  string
		story story
		want  string // "" is well
	}{
		{"applied once", story{[]*delivery{applied100}, once}, ""},
		{"a copy that changed nothing", story{[]*delivery{applied100, told("work-1", 100, kit.Duplicate)}, once}, ""},
		{"not answered, nothing done", story{[]*delivery{told("work-1", 100, "")}, nil}, ""},
		{"not answered, done", story{[]*delivery{told("work-1", 100, "")}, once}, ""},
		{"answered, nothing done", story{[]*delivery{applied100}, nil}, VerdictLost},
		{"answered, only the marker", story{[]*delivery{applied100}, once[:1]}, VerdictLost},
		{"taken for a copy, nothing done", story{[]*delivery{told("work-1", 100, kit.Duplicate)}, once[:1]}, VerdictLost},
		{"refused without a reason", story{[]*delivery{told("work-1", 100, kit.Conflict)}, nil}, VerdictLost},
		{"not answered, only the marker", story{[]*delivery{told("work-1", 100, "")}, once[:1]}, VerdictMismatch},
		{"no marker", story{[]*delivery{applied100}, once[1:]}, VerdictMismatch},
		{"added twice", story{[]*delivery{applied100}, append(once[:2:2], total(100, 200))}, VerdictDuplicated},
		{
			"two operations",
			story{[]*delivery{applied100, told("work-2", 50, kit.Applied)}, append(once[:2:2], marker("work-2", -1, 50), total(100, 150))},
			"",
		},
		{
			"the second written over the first",
			story{[]*delivery{applied100, told("work-2", 50, kit.Applied)}, append(once[:2:2], marker("work-2", -1, 50), total(100, 50))},
			VerdictOverwritten,
		},
		{
			"right by two wrongs",
			story{[]*delivery{applied100}, append(once[:2:2], total(100, 200), total(200, 100))},
			VerdictOverwritten,
		},
		{"a conflict refused", story{[]*delivery{applied100, told("work-1", 999, kit.Conflict)}, once}, ""},
		{"a conflict taken for a copy", story{[]*delivery{applied100, told("work-1", 999, kit.Duplicate)}, once}, VerdictConflictAccepted},
		{"a conflict said to be applied", story{[]*delivery{applied100, told("work-1", 999, kit.Applied)}, once}, VerdictConflictAccepted},
		{
			"a conflict added",
			story{[]*delivery{applied100, told("work-1", 999, kit.Applied)}, append(once[:2:2], total(100, 1099))},
			VerdictConflictAccepted,
		},
		{
			"a conflict written over the marker",
			story{[]*delivery{applied100, told("work-1", 999, kit.Conflict)}, append(once[:2:2], marker("work-1", 100, 999))},
			VerdictOverwritten,
		},
		{
			"a conflict in the place of the total",
			story{[]*delivery{applied100, told("work-1", 999, kit.Conflict)}, append(once[:2:2], total(100, 999))},
			VerdictOverwritten,
		},
		{
			"the other amount came first",
			story{[]*delivery{told("work-1", 100, kit.Conflict), told("work-1", 999, kit.Applied)}, []change{marker("work-1", -1, 999), total(0, 999)}},
			"",
		},
		{
			"a copy refused",
			story{[]*delivery{applied100, told("work-1", 100, kit.Conflict)}, once},
			VerdictWrongAnswer,
		},
		{
			"a marker more",
			story{[]*delivery{applied100}, append(once[:2:2], marker("work-9", -1, 1))},
			VerdictMismatch,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if said := judge(test.story.facts(), test.story.deliveries, true); said != nil {
				got = said.verdict
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestJudgeIntegrity: a file that SQLite complains about is not well.
func TestJudgeIntegrity(t *testing.T) {
	found := story{}.facts()
	found.integrity = "row 7 missing from index"
	if said := judge(found, nil, true); said == nil || said.verdict != VerdictCorrupt {
		t.Errorf("got %+v", said)
	}
}

// TestAfter: the model of the record, against the record's own numbers.
func TestAfter(t *testing.T) {
	exercise, err := Find("01")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"inbox empty, total 0",
		"inbox (work-1 100), total 100",
		"inbox (work-1 100) (work-2 50), total 150",
		"inbox (work-1 100) (work-2 50), total 150",
		"inbox (work-1 100) (work-2 50), total 150",
	} {
		if got := after(exercise.Deliveries[:i]).String(); got != want {
			t.Errorf("after %d deliveries: got %s, want %s", i, got, want)
		}
	}
	if got := word(exercise.Deliveries, 3); got != kit.Conflict {
		t.Errorf("the last delivery is answered %s", got)
	}
}
