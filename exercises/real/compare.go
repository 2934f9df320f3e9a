package real

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ackademy/ackademy/sim"
)

// compare opens the files again, as the next process would find them, and lays
// what stands in them beside a state of the simulator.
func (r *referee) compare(predicted sim.State) error {
	view := r.world.Look(predicted)
	if r.options.tamper != nil {
		r.options.tamper(view)
	}
	for d := range view.Databases {
		if err := r.compareDatabase(d, &view.Databases[d]); err != nil {
			return err
		}
	}
	for i := range view.Providers {
		if err := r.compareProvider(i, &view.Providers[i]); err != nil {
			return err
		}
	}
	return nil
}

// reopen opens a file, lets f read it and closes it.
func (r *referee) reopen(file string, f func(*sql.DB) error) error {
	db, err := sql.Open("sqlite", dsn(filepath.Join(r.folder, file), "mode=rw"))
	if err != nil {
		return err
	}
	var verdict string
	if err = db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err == nil {
		r.differ(file+": integrity_check", "ok", verdict)
		err = f(db)
	}
	return ourFaultIf("reading "+file, errors.Join(err, db.Close()))
}

// differ notes a difference of the end.
func (r *referee) differ(what, predicted, found string) {
	if predicted != found {
		r.report.Differences = append(r.report.Differences, Difference{Step: -1, What: what, Predicted: predicted, Real: found})
	}
}

func (r *referee) compareDatabase(d int, view *sim.DatabaseView) error {
	return r.reopen(r.databases[d].File, func(db *sql.DB) error {
		// A lock that outlived its process would show here.
		if _, err := db.Exec("BEGIN IMMEDIATE; ROLLBACK"); err != nil {
			r.differ(view.Name+": write lock", "free", err.Error())
		}
		for t := range view.Tables {
			table := &view.Tables[t]
			rows, err := readRows(db, "SELECT * FROM "+quote(table.Name))
			if err != nil {
				return err
			}
			beside := Table{Place: view.Name + "." + table.Name, Role: table.Role, File: r.databases[d].File}
			for _, row := range rows {
				beside.Real = append(beside.Real, r.plain(row))
			}
			for _, row := range table.Rows {
				beside.Predicted = append(beside.Predicted, r.scenario.Values.Text(row.Body))
			}
			r.addTable(beside)
		}
		return nil
	})
}

func (r *referee) compareProvider(i int, view *sim.ProviderView) error {
	return r.reopen(r.providers[i].mailbox, func(db *sql.DB) error {
		mails := Table{Place: view.Name, Role: "mailbox", File: r.providers[i].mailbox}
		keys := Table{Place: view.Name + " keys", File: r.providers[i].mailbox}
		found, err := r.readJSON(db, `SELECT "to", body FROM mails`)
		if err != nil {
			return err
		}
		for _, row := range found {
			mails.Real = append(mails.Real, "to "+row[0]+": "+row[1])
		}
		for _, m := range view.Mails {
			mails.Predicted = append(mails.Predicted, "to "+r.scenario.Values.Text(m.To)+": "+r.scenario.Values.Text(m.Body))
		}
		if found, err = r.readJSON(db, "SELECT key, body FROM keys"); err != nil {
			return err
		}
		for _, row := range found {
			keys.Real = append(keys.Real, row[0])
		}
		for _, k := range view.Keys {
			keys.Predicted = append(keys.Predicted, r.scenario.Values.Text(k.Key))
		}
		r.addTable(mails)
		if len(keys.Real)+len(keys.Predicted) > 0 {
			r.addTable(keys)
		}
		r.addRequests(&r.providers[i])
		return nil
	})
}

// readJSON reads rows of two JSON texts and prints them as handlers write them.
func (r *referee) readJSON(db *sql.DB, query string) ([][2]string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list [][2]string
	for rows.Next() {
		var texts, printed [2]string
		if err := rows.Scan(&texts[0], &texts[1]); err != nil {
			return nil, err
		}
		for i, text := range texts {
			var v value
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				return nil, err
			}
			printed[i] = r.plain(v)
		}
		list = append(list, printed)
	}
	return list, rows.Err()
}

func (r *referee) plain(v value) string { return r.scenario.Values.Text(inside(r.scenario.Values, v)) }

// addTable compares two multisets of rows.
func (r *referee) addTable(t Table) {
	slices.Sort(t.Real)
	slices.Sort(t.Predicted)
	for _, line := range t.lines() {
		if line.found != line.predicted {
			r.differ("rows of "+t.Place, orNothing(line.predicted), orNothing(line.found))
		}
	}
	r.report.Tables = append(r.report.Tables, t)
}

func orNothing(row string) string {
	if row == "" {
		return "no such row"
	}
	return row
}

func (r *referee) addRequests(p *party) {
	q := p.requests
	q.Provider = p.name
	r.differ("requests sent to "+p.name, fmt.Sprint(q.Predicted), fmt.Sprint(q.Real))
	r.differ("requests read by "+p.name, fmt.Sprint(q.PredictedRead), fmt.Sprint(q.RealRead))
	r.report.Requests = append(r.report.Requests, q)
}
