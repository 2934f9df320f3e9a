package script

import (
	"strings"
	"unicode"
)

// What somebody may want to say and can't, with the nearest thing that can be
// said. Entries leave these tables when the language learns them.

// notYet names what the language will say one day, and the nearest thing that
// it can say now.
var notYet = map[string]string{
	"choose": "one_of(10, 65) in a handler leaves a value open, and a check tries each: amount = one_of(10, 65) in the service, work(one_of(10, 65)). For what stands at the top write one scenario per value.",
	"topic":  "log(...) has partitions and consumer groups, queue(...) a settle per message.",
	"daemon": "consumer(handler, queue = ...) receives by itself; job(handler, every = ...) repeats by itself.",
	"now":    "A handler has no clock; work(seconds) and sleep(seconds) let time pass.",
}

// notYetMethods is notYet for methods.
var notYetMethods = map[string]string{
	"keep":      "keep(delivery, every) is a call of its own.",
	"claim":     "consumer(..., claim_idle = 60) takes over what others left; store.claim(table, where = {...}) claims a row.",
	"receive":   "consumer(handler, queue = ...) receives by itself, with batch = 10 several at once.",
	"query":     "get(table, key) reads one row, select(table, column = value) all that match.",
	"execute":   "insert, put, update, add, delete, get, exists, select, count, change, remove and claim are the statements.",
	"increment": "add(table, key, column = amount) adds to what stands.",
}

// notYetArguments is notYet for parameters, by call and name.
var notYetArguments = map[string]string{
	"table unique": "key = \"column\" makes one column unique.",
	"work takes":   "work(seconds) takes the time that it says.",
}

// otherSystems are profiles that are not there yet, with the nearest one.
var otherSystems = map[string]string{
	"kafka":                 "Kafka is a log: events = log(\"events\", like = \"kafka\").",
	"redis":                 "Say what of it: \"redis-streams\", a stream with a consumer group.",
	"rabbitmq":              "Say which of its queues: \"rabbitmq-classic\" or \"rabbitmq-quorum\".",
	"sqs":                   "Say which of its queues: \"sqs-standard\" or \"sqs-fifo\".",
	"mysql":                 "\"postgres\" is the nearest thing.",
	"postgres-serializable": "Write like = \"postgres\", isolation = \"serializable\".",
}

// python is words of Python that Starlark doesn't have.
var python = map[string]string{
	"import":   "A scenario is one file, and all its calls are there already.",
	"from":     "A scenario is one file, and all its calls are there already.",
	"class":    "Use functions; what must be remembered stands in a table.",
	"try":      "attempt(call, ...) gives the outcome of a call instead of ending the handler.",
	"except":   "attempt(call, ...) gives the outcome of a call instead of ending the handler.",
	"finally":  "At the end of a handler an open transaction is rolled back by itself.",
	"raise":    "fail(\"text\") ends a handler with an error.",
	"assert":   "Write if ...: fail(\"text\"). What a run must not do is said with expect(...).",
	"with":     "Write tx = store.begin() and, at the end, tx.commit().",
	"is":       "Write == instead of is.",
	"global":   "What must be remembered stands in a table of a database.",
	"nonlocal": "What must be remembered stands in a table of a database.",
	"del":      "Leave it out; store.delete(table, key) removes a row.",
	"yield":    "Write a list.",
	"async":    "Every call waits for its answer; processes run side by side by themselves.",
	"await":    "Every call waits for its answer.",
	"match":    "Write if ...: elif ...: else: ...",
}

// pythonHint returns what to write instead of the Python that an error found.
func (s *source) pythonHint(at place) string {
	if at.line < 1 || at.line > len(s.lines) {
		return ""
	}
	line := []rune(s.lines[at.line-1])
	from := min(max(at.col-1, 0), len(line))
	end := from
	for end < len(line) && (unicode.IsLetter(line[end]) || line[end] == '_') {
		end++
	}
	if hint, ok := python[string(line[from:end])]; ok {
		return hint
	}
	words := strings.Fields(string(line))
	if len(words) > 0 {
		if hint, ok := python[strings.TrimSuffix(words[0], ":")]; ok {
			return hint
		}
	}
	for _, quote := range []string{"f\"", "f'"} {
		if strings.Contains(string(line), quote) {
			return "Texts with f are not there: write \"work-%s\" % name."
		}
	}
	return ""
}
