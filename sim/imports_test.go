package sim_test

import (
	"encoding/json"
	"os/exec"
	"path"
	"strings"
	"testing"
)

const module = "github.com/ackademy/ackademy"

// layers lists the packages from the pure middle outwards. A package imports
// only from its own line and the lines above, so that the world can be read,
// tested and trusted without anything that stands around it.
var layers = [][]string{
	{"sim"},
	{"sim/profile"},
	{"sim/schedule"},
	{"sim/explore"},
	{"sim/picture"},
	{"sim/script"},
	{"lessons"},
	{"exercises"},
	{"web"},
	{"cmd"},
}

// doors names the one place that may import each outside library, so that a
// change of library is a change of one package.
var doors = map[string][]string{
	"go.starlark.net":              {"sim/script"},
	"github.com/yuin/goldmark":     {"lessons"},
	"github.com/gorilla/websocket": {"web"},
	"modernc.org/sqlite":           {"exercises"},
	"database/sql":                 {"exercises"},
	"net/http":                     {"web", "exercises"},
}

// impure is what the world must not touch: time, chance, the outside and
// everything that makes the order of events a matter of luck.
var impure = []string{"time", "math/rand", "math/rand/v2", "os", "io", "net", "net/http", "sync", "sync/atomic", "runtime", "context", "unsafe", "reflect"}

type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Standard,Imports", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func local(importPath string) (string, bool) {
	rest, ok := strings.CutPrefix(importPath, module+"/")
	return rest, ok
}

func within(p, folder string) bool { return p == folder || strings.HasPrefix(p, folder+"/") }

// layerOf returns the line that a package stands on; the most exact one.
func layerOf(p string) int {
	best, length := -1, -1
	for i, line := range layers {
		for _, folder := range line {
			if within(p, folder) && len(folder) > length {
				best, length = i, len(folder)
			}
		}
	}
	return best
}

func TestImportsPointUpward(t *testing.T) {
	for _, p := range packages(t) {
		from, _ := local(p.ImportPath)
		if layerOf(from) < 0 {
			t.Errorf("%s stands on no line of the layers", from)
		}
		for _, imported := range p.Imports {
			to, ok := local(imported)
			if ok && layerOf(to) > layerOf(from) {
				t.Errorf("%s imports %s, which stands below it", from, to)
			}
		}
	}
}

func TestEachLibraryHasOneDoor(t *testing.T) {
	for _, p := range packages(t) {
		from, _ := local(p.ImportPath)
		for _, imported := range p.Imports {
			for library, places := range doors {
				if !within(imported, library) {
					continue
				}
				allowed := false
				for _, place := range places {
					allowed = allowed || within(from, place)
				}
				if !allowed {
					t.Errorf("%s imports %s; only %s may", from, imported, strings.Join(places, ", "))
				}
			}
		}
	}
}

func TestWorldIsPure(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != module+"/sim" {
			continue
		}
		for _, imported := range p.Imports {
			if strings.Contains(strings.Split(imported, "/")[0], ".") {
				t.Errorf("%s imports %s; the world uses the standard library only", path.Base(p.ImportPath), imported)
			}
			for _, bad := range impure {
				if imported == bad {
					t.Errorf("the world imports %s; it must not depend on anything but its arguments", imported)
				}
			}
		}
	}
}
