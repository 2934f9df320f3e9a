package lessons

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"testing"
	"testing/fstest"
)

// Every folder of the casebook has its place in the contents.
func TestContentCasebookContents(t *testing.T) {
	chapters, err := LoadCasebook(Files())
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, chapter := range chapters {
		if len(chapter.Cases) == 0 {
			t.Errorf("%q has no case", chapter.Title)
		}
		for _, c := range chapter.Cases {
			listed[c.Slug]++
			if len(c.Forms[len(c.Forms)-1].Change) == 0 {
				t.Errorf("%s: the repair changes nothing", c.Slug)
			}
		}
	}
	folders, err := fs.Glob(Files(), "casebook/i*")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if n := listed[path.Base(folder)]; n != 1 {
			t.Errorf("casebook/contents.txt has %s %d times", path.Base(folder), n)
		}
	}
}

// Mistakes are told with file, line and what to do.
func TestCasebookMistakes(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	whole := fstest.MapFS{
		"casebook/contents.txt":            file("# order\n\n== A chapter\ni01-one  It teaches this.\n"),
		"casebook/verdicts.txt":            file("i01-one/broken lost=1 done_once=unreached\ni01-one/fixed#2 stuck=0\n"),
		"casebook/i01-one/case.md":         file("# One\n\n## What happened\n\nThis.\n\n## Fix\n\nThat.\n"),
		"casebook/i01-one/broken.star":     file("a\n"),
		"casebook/i01-one/broken.schedule": file("v1\nworker1 ack\n"),
		"casebook/i01-one/fixed.star":      file("b\n"),
	}
	chapters, err := LoadCasebook(whole)
	if err != nil {
		t.Fatal(err)
	}
	forms := chapters[0].Cases[0].Forms
	if len(forms) != 2 || len(forms[0].Shows) != 1 || forms[1].Shows[0] != (Shown{"stuck", 0, 2}) || len(forms[0].Steps) != 1 {
		t.Errorf("forms: %+v", forms)
	}
	for _, test := range []struct {
		name, text string
		code       string
		line       int
	}{
		{"casebook/contents.txt", "i01-one It has no chapter.\n", "bad_contents", 1},
		{"casebook/contents.txt", "== A chapter\ni01-one\n", "bad_contents", 2},
		{"casebook/contents.txt", "== A chapter\n../i01-one teaches\n", "bad_contents", 2},
		{"casebook/contents.txt", "== A chapter\ni02-two It isn't there.\n", "no_case", 0},
		{"casebook/verdicts.txt", "i01-one/broken lost\n", "bad_verdict", 1},
		{"casebook/i01-one/case.md", "One\n\n## Fix\n\nThat.\n", "bad_case", 1},
		{"casebook/i01-one/case.md", "# One\n\nThis.\n\n## Fix\n\n<b>That</b>.\n", "raw_html", 7},
		{"casebook/i01-one/case.md", "# One\n\n:::simulation scenario=x.star\n:::\n\n## Fix\n", "bad_case", 3},
		{"casebook/i01-one/broken.schedule", "v1\n\x01\n", "bad_schedule", 2},
		{"casebook/i01-one/broken.schedule", "", "no_schedule", 0},
		{"casebook/i01-one/fixed.star", "", "no_scenario", 0},
	} {
		files := maps.Clone(whole)
		files[test.name] = file(test.text)
		if test.text == "" {
			delete(files, test.name)
		}
		_, err := LoadCasebook(files)
		var mistake *Error
		if !errors.As(err, &mistake) || mistake.Code != test.code || mistake.Line != test.line || mistake.Next == "" {
			t.Errorf("%s %q: %v", test.name, test.text, err)
		}
	}
	if chapters, err := LoadCasebook(fstest.MapFS{}); len(chapters) != 0 || err != nil {
		t.Errorf("nothing: %v, %v", chapters, err)
	}
}
