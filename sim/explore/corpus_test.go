package explore_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// example is the text of a scenario that stands somewhere in the repository.
type example struct{ name, text string }

// corpus lists every scenario that is shipped, and those of the stories that
// tell the world's rules: together they use all that the language has.
func corpus(t testing.TB) []example {
	t.Helper()
	var list []example
	walk := func(root string, f func(path, text string)) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			f(path, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	walk("../../lessons", func(path, text string) {
		if strings.HasSuffix(path, ".star") && !strings.Contains(path, "testdata") {
			list = append(list, example{path, text})
		}
	})
	stories := 0
	walk("../testdata", func(path, text string) {
		for _, part := range strings.Split("\n"+text, "\nscenario\n")[1:] {
			if text, _, ok := strings.Cut(part, "\n----\n"); ok {
				list = append(list, example{path, text + "\n"})
				stories++
			}
		}
	})
	if stories < 100 || len(list) < stories+50 {
		t.Fatalf("only %d scenarios and %d stories", len(list)-stories, stories)
	}
	return list
}
