package workbook

import (
	"slices"

	"github.com/ackademy/ackademy/sim"
	"github.com/ackademy/ackademy/web"
)

// Tables: committed rows with what the last step changed, and beside them what
// open transactions hold back.

func (p *present) tables() []web.Table {
	var list []web.Table
	for d, db := range p.now.Databases {
		for t, view := range db.Tables {
			table := web.Table{Database: db.Name, Name: view.Name, Role: view.Role}
			pending := p.pending(db, view)
			columns := p.columns(view, pending)
			table.Columns = columns
			for _, row := range view.Rows {
				table.Rows = append(table.Rows, web.TableRow{Cells: p.cells(row.Body, columns), State: "committed",
					Change: p.change(p.before.Databases[d].Tables[t], view, row), Intent: p.intentName(row.Intent)})
			}
			for _, held := range pending {
				table.Rows = append(table.Rows, web.TableRow{Cells: p.cells(held.body, columns), State: "pending",
					Change: held.change, By: held.by, Intent: p.intentName(held.intent)})
			}
			list = append(list, table)
		}
	}
	return list
}

// held is a row as an open transaction would leave it.
type held struct {
	body       sim.ValueID
	change, by string
	intent     int
}

// pending works out what the open transactions would do to a table.
func (p *present) pending(db sim.DatabaseView, table sim.TableView) []held {
	var list []held
	for _, tx := range db.Transactions {
		for _, write := range tx.Pending {
			if write.Table != table.Name {
				continue
			}
			h := held{body: write.Body, change: "inserted", by: tx.Process, intent: write.Intent}
			if table.Key != "" {
				if _, has := p.sc.Values.Field(h.body, table.Key); !has {
					h.body = p.sc.Values.With(h.body, table.Key, write.Key)
				}
			}
			stands := slices.ContainsFunc(table.Rows, func(r sim.RowView) bool {
				key, _ := p.sc.Values.Field(r.Body, table.Key)
				return table.Key != "" && key == write.Key
			})
			switch {
			case write.Verb == "delete":
				h.change = "deleted"
			case stands:
				h.change = "updated"
			}
			list = append(list, h)
		}
	}
	return list
}

// columns lists a table's columns: the key, then the others by name.
func (p *present) columns(table sim.TableView, pending []held) []string {
	seen := map[string]bool{}
	add := func(body sim.ValueID) {
		for _, f := range p.sc.Values.Get(body).Fields {
			seen[f.Name] = true
		}
	}
	for _, row := range table.Rows {
		add(row.Body)
	}
	for _, h := range pending {
		add(h.body)
	}
	var names []string
	for name := range seen {
		if name != table.Key {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if table.Key != "" {
		names = append([]string{table.Key}, names...)
	}
	return names
}

func (p *present) cells(body sim.ValueID, columns []string) []string {
	var cells []string
	for _, name := range columns {
		cell := ""
		if v, has := p.sc.Values.Field(body, name); has {
			cell = p.plain(v)
		}
		cells = append(cells, cell)
	}
	return cells
}

// change tells what the last step did to a committed row.
func (p *present) change(before, now sim.TableView, row sim.RowView) string {
	switch {
	case count(before.Rows, row) >= count(now.Rows, row):
		return ""
	case now.Key == "":
		return "inserted"
	}
	key, _ := p.sc.Values.Field(row.Body, now.Key)
	for _, old := range before.Rows {
		if k, _ := p.sc.Values.Field(old.Body, now.Key); k == key {
			return "updated"
		}
	}
	return "inserted"
}
