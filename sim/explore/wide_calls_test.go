package explore_test

import (
	"fmt"
	"strings"
)

// body writes n statements or groups of them.
func (g *wide) body(at scope, n int) {
	for range n {
		switch pick := g.rng.IntN(12); {
		case pick < 4:
			g.rows(at)
		case pick < 6 && !at.tx:
			g.transaction(at)
		case pick == 6 && g.mail:
			g.email(at)
		case pick < 9 && g.broker != "" && (at.role != "consumer" || g.chance(4)):
			g.post(at)
		case pick == 9 && at.role == "consumer" && g.broker != "log":
			g.lease(at)
		case pick == 10:
			g.runtime(at)
		default:
			g.statement(at)
		}
	}
}

// store is what statements are made on.
func (at scope) store() string {
	if at.tx {
		return "tx"
	}
	return "store"
}

// attempted catches the call's error, now and then.
func (g *wide) attempted(at scope, call, args string) {
	if g.chance(3) {
		g.line(at.depth, "attempt(%s, %s)", call, args)
		return
	}
	g.line(at.depth, "%s(%s)", call, args)
}

// statement is one about a single row.
func (g *wide) statement(at scope) {
	s := at.store()
	if g.sum && g.chance(4) {
		g.sums(at)
		return
	}
	switch g.rng.IntN(9) {
	case 0, 1:
		g.attempted(at, s+".insert", fmt.Sprintf(`"done", id = %s, n = 1%s`, at.id, at.of))
	case 2:
		g.attempted(at, s+".insert", fmt.Sprintf(`"work", id = %s, status = "new", tries = 0%s%s`, at.id, g.maybe(3, `, conflict = "error"`, `, at = after(12)`), at.of))
	case 3:
		g.attempted(at, s+".update", fmt.Sprintf(`"work", %s, status = %q, tries = plus(1)%s`, at.id, g.one("claimed", "done"), g.maybe(4, `, at = after(7)`)))
	case 4:
		v := g.name()
		g.line(at.depth, `%s = %s.get("work", %s%s)`, v, s, at.id, map[bool]string{true: g.maybe(2, ", lock = True")}[g.pg && at.tx])
		g.line(at.depth, `if %s != None and %s.status == "new":`, v, v)
		g.line(at.depth+1, `%s.update("work", %s, status = "done")`, s, at.id)
	case 5:
		g.line(at.depth, `if not %s.exists("done", id = %s):`, s, at.id)
		g.line(at.depth+1, `%s.insert("done", id = %s, n = 1%s)`, s, at.id, at.of)
	case 6:
		if g.cause {
			g.attempted(at, s+".insert", fmt.Sprintf(`"orders", id = %s%s`, at.id, at.of))
			return
		}
		g.line(at.depth, `%s.delete("work", %s)`, s, at.id)
	case 7:
		if g.number {
			g.line(at.depth, `%s.insert("seq", op = %s%s)`, s, at.id, at.of)
			return
		}
		g.line(at.depth, `%s.put("work", id = %s, status = "new", tries = 0%s)`, s, at.id, at.of)
	default:
		if g.pg && !at.tx {
			g.line(at.depth, `if store.try_lock("l"):`)
			g.line(at.depth+1, `%s`, g.one("work(5)", `store.insert("work", id = "l", status = "new", tries = 0, of = None)`))
			g.line(at.depth+1, `store.unlock("l")`)
			return
		}
		g.line(at.depth, `%s.count("work", status = "new")`, s)
	}
}

// sums is a change of a total: worked out in the database, or in the handler.
func (g *wide) sums(at scope) {
	s := at.store()
	switch g.rng.IntN(4) {
	case 0:
		g.attempted(at, s+".add", fmt.Sprintf(`"sums", "t", n = 1%s`, at.of))
	case 1:
		g.line(at.depth, `%s.put("sums", id = "t", n = plus(1)%s)`, s, at.of)
	default:
		v := g.name()
		g.line(at.depth, `%s = %s.get("sums", "t")`, v, s)
		g.line(at.depth, `%s.put("sums", id = "t", n = (%s.n if %s else 0) + 1%s)`, s, v, v, at.of)
	}
}

// rows is a statement about several rows, and what is done for each.
func (g *wide) rows(at scope) {
	s, v := at.store(), g.name()
	matches := g.one(`status = "new"`, `status = any_of("new", "claimed")`, `status = not_("done")`, `tries = below(2)`, `status = "claimed", id = older(20)`, `status = "new", id = younger(20)`, `at = due()`, `at = not_due()`)
	where := g.one(`{"status": "new"}`, `{"tries": below(2)}`, `{"status": "claimed", "at": due()}`)
	inner := at
	inner.depth++
	inner.id, inner.of, inner.whose = v+".id", ", of = "+v, v
	if at.role == "service" || at.role == "consumer" {
		inner.of = map[bool]string{true: ", of = " + v, false: ", of = " + at.whose}[g.chance(2)]
	}
	switch g.rng.IntN(6) {
	case 0:
		g.line(at.depth, `%s.change("work", where = %s, status = "done", tries = plus(1)%s)`, s, where, at.of)
	case 1:
		g.line(at.depth, `%s.remove("work", %s)`, s, matches)
	case 2, 3:
		g.line(at.depth, `%s = %s.claim("work", where = %s, status = "claimed", tries = plus(1)%s)`, v, s, where, g.maybe(3, `, at = after(12)`))
		g.line(at.depth, `if %s:`, v)
		g.inside(inner)
	default:
		g.line(at.depth, `for %s in %s.select("work", %s%s):`, v, s, matches, g.maybe(2, ", limit = 1", `, order = "status"`))
		g.inside(inner)
	}
}

// inside is what is done for one row.
func (g *wide) inside(at scope) {
	s := at.store()
	switch g.rng.IntN(6) {
	case 0:
		g.line(at.depth, `%s(%s)`, g.one("hand_over", "withdraw"), at.whose)
	case 1:
		if g.mail {
			g.email(at)
		}
	case 2:
		if g.broker != "" {
			g.post(at)
		}
	case 3:
		g.line(at.depth, "work(5)")
	}
	g.line(at.depth, `%s.insert("done", id = %s, n = 1%s)`, s, at.id, at.of)
	g.line(at.depth, `%s.update("work", %s, status = "done")`, s, at.id)
}

func (g *wide) transaction(at scope) {
	mode := g.maybe(2, `mode = "deferred"`, `mode = "exclusive"`)
	if g.pg {
		mode = g.maybe(2, `isolation = "read_committed"`, `isolation = "repeatable_read"`, `isolation = "serializable"`)
	}
	g.line(at.depth, "tx = store.begin(%s)", mode)
	at.tx = true
	g.statement(at)
	if g.chance(4) {
		g.line(at.depth, "s = tx.savepoint()")
		g.statement(at)
		g.line(at.depth, "s.rollback()")
	} else if g.chance(2) {
		g.rows(at)
	} else {
		g.statement(at)
	}
	if g.chance(4) {
		g.line(at.depth, "work(5)")
	}
	g.line(at.depth, "%s", g.one("tx.commit()", "tx.commit()", "attempt(tx.commit)", "tx.rollback()"))
}

func (g *wide) email(at scope) {
	key, ref := "", ""
	if g.keys {
		key = g.maybe(2, ", key = "+at.id, `, key = "k"`, ", key = fresh_id()")
	}
	if g.lookup {
		ref = g.maybe(2, ", ref = "+at.id)
	}
	switch {
	case g.lookup && g.chance(2):
		g.line(at.depth, `if not mail.lookup(%s):`, at.id)
		g.line(at.depth+1, `mail.send("ann", ref = %s%s%s)`, at.id, key, at.of)
	case g.chance(4):
		of := at.of
		if of == "" {
			of = ", of = " + at.whose
		}
		g.attempted(at, "mail.send_batch", fmt.Sprintf(`[message("ann"%s), message("bob"%s)]%s`, of, of, key))
	default:
		g.attempted(at, "mail.send", fmt.Sprintf(`"ann"%s%s, n = 1%s`, key, ref, at.of))
	}
}

func (g *wide) post(at scope) {
	if g.broker == "log" {
		if g.chance(4) {
			g.line(at.depth, "t = q.begin()")
			g.line(at.depth, "t.publish(%s, n = 1%s)", at.id, at.of)
			if at.role == "consumer" && g.chance(2) {
				g.line(at.depth, "t.send_offsets(%s)", strings.TrimSuffix(at.id, ".op"))
			}
			g.line(at.depth, "%s", g.one("t.commit()", "attempt(t.commit)", "t.abort()"))
			return
		}
		g.attempted(at, "q.publish", fmt.Sprintf("%s%s, n = 1%s", at.id, g.maybe(4, ", confirm = False", `, key = "x"`), at.of))
		return
	}
	finer := g.maybe(3, ", id = "+at.id, `, id = "same"`, `, key = "g"`, ", delay = 5", ", ttl = 10", ", mandatory = True", ", confirm = False")
	if g.broker == "sqs-fifo" {
		finer = `, key = "g"` + g.maybe(2, ", id = "+at.id)
	}
	switch g.rng.IntN(6) {
	case 0:
		h := g.name()
		g.line(at.depth, "%s = q.send(%s%s, n = 1%s)", h, at.id, finer, at.of)
		g.line(at.depth, "%s", g.one(h+".wait()", "attempt("+h+".wait)", "pass"))
	case 1:
		h := g.name()
		g.line(at.depth, "%s = q.publish(%s%s, n = 1%s)", h, at.id, finer, at.of)
		g.line(at.depth, "%s", g.one("attempt("+h+".cancel)", h+".cancel()", "store.count(\"work\") if "+h+".duplicate else None"))
	default:
		g.attempted(at, "q.publish", fmt.Sprintf("%s%s, n = 1%s", at.id, finer, at.of))
	}
}

func (g *wide) lease(at scope) {
	d := at.whose
	switch g.rng.IntN(6) {
	case 0:
		g.line(at.depth, "keep(%s, 4)", d)
	case 1:
		g.attempted(at, d+".extend", "")
	case 2:
		g.line(at.depth, "if %s.attempt > 1:", d)
		g.line(at.depth+1, "%s.%s", d, g.one("reject()", "ack()"))
		g.line(at.depth+1, "%s", map[bool]string{true: "continue", false: "return"}[g.batch])
	case 3:
		g.line(at.depth, "if %s.redelivered:", d)
		g.line(at.depth+1, `store.insert("done", id = %s, n = 1%s)`, at.id, at.of)
	default:
		g.line(at.depth, "work(%d)", 5+10*g.rng.IntN(2))
	}
}

func (g *wide) runtime(at scope) {
	switch g.rng.IntN(8) {
	case 0:
		g.line(at.depth, `fail("no")`)
	case 7:
		g.line(at.depth, `if stopping():`)
		g.line(at.depth+1, `return`)
	case 1:
		g.line(at.depth, `work(one_of(3, 25))`)
	case 2:
		g.line(at.depth, `if memory.get("seen") != %s:`, at.id)
		g.line(at.depth+1, `memory.put("seen", %s)`, at.id)
	case 3:
		g.line(at.depth, `sleep(5)`)
	case 4:
		if at.whose != "" {
			g.line(at.depth, `%s(%s)`, g.one("hand_over", "withdraw"), at.whose)
			return
		}
		g.line(at.depth, `work(5)`)
	case 5:
		g.line(at.depth, `%s`, g.one(`store.snapshot("s")`, `store.restore("s")`))
	default:
		g.attempted(at, "store.insert", fmt.Sprintf(`"work", id = fresh_id(), status = "new", tries = 0%s`, at.of))
	}
}
