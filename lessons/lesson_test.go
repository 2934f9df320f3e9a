package lessons

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The sample lesson uses every construct once; a reviewer reads the golden
// files to see what a reader and the claims test would get.
func TestLoadGolden(t *testing.T) {
	all, err := Load(os.DirFS("testdata/course"))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 1 {
		t.Fatalf("got %d lessons, want 1", len(all))
	}
	golden(t, "testdata/sample.html", all[0].HTML)
	all[0].HTML = ""
	data, err := json.MarshalIndent(all[0], "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/sample.json", string(data)+"\n")
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.FromSlash(file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs (run with -update and read the change); got:\n%s", file, got)
	}
}

// Each mistake is found at its line, with a code that a test or a tool can
// hold on to. The front matter takes lines 1 to 4.
func TestMistakes(t *testing.T) {
	const head = "---\ntitle: T\nsummary: S\n---\n"
	for _, test := range []struct{ name, text, want string }{
		{"no front matter", "# Hello\n", "01-a/lesson.md:1: a lesson starts with its title and summary between two lines of --- (no_front_matter)"},
		{"open front matter", "---\ntitle: T\n", "01-a/lesson.md:1: the front matter is never closed (no_front_matter)"},
		{"no summary", "---\ntitle: T\n---\n", "01-a/lesson.md:1: the front matter has no summary (bad_front_matter)"},
		{"unknown key", "---\ntitle: T\norder: 3\n---\n", `01-a/lesson.md:3: there is no front matter named "order" (bad_front_matter)`},
		{"key twice", "---\ntitle: T\ntitle: U\n---\n", "01-a/lesson.md:3: title is given twice (bad_front_matter)"},
		{"no value", "---\ntitle:\n---\n", `01-a/lesson.md:2: "title:" is not of the form key: value (bad_front_matter)`},
		{"raw block", head + "\n<script>alert(1)</script>\n", "01-a/lesson.md:6: raw HTML is not shown in a lesson (raw_html)"},
		{"raw inline", head + "\nfine\nand <b>bold</b>\n", "01-a/lesson.md:7: raw HTML is not shown in a lesson (raw_html)"},
		{"no scenario", head + ":::simulation\n:::\n", "01-a/lesson.md:5: the simulation names no scenario (bad_directive)"},
		{"absent scenario", head + ":::simulation scenario=b.star\n:::\n", "01-a/lesson.md:5: there is no scenario 01-a/b.star (no_scenario)"},
		{"scenario outside", head + ":::simulation scenario=../../b.star\n:::\n", "01-a/lesson.md:5: there is no scenario ../b.star (no_scenario)"},
		{"never closed", head + ":::simulation scenario=a.star\n", "01-a/lesson.md:5: the simulation is never closed (bad_directive)"},
		{"unknown directive", head + ":::simulaton scenario=a.star\n:::\n", `01-a/lesson.md:5: there is no directive named "simulaton" (unknown_directive)`},
		{"unknown attribute", head + ":::simulation scenario=a.star speed=2\n:::\n", "01-a/lesson.md:5: a simulation has no speed (bad_directive)"},
		{"attribute form", head + ":::simulation scenario=a.star now\n:::\n", `01-a/lesson.md:5: "now" is not of the form key=value (bad_directive)`},
		{"at beyond", head + ":::simulation scenario=a.star at=1\n:::\n", "01-a/lesson.md:5: at=1 lies beyond the 0 steps (bad_directive)"},
		{"at no number", head + ":::simulation scenario=a.star at=x\n:::\n", "01-a/lesson.md:5: at=x is not a number of steps (bad_directive)"},
		{"name form", head + ":::simulation scenario=a.star name=\"A b\"\n:::\n", `01-a/lesson.md:5: "A b" can't be a simulation's name (bad_directive)`},
		{"name twice", head + ":::simulation scenario=a.star\n:::\n\n:::simulation scenario=a.star\n:::\n", `01-a/lesson.md:8: two simulations are named "a" (name_taken)`},
		{"other version", head + ":::simulation scenario=a.star\nexpect: lost\nv2\nworker1 ack\n:::\n", "01-a/lesson.md:7: this is a schedule of version v2; this program reads v1 (bad_schedule)"},
		{"claim form", head + ":::simulation scenario=a.star\nexpect: Lost!\n:::\n", `01-a/lesson.md:6: "Lost!" is not a claim (bad_claim)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load(fstest.MapFS{
				"01-a/lesson.md": {Data: []byte(test.text)},
				"01-a/a.star":    {Data: []byte("")},
			})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// A schedule is read as everywhere else: with or without its version, one step
// a line or several on one.
func TestScheduleForms(t *testing.T) {
	for _, form := range []string{
		"worker1 ack\nworker1 begin\n",
		"v1\nworker1 ack\nexpect: lost\n# in between\nworker1   begin\n",
		"v1; worker1 ack; worker1 begin\n",
		"worker1 ack;\n\n;worker1 begin\n",
	} {
		all, err := Load(fstest.MapFS{
			"01-a/lesson.md": {Data: []byte("---\ntitle: T\nsummary: S\n---\n:::simulation scenario=a.star at=2\n" + form + ":::\n")},
			"01-a/a.star":    {Data: []byte("")},
		})
		if err != nil {
			t.Errorf("%q: %v", form, err)
			continue
		}
		if got := all[0].Simulations[0].Steps; !slices.Equal(got, []string{"worker1 ack", "worker1 begin"}) {
			t.Errorf("%q: %q", form, got)
		}
	}
}

// Folders that are no lessons are passed over, and two lessons can't claim
// one place in the course.
func TestFolders(t *testing.T) {
	text := &fstest.MapFile{Data: []byte("---\ntitle: T\nsummary: S\n---\n")}
	all, err := Load(fstest.MapFS{
		"02-b/lesson.md": text, "01-a/lesson.md": text, "testdata/lesson.md": text,
		"03-scenarios-only/a.star": {}, "1-x/lesson.md": text, "lesson.go": {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].Slug != "01-a" || all[1].Slug != "02-b" || all[1].Number != 2 {
		t.Errorf("got %+v", all)
	}
	_, err = Load(fstest.MapFS{"01-a/lesson.md": text, "01-b/lesson.md": text})
	if err == nil || !strings.Contains(err.Error(), "number_taken") {
		t.Errorf("got %v, want number_taken", err)
	}
}

// Links to scripts are left without their address by the renderer.
func TestDangerousLink(t *testing.T) {
	all, err := Load(fstest.MapFS{"01-a/lesson.md": {Data: []byte("---\ntitle: T\nsummary: S\n---\n[x](javascript:alert(1))\n")}})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(all[0].HTML, "javascript") {
		t.Errorf("the address survived: %s", all[0].HTML)
	}
}

// The shipped lessons load. What they claim is checked elsewhere, with the
// engine.
func TestShippedLoad(t *testing.T) {
	if _, err := Load(Files()); err != nil {
		t.Error(err)
	}
}
