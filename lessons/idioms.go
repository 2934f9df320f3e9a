package lessons

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed idioms
var idioms embed.FS

// Idiom is a small scenario that shows one way to get something done once. It
// is a scenario to begin with: what it says in its first lines holds, and a
// test checks that.
type Idiom struct {
	Name  string // as in `ackademy new scenario --from NAME`
	Title string // what it shows, in one line
	Text  string // the whole file
}

// Idioms returns the idioms in the order of their names.
func Idioms() []Idiom {
	entries, err := fs.ReadDir(idioms, "idioms")
	if err != nil {
		panic(err) // they are part of the program
	}
	var list []Idiom
	for _, e := range entries {
		text, err := fs.ReadFile(idioms, path.Join("idioms", e.Name()))
		if err != nil {
			panic(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Idiom{strings.TrimSuffix(e.Name(), ".star"), strings.Trim(first, `"`), string(text)})
	}
	return list
}
