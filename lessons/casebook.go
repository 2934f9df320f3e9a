package lessons

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/ackademy/ackademy/sim/schedule"
)

// Chapter is a heading of the casebook, with the cases under it.
type Chapter struct {
	Title string
	Cases []Case
}

// Case is one incident that happened: casebook/SLUG holds its text case.md, the
// scenarios broken*.star with a schedule each, and fixed.star. Its place and
// what it teaches stand in casebook/contents.txt.
type Case struct {
	Slug    string // the folder's name, i01-auto-ack; also its address
	Title   string
	Teaches string // one sentence for the contents page
	Story   string // HTML: what happened, up to the fix; safe as a lesson's
	Repair  string // HTML: the fix, what stays, the source
	Forms   []Form // the broken ones, the main one first, then the fixed one
}

// Form is a scenario of a case.
type Form struct {
	Name     string   // broken, broken-rollback, fixed
	Scenario string   // its path under the root
	Steps    []string // the mechanism of the incident; none for the fixed form
	Shows    []Shown  // all that a search of it shows; none: it is clean
	Change   []Change // of the fixed form: what differs from broken.star
}

// Fixed says that this is the repaired form.
func (f Form) Fixed() bool { return f.Name == "fixed" }

// Label names the form for a reader: "Broken", "Broken: rollback", "Fixed".
func (f Form) Label() string {
	kind, which, _ := strings.Cut(f.Name, "-")
	label := strings.ToUpper(kind[:1]) + kind[1:]
	if which != "" {
		label += ": " + strings.ReplaceAll(which, "-", " ")
	}
	return label
}

// Shown is a line's worth of casebook/verdicts.txt: a verdict that some
// schedule of the form leads to.
type Shown struct {
	Verdict string
	Needs   int // the fewest faults with which it comes about
	Block   int // which expect(...) of the form's it is about, from 1
}

// LoadCasebook reads the casebook under root, in the order of its contents. A
// root without one has no chapters. It reports all mistakes at once, as *Error
// values joined together.
func LoadCasebook(root fs.FS) ([]Chapter, error) {
	file := "casebook/contents.txt"
	contents, err := fs.ReadFile(root, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	shows, err := loadShows(root)
	if err != nil {
		return nil, err
	}
	var (
		chapters []Chapter
		mistakes []error
	)
	for i, line := range strings.Split(string(contents), "\n") {
		line = strings.TrimSpace(line)
		title, isTitle := strings.CutPrefix(line, "== ")
		slug, teaches, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case isTitle:
			chapters = append(chapters, Chapter{Title: title})
		case len(chapters) == 0 || !caseName.MatchString(slug) || strings.TrimSpace(teaches) == "":
			mistakes = append(mistakes, &Error{File: file, Line: i + 1, Code: "bad_contents",
				Message: fmt.Sprintf("%q is no line of the contents", line),
				Next:    "Write == CHAPTER, and below it a line for each case: its folder and what it teaches."})
		default:
			c, err := loadCase(root, slug, shows)
			if err != nil {
				mistakes = append(mistakes, err)
				continue
			}
			c.Teaches = strings.TrimSpace(teaches)
			last := &chapters[len(chapters)-1]
			last.Cases = append(last.Cases, c)
		}
	}
	return chapters, errors.Join(mistakes...)
}

var caseName = regexp.MustCompile(`^i[0-9]{2,3}(-[a-z0-9]+)+$`)

func loadCase(root fs.FS, slug string, shows map[string][]Shown) (Case, error) {
	folder := path.Join("casebook", slug)
	file := path.Join(folder, "case.md")
	source, err := fs.ReadFile(root, file)
	if err != nil {
		return Case{}, &Error{File: file, Code: "no_case", Message: "the case has no text", Next: "Write it, or take the case out of the contents."}
	}
	head, _, _ := strings.Cut(string(source), "\n")
	title, titled := strings.CutPrefix(head, "# ")
	fix := bytes.Index(source, []byte("\n## Fix\n"))
	if !titled || fix < 0 {
		return Case{}, &Error{File: file, Line: 1, Code: "bad_case",
			Message: "a case opens with its title and has a part ## Fix", Next: "Write # TITLE, then the parts as the other cases have them."}
	}
	c := Case{Slug: slug, Title: strings.TrimSpace(title)}
	if c.Story, err = prose(file, source[:fix], 0); err != nil {
		return Case{}, err
	}
	if c.Repair, err = prose(file, source[fix:], bytes.Count(source[:fix], []byte("\n"))); err != nil {
		return Case{}, err
	}
	if c.Forms, err = loadForms(root, folder, shows); err != nil {
		return Case{}, err
	}
	c.Forms[len(c.Forms)-1].Change, err = loadChange(root, c.Forms[0].Scenario, c.Forms[len(c.Forms)-1].Scenario)
	return c, err
}

// prose renders Markdown that has no simulations in it. above is how many
// lines of the file stand before it.
func prose(file string, source []byte, above int) (string, error) {
	markdown := newMarkdown()
	document := markdown.Parser().Parse(text.NewReader(source))
	err := ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.HTMLBlock:
			return ast.WalkStop, rawHTML(file, above+line(source, node.Lines().At(0).Start))
		case *ast.RawHTML:
			return ast.WalkStop, rawHTML(file, above+line(source, node.Segments.At(0).Start))
		case *simulationNode:
			return ast.WalkStop, &Error{File: file, Line: above + node.Line, Code: "bad_case",
				Message: "a case has no simulations in its text", Next: "Its forms stand beside it: broken.star and fixed.star."}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, document); err != nil {
		return "", fmt.Errorf("render %s: %w", file, err)
	}
	return out.String(), nil
}

// loadForms reads the forms of a case: broken.star, the other broken ones in
// the order of their names, fixed.star.
func loadForms(root fs.FS, folder string, shows map[string][]Shown) ([]Form, error) {
	others, err := fs.Glob(root, path.Join(folder, "broken-*.star"))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", folder, err)
	}
	files := append([]string{path.Join(folder, "broken.star")}, others...)
	var forms []Form
	for _, file := range append(files, path.Join(folder, "fixed.star")) {
		if _, err := fs.Stat(root, file); err != nil {
			return nil, &Error{File: file, Code: "no_scenario", Message: "the case lacks this form", Next: "Write it: a case shows what fails and what holds."}
		}
		form := Form{Name: strings.TrimSuffix(path.Base(file), ".star"), Scenario: file}
		form.Shows = shows[path.Join(path.Base(folder), form.Name)]
		if !form.Fixed() {
			if form.Steps, err = loadSteps(root, strings.TrimSuffix(file, ".star")+".schedule"); err != nil {
				return nil, err
			}
		}
		forms = append(forms, form)
	}
	return forms, nil
}

func loadSteps(root fs.FS, file string) ([]string, error) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, &Error{File: file, Code: "no_schedule", Message: "a broken form has no mechanism", Next: "Write the schedule that shows its verdict."}
	}
	steps, err := schedule.Parse(string(text))
	var wrong *schedule.SyntaxError
	if errors.As(err, &wrong) {
		return nil, &Error{File: file, Line: wrong.Line, Code: "bad_schedule", Message: wrong.Message, Next: "Write it as ackademy run prints it, one step a line."}
	}
	return steps, err
}

// loadShows reads casebook/verdicts.txt, whose lines the tests hold to what a
// search finds.
func loadShows(root fs.FS) (map[string][]Shown, error) {
	const file = "casebook/verdicts.txt"
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	shows := map[string][]Shown{}
	for i, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		form, which, _ := strings.Cut(fields[0], "#")
		block := 1
		if n, err := strconv.Atoi(which); err == nil {
			block = n
		}
		for _, field := range fields[1:] {
			verdict, needs, _ := strings.Cut(field, "=")
			if verdict == "done_once" { // that no run does all of it once: no verdict of an intent
				continue
			}
			n, err := strconv.Atoi(needs)
			if err != nil {
				return nil, &Error{File: file, Line: i + 1, Code: "bad_verdict",
					Message: fmt.Sprintf("%q is not of the form verdict=faults", field), Next: "Write the verdict and the fewest faults that it takes: lost=1."}
			}
			shows[form] = append(shows[form], Shown{verdict, n, block})
		}
	}
	return shows, nil
}
