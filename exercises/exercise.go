package exercises

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// content holds everything about the exercises and the kit, so that a binary
// alone can hand them out and grade them.
//
//go:embed 01-transactional-sink kit outside
var content embed.FS

// Exercise is one manifest, exercises/NN-slug/exercise.json. Paths in it are
// relative to its folder.
type Exercise struct {
	ID         string            `json:"id"` // "01"
	Slug       string            `json:"-"`  // the folder's name, "01-transactional-sink"
	Title      string            `json:"title"`
	Kind       string            `json:"kind"`       // "build" so far
	Statement  string            `json:"statement"`  // Markdown for the learner
	Schema     string            `json:"schema"`     // SQL that makes the file each run starts from
	Stub       string            `json:"stub"`       // where the learner starts; must fail
	Solution   string            `json:"solution"`   // must pass
	Right      []string          `json:"right"`      // other programs that must pass
	Deliveries []Intent          `json:"deliveries"` // what the broker hands out, in order
	Hints      []string          `json:"hints"`      // from vague to plain
	Next       map[string]string `json:"next"`       // verdict to next step
	Wrong      []WrongAnswer     `json:"wrong"`
}

// Intent is a wish of the business: an operation id and its amount. Two equal
// intents in a list are one wish, delivered twice.
type Intent struct {
	Operation string `json:"operation"`
	Amount    int64  `json:"amount"`
}

// WrongAnswer is a plausible program that must fail, and why.
type WrongAnswer struct {
	Folder  string `json:"folder"`
	Verdict string `json:"verdict"`      // a word of Finding.Verdict
	Stage   string `json:"stage"`        // the stage that must find it
	At      string `json:"at,omitempty"` // the call before which the kill must strike
}

// List returns all exercises in order of their ids.
func List() []Exercise {
	manifests, err := fs.Glob(content, "*/exercise.json")
	if err != nil {
		panic(err) // only a malformed pattern can cause this
	}
	slices.Sort(manifests)
	var list []Exercise
	for _, name := range manifests {
		exercise := Exercise{Slug: path.Dir(name)}
		if err := json.Unmarshal(read(name), &exercise); err != nil {
			panic(name + ": " + err.Error()) // embedded, and read by every test
		}
		list = append(list, exercise)
	}
	return list
}

// Find returns the exercise with an id ("01", "1") or a folder's name.
func Find(name string) (Exercise, error) {
	var known []string
	for _, exercise := range List() {
		if name == exercise.ID || name == exercise.Slug || "0"+name == exercise.ID {
			return exercise, nil
		}
		known = append(known, exercise.ID+" ("+exercise.Title+")")
	}
	return Exercise{}, inputError("no_such_exercise", "", "there is no exercise named "+quote(name),
		"Known: "+strings.Join(known, ", ")+".", nil)
}

// Text returns a file of the exercise's folder, such as its Statement.
func (e Exercise) Text(name string) string { return string(read(path.Join(e.Slug, name))) }

// read returns an embedded file. A missing one is a mistake in our manifests,
// which the tests read completely.
func read(name string) []byte {
	text, err := content.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return text
}
