package real

import (
	"context"
	"fmt"
	"strings"
)

// Statements about several rows, and what stands in the place of a column's
// value, as SQL.

// rows makes a statement about several rows.
func (f *file) rows(t *tableSetup, c *call) (*result, error) {
	where, values, err := conditions(c.Where)
	if err != nil {
		return nil, err
	}
	switch c.Verb {
	case "select":
		text := "SELECT * FROM " + quote(t.Name) + where + t.order(c)
		if c.Limit > 0 {
			text += fmt.Sprintf(" LIMIT %d", c.Limit)
		}
		found, err := readRows(f.conn, text, values...)
		if found == nil {
			found = []value{}
		}
		return &result{Code: "ok", Value: value{found}}, err
	case "count":
		var n int64
		err := f.conn.QueryRowContext(context.Background(), "SELECT count(*) FROM "+quote(t.Name)+where, values...).Scan(&n)
		return &result{Code: "ok", Value: value{n}}, err
	case "remove":
		return f.changed("DELETE FROM "+quote(t.Name)+where, values)
	}
	set, given, err := settings(quote(t.Name), c.Body)
	if err != nil {
		return nil, err
	}
	text := "UPDATE " + quote(t.Name) + " SET " + strings.Join(set, ", ")
	values = append(given, values...)
	if c.Verb == "change" {
		return f.changed(text+where, values)
	}
	key := quote(t.Key)
	text += " WHERE " + key + " = (SELECT " + key + " FROM " + quote(t.Name) + where + t.order(c) + " LIMIT 1) RETURNING *"
	claimed, err := readRows(f.conn, text, values...)
	if err != nil || len(claimed) == 0 {
		return &result{Code: "ok"}, err
	}
	return &result{Code: "ok", Value: claimed[0]}, nil
}

// changed makes a change whose answer is the number of rows.
func (f *file) changed(text string, values []any) (*result, error) {
	done, err := f.conn.ExecContext(context.Background(), text, values...)
	if err != nil {
		return nil, err
	}
	n, err := done.RowsAffected()
	return &result{Code: "ok", Value: value{n}}, err
}

// conditions writes a condition with WHERE before it, or nothing.
func conditions(where value) (string, []any, error) {
	record, _ := where.any.(map[string]value)
	var parts []string
	var values []any
	for _, name := range sortedNames(record) {
		part, more, err := condition(quote(name), record[name])
		if err != nil {
			return "", nil, err
		}
		parts, values = append(parts, part), append(values, more...)
	}
	if parts == nil {
		return "", nil, nil
	}
	return " WHERE " + strings.Join(parts, " AND "), values, nil
}

// condition says what a column must be. IS compares like = and knows what to do
// with a missing column.
func condition(column string, want value) (string, []any, error) {
	t, isTerm := want.any.(term)
	if !isTerm {
		if want.any == nil {
			return "(" + column + " IS NULL OR " + column + " IS x'6e756c6c')", nil, nil
		}
		return column + " IS ?", []any{stored(want)}, nil
	}
	switch t.Name {
	case "above", "below":
		sign := map[string]string{"above": ">", "below": "<"}[t.Name]
		return "(typeof(" + column + ") = 'integer' AND " + column + " " + sign + " ?)", []any{stored(t.Parts[0])}, nil
	case "not_", "any_of":
		var parts []string
		var values []any
		for _, one := range t.Parts {
			part, more, err := condition(column, one)
			if err != nil {
				return "", nil, err
			}
			parts, values = append(parts, part), append(values, more...)
		}
		text := "(" + strings.Join(parts, " OR ") + ")"
		if t.Name == "not_" {
			text = "NOT " + text
		}
		return text, values, nil
	}
	return "", nil, fmt.Errorf("%s is no condition", t.Name)
}

// settings writes what columns are set to; table is what stands before the
// name of a column that is read.
func settings(table string, body value) (set []string, values []any, err error) {
	record, _ := body.any.(map[string]value)
	for _, name := range sortedNames(record) {
		column := quote(name)
		n, isTerm, err := amount(record[name])
		if err != nil {
			return nil, nil, err
		}
		if isTerm {
			set, values = append(set, column+" = "+number(table+"."+column)+" + ?"), append(values, n)
			continue
		}
		set, values = append(set, column+" = ?"), append(values, stored(record[name]))
	}
	return set, values, nil
}

// amount is what a term adds.
func amount(v value) (n int64, isTerm bool, err error) {
	t, isTerm := v.any.(term)
	if !isTerm {
		return 0, false, nil
	}
	if len(t.Parts) == 1 {
		n, _ = t.Parts[0].any.(int64)
	}
	switch t.Name {
	case "plus":
		return n, true, nil
	case "minus":
		return -n, true, nil
	}
	return 0, true, fmt.Errorf("%s makes no value", t.Name)
}

// number reads a column as a number: one that the row does not have, or that
// holds none, counts as 0 (True as 1), as it does for the simulator.
func number(column string) string {
	return "CASE typeof(" + column + ") WHEN 'integer' THEN " + column + " ELSE " + column + " IS x'74727565' END"
}

// order is the simulator's order: missing columns first, then False and True,
// numbers, texts; then the key, or all columns.
func (t *tableSetup) order(c *call) string {
	var terms []string
	add := func(name string) {
		q := quote(name)
		terms = append(terms, "CASE typeof("+q+") WHEN 'null' THEN 0 WHEN 'blob' THEN "+q+" <> x'6e756c6c' WHEN 'integer' THEN 2 ELSE 3 END", "nullif("+q+", x'6e756c6c')")
	}
	if column, ok := c.Order.any.(string); ok {
		add(column)
	}
	if t.Key != "" {
		add(t.Key)
		return " ORDER BY " + strings.Join(terms, ", ")
	}
	for _, name := range t.Columns {
		terms = append(terms, quote(name)+" IS NULL")
		add(name)
	}
	if terms == nil {
		return ""
	}
	return " ORDER BY " + strings.Join(terms, ", ")
}
