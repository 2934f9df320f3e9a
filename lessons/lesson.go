package lessons

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// Lesson is one lesson, ready to be served.
type Lesson struct {
	Slug        string // the folder's name, 01-ack-first; also its address
	Number      int    // the folder's number, its place in the course
	Title       string
	Summary     string // one sentence for the contents page
	HTML        string // the text; safe to put into a page, as raw HTML is refused
	Simulations []Simulation
}

// Simulation is one directive of a lesson's text.
type Simulation struct {
	Name     string // unique in its lesson
	Scenario string // path of the scenario under the lessons' root
	Steps    []string
	At       int // how many of Steps the reader finds taken
	Claims   []Claim
	Line     int // of the directive in lesson.md
}

// Claim says that a simulation's whole schedule leads to a verdict.
type Claim struct {
	Verdict string
	Intent  string // empty: some intent
	Line    int
}

// Error is a mistake in a lesson's text.
type Error struct {
	File    string
	Line    int // 0: the file as a whole
	Code    string
	Message string
	Next    string
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return fmt.Sprintf("%s: %s (%s): %s", where, e.Message, e.Code, e.Next)
}

var folderName = regexp.MustCompile(`^([0-9]{2})-[a-z0-9]+(-[a-z0-9]+)*$`)

// Load reads every lesson under root, in the order of their folders' names.
// It reports all mistakes at once, as *Error values joined together.
func Load(root fs.FS) ([]Lesson, error) {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, fmt.Errorf("list lessons: %w", err)
	}
	var (
		all      []Lesson
		mistakes []error
		owner    = map[int]string{}
	)
	for _, entry := range entries {
		match := folderName.FindStringSubmatch(entry.Name())
		if match == nil || !entry.IsDir() {
			continue
		}
		number := int(match[1][0]-'0')*10 + int(match[1][1]-'0')
		file := path.Join(entry.Name(), "lesson.md")
		source, err := fs.ReadFile(root, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a folder of scenarios without a text yet is no lesson
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		if other, taken := owner[number]; taken {
			mistakes = append(mistakes, &Error{File: file, Code: "number_taken",
				Message: fmt.Sprintf("lesson %02d exists already: %s", number, other),
				Next:    "Give one of the two folders another number."})
		}
		owner[number] = entry.Name()
		lesson, err := parse(root, entry.Name(), source)
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		lesson.Number = number
		all = append(all, lesson)
	}
	if len(mistakes) > 0 {
		return nil, errors.Join(mistakes...)
	}
	return all, nil
}

// frontMatter takes the block between two lines of "---" off the top. The
// rest keeps its line numbers: the block is replaced by empty lines.
func frontMatter(file string, source []byte) (fields map[string]string, rest []byte, err error) {
	lines := strings.SplitAfter(string(source), "\n")
	if strings.TrimRight(lines[0], "\r\n") != "---" {
		return nil, nil, &Error{File: file, Line: 1, Code: "no_front_matter",
			Message: "a lesson starts with its title and summary between two lines of ---",
			Next:    "Begin the file with ---, title: ..., summary: ..., ---."}
	}
	fields = map[string]string{}
	for i, line := range lines[1:] {
		number := i + 2
		text := strings.TrimSpace(line)
		if text == "---" {
			blank := strings.Repeat("\n", number)
			return fields, append([]byte(blank), strings.Join(lines[number:], "")...), nil
		}
		key, value, found := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		switch {
		case text == "":
			continue
		case !found || value == "":
			return nil, nil, &Error{File: file, Line: number, Code: "bad_front_matter",
				Message: fmt.Sprintf("%q is not of the form key: value", text),
				Next:    "Write title: ... or summary: ..., each on one line."}
		case key != "title" && key != "summary":
			return nil, nil, &Error{File: file, Line: number, Code: "bad_front_matter",
				Message: fmt.Sprintf("there is no front matter named %q", key),
				Next:    "Use title and summary. A lesson's place is its folder's number."}
		case fields[key] != "":
			return nil, nil, &Error{File: file, Line: number, Code: "bad_front_matter",
				Message: key + " is given twice", Next: "Keep one of the two."}
		}
		fields[key] = value
	}
	return nil, nil, &Error{File: file, Line: 1, Code: "no_front_matter",
		Message: "the front matter is never closed", Next: "End it with a line of ---."}
}
