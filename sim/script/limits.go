package script

// The limits of learners' text. Each is far above what a scenario that teaches
// something needs, and each ends in an error that names it. What they can't
// bound is told in the package comment.
const (
	// maxSource: the longest incident that we told in a scenario took about
	// 6 KB; a share link of more would not fit in a URL anyway.
	maxSource = 64 << 10

	// maxLoadSteps bounds the top level, which only declares parties. A step
	// takes about 20 ns, so this is a few milliseconds.
	maxLoadSteps = 200_000

	// maxRunSteps bounds one interpretation of a handler from the top.
	maxRunSteps = 50_000

	// maxCalls bounds the questions of one run of a handler. A longer list of
	// answers would make every later interpretation slower, and a run with
	// more calls could not be read in a diagram.
	maxCalls = 200

	// maxReplays is how many interpretations are spent per handler and input
	// on finding out which answer lists leave the same program. A loop of five attempts needs about 2,300.
	maxReplays = 4096

	// maxMergeSteps bounds the same work in steps of the interpreter, a
	// question counting as callSteps of them: about half a second.
	maxMergeSteps = 10_000_000
	callSteps     = 100

	// maxNodes bounds the places of all handlers of a scenario together: about
	// 100 MB at the worst. The largest scenario that is still readable has a
	// few thousand.
	maxNodes = 200_000

	// maxCallDepth bounds functions that call functions; Starlark itself
	// forbids recursion, so only attempt(attempt, attempt, ...) gets deep.
	maxCallDepth = 50

	// A world has a slot per process, queue, table, ... and at most 64 slots,
	// so that a set of slots is one word; the maxima below stay under that.
	maxProcesses = 16
	maxQueues    = 8
	maxDatabases = 4
	maxTables    = 16
	maxProviders = 4

	// maxIntents: an observer's label is a byte, and a run with more wishes is
	// a wall of lines.
	maxIntents = 32

	// maxAttempts bounds delivery counters: the world keeps them in a byte.
	maxAttempts = 200

	// maxPrefetch bounds buffers and batches: each delivery in them is a part
	// of a state, and a few show what many would.
	maxPrefetch = 100

	// maxFaults is the largest budget: the world counts it in a byte.
	maxFaults = 100

	// maxSeconds is ten years: longer than any retention that is real.
	maxSeconds = 10 * 365 * 24 * 3600

	// maxNumber is 2^53: every number up to it survives JSON and JavaScript
	// unchanged, and sums of amounts stay far from the end of an int64.
	maxNumber = 1 << 53

	// maxText bounds a text in a body, a row or fail(...), in bytes.
	maxText = 1000

	// maxFields bounds the named parts of a body or row.
	maxFields = 32

	// maxGiven bounds rows that stand from the start, and maxNumberOfRows a
	// select's limit: more rows than fit on a screen teach nothing.
	maxGiven        = 32
	maxNumberOfRows = 1000

	// maxAlternatives bounds the values of any_of.
	maxAlternatives = 8

	// maxNesting bounds how deeply an expression holds others. The parser
	// bounds brackets by itself, but not 1 + 1 + 1 + ..., and the compiler
	// needs the square of its length: with 64 KB of it, half a minute.
	maxNesting = 1000

	// maxRange bounds range(n): a longer loop could not end within maxRunSteps.
	maxRange = 10_000

	// maxSize is how many bytes and elements a text or a list may hold where
	// an operation could make it grow (see guard.go).
	maxSize = 4096
)
