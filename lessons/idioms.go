package lessons

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Idiom is a small scenario that shows one way to get something done once. It
// is a scenario to begin with: what it says in its first lines holds, and a
// test checks that.
type Idiom struct {
	Name     string // as in `ackademy new scenario --from NAME`; also its address
	Title    string // what it shows, in one line: "NAME: SENTENCE"
	Text     string // the whole file
	Scenario string // its path under the root
}

// Heading is the title without its sentence.
func (i Idiom) Heading() string {
	heading, _, _ := strings.Cut(i.Title, ": ")
	return heading
}

// Summary is the title's sentence.
func (i Idiom) Summary() string {
	_, sentence, found := strings.Cut(i.Title, ": ")
	if !found || sentence == "" {
		return i.Title
	}
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// Remark is what the first lines of the file say beyond the title; it may be
// empty.
func (i Idiom) Remark() string {
	doc, _, _ := strings.Cut(strings.TrimPrefix(i.Text, `"""`), `"""`)
	_, remark, _ := strings.Cut(doc, "\n")
	return strings.Join(strings.Fields(remark), " ")
}

// Idioms returns the shipped idioms in the order of their names.
func Idioms() []Idiom {
	list, err := LoadIdioms(shipped)
	if err != nil {
		panic(err) // they are part of the program
	}
	return list
}

// LoadIdioms reads the idioms under root, in the order of their names.
func LoadIdioms(root fs.FS) ([]Idiom, error) {
	files, err := fs.Glob(root, "idioms/*.star")
	if err != nil {
		return nil, fmt.Errorf("list idioms: %w", err)
	}
	var list []Idiom
	for _, file := range files {
		text, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Idiom{strings.TrimSuffix(path.Base(file), ".star"), strings.Trim(first, `"`+"\r"), string(text), file})
	}
	return list, nil
}
