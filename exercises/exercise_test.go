package exercises

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestManifests: what a manifest names exists, and its exercise can be judged.
func TestManifests(t *testing.T) {
	for _, exercise := range List() {
		if !strings.HasPrefix(exercise.Slug, exercise.ID+"-") || exercise.Title == "" || exercise.Kind != "build" {
			t.Errorf("%s: id %q, title %q, kind %q", exercise.Slug, exercise.ID, exercise.Title, exercise.Kind)
		}
		for _, name := range []string{exercise.Statement, exercise.Schema, exercise.Stub} {
			if exercise.Text(name) == "" {
				t.Errorf("%s: %s is empty", exercise.Slug, name)
			}
		}
		if len(exercise.Hints) < 3 || len(exercise.Wrong) < 8 {
			t.Errorf("%s: %d hints, %d wrong answers", exercise.Slug, len(exercise.Hints), len(exercise.Wrong))
		}
		for _, wrong := range exercise.Wrong {
			if exercise.Next[wrong.Verdict] == "" {
				t.Errorf("%s: no next step for %s", exercise.Slug, wrong.Verdict)
			}
		}
		checkAmounts(t, exercise)
		checkFolders(t, exercise)
	}
}

// checkAmounts: the judge tells effects apart by their amounts, so no two operations
// may share one, and 0 would be no effect.
func checkAmounts(t *testing.T, exercise Exercise) {
	operations := map[int64]string{}
	for _, intent := range exercise.Deliveries {
		if known, seen := operations[intent.Amount]; intent.Amount <= 0 || seen && known != intent.Operation {
			t.Errorf("%s: amount %d belongs to %s and %s", exercise.Slug, intent.Amount, known, intent.Operation)
		}
		operations[intent.Amount] = intent.Operation
	}
}

// checkFolders: every program in the folder is in the manifest, so that none is
// left untested.
func checkFolders(t *testing.T, exercise Exercise) {
	listed := append([]string{exercise.Solution}, exercise.Right...)
	for _, wrong := range exercise.Wrong {
		listed = append(listed, wrong.Folder)
	}
	var present []string
	_ = fs.WalkDir(content, exercise.Slug, func(path string, _ fs.DirEntry, _ error) error {
		if strings.HasSuffix(path, "/main.go") {
			present = append(present, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), exercise.Slug+"/"))
		}
		return nil
	})
	slices.Sort(listed)
	slices.Sort(present)
	if !slices.Equal(listed, present) {
		t.Errorf("%s: the manifest lists %v, the folder has %v", exercise.Slug, listed, present)
	}
}

// TestFind: by id, short id, or folder.
func TestFind(t *testing.T) {
	for _, name := range []string{"01", "1", "01-transactional-sink"} {
		if exercise, err := Find(name); err != nil || exercise.ID != "01" {
			t.Errorf("%s: %v, %v", name, exercise.ID, err)
		}
	}
}

// TestOutside: what Init writes can be built and graded far from any checkout,
// a lone Go file as well, and nothing is overwritten.
func TestOutside(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "01-transactional-sink")
	if _, err := Init("01", folder); err != nil {
		t.Fatal(err)
	}
	exercise, _ := Find("01")
	stub := gradeOutside(t, Options{Exercise: "01", Folder: filepath.Dir(folder), First: true})
	if stub.Verdict != VerdictLost || stub.Program != folder {
		show(t, stub)
		t.Errorf("the stub in %s: want lost", folder)
	}
	lone := filepath.Join(t.TempDir(), "mine.go")
	if err := os.WriteFile(lone, []byte(exercise.Text("wrong/03-no-marker/main.go")), 0o644); err != nil {
		t.Fatal(err)
	}
	if report := gradeOutside(t, Options{Exercise: "01", Program: lone}); report.Verdict != VerdictDuplicated {
		show(t, report)
		t.Error("the lone file: want duplicated")
	}
	if _, err := Init("01", folder); ExitCode(err) != ExitInput {
		t.Errorf("a second Init: %v", err)
	}
}

func gradeOutside(t *testing.T, options Options) Report {
	t.Helper()
	options.Limits = roomy
	report, err := Grade(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

var requirement = regexp.MustCompile(`(?m)^(?:require)?\s+(\S+\.\S+) (v\S+)`)

// TestOutsideVersions: the module that Init writes uses the versions that this
// module uses. If it fails, copy the versions to outside/*.mod.txt and the
// sums to outside/go.sum.txt (`go mod tidy` in a folder that Init made).
func TestOutsideVersions(t *testing.T) {
	ours, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"outside/go.mod.txt", "outside/kit.mod.txt"} {
		found := requirement.FindAllStringSubmatch(string(read(name)), -1)
		if len(found) < 5 {
			t.Errorf("%s: found only %v", name, found)
		}
		for _, match := range found {
			if match[1] == modulePath {
				continue
			}
			if !strings.Contains(string(ours), match[1]+" "+match[2]) {
				t.Errorf("%s: ../go.mod does not use %s %s", name, match[1], match[2])
			}
			if line := match[1] + " " + match[2] + " h1:"; !strings.Contains(string(read("outside/go.sum.txt")), line) || !strings.Contains(string(sums), line) {
				t.Errorf("%s: no sum for %s", name, line)
			}
		}
	}
}
