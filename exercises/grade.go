package exercises

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// Options say what to grade.
type Options struct {
	Exercise string // id or folder name: "01"
	Program  string // Go file, folder, or executable; "" looks where Init puts it
	Folder   string // where the command was called; "" is the working directory
	Scratch  string // folder for the runs; "" is a private one in memory or the temporary folder
	Keep     bool   // leave the files of the runs behind and say where (Report.Kept)
	Parallel int    // runs at the same time; 0 is one per processor
	First    bool   // stop at the first failure, instead of completing its stage
	Limits   Limits // zero fields mean the defaults
}

// Grade compiles a program and judges it. The error is an *Error when the
// program could not be graded at all; see ExitCode. When ctx ends, its error is
// returned.
func Grade(ctx context.Context, options Options) (Report, error) {
	exercise, err := Find(options.Exercise)
	if err != nil {
		return Report{}, err
	}
	if !canKill {
		return Report{}, inputError("unsupported_system", "", "real runs need Linux or macOS",
			"Use a Linux machine, a container or WSL for the build exercises; everything else works here.", nil)
	}
	report := Report{Format: formatName, Exercise: exercise.ID, Title: exercise.Title}
	report.Program, err = locate(exercise, options)
	if err != nil {
		return report, err
	}
	build, runs, err := scratchFolders(options)
	if err != nil {
		return report, ourFault("making a folder for the runs", err)
	}
	defer os.RemoveAll(build)
	if options.Keep {
		report.Kept = runs
	} else {
		defer os.RemoveAll(runs)
	}
	limits := options.Limits.orDefault()
	bench := &bench{exercise: exercise, folder: runs, keep: options.Keep, limits: limits, template: filepath.Join(runs, "template.db")}
	if bench.program, err = compile(ctx, report.Program, build); err != nil {
		return report, err
	}
	ctx, cancel := context.WithTimeout(ctx, limits.Total)
	defer cancel()
	if bench.schema, err = makeFile(bench.template, exercise.Text(exercise.Schema)); err != nil {
		return report, ourFault("making the database", err)
	}
	g := &grading{bench: bench, ctx: ctx, report: report, parallel: options.Parallel, stopAtFirst: options.First}
	return g.grade()
}

// scratchFolders makes two private folders. The runs go to memory where the
// system has a place for that: a kill does not lose what was written to a file,
// so the verdicts are those of a disk, and only power loss would tell them apart.
// Such a place may forbid to execute programs, so these are built elsewhere.
func scratchFolders(options Options) (build, runs string, err error) {
	if build, err = os.MkdirTemp(options.Scratch, "ackademy-build-"); err != nil {
		return "", "", err
	}
	if options.Scratch == "" && !options.Keep {
		if runs, err = os.MkdirTemp("/dev/shm", "ackademy-runs-"); err == nil {
			return build, runs, nil
		}
	}
	runs, err = os.MkdirTemp(options.Scratch, "ackademy-runs-")
	return build, runs, err
}

// grading is one call of Grade under way.
type grading struct {
	*bench
	ctx         context.Context
	report      Report
	parallel    int
	stopAtFirst bool

	boundaries []string // of all deliveries handled by one undisturbed process
	first      []string // those of them up to the end of the first delivery
}

// grade runs the stages until one fails.
func (g *grading) grade() (Report, error) {
	stages := []func() (Stage, error){g.undisturbed, g.sweep, g.together, g.twice, g.record}
	g.report.Status = StatusPassed
	for _, run := range stages {
		stage, err := run()
		if err != nil {
			return g.report, err
		}
		if stage.Status == "" {
			stage.Status = StatusPassed
		} else if g.report.Status != StatusFailed {
			g.report.Status = stage.Status
		}
		g.report.Stages = append(g.report.Stages, stage)
		if stage.Status != StatusPassed {
			break
		}
	}
	for _, name := range stageNames[len(g.report.Stages):] {
		g.report.Stages = append(g.report.Stages, Stage{Name: name, Status: StatusNotRun, Checks: []Check{}})
	}
	g.conclude()
	return g.report, nil
}

// conclude names the verdict and the next step.
func (g *grading) conclude() {
	switch g.report.Status {
	case StatusFailed:
		g.report.Bound = ""
		g.report.Verdict = g.report.Findings[0].Verdict
		g.report.Hint = g.exercise.Next[g.report.Verdict]
		if g.report.Hint == "" {
			g.report.Hint = "Read the schedule above; the package comment of exercises/kit says what a program may do."
		}
	case StatusUndecided:
		g.report.Hint = "A limit was reached before the answer was known. If your program does not wait or loop by itself, try again on a less busy machine."
	case StatusPassed:
		g.report.Hint = "Nothing: every kill and every interleaving left each operation done once."
	}
}

// result is the outcome of one run.
type result struct {
	name            string
	run             *run
	err             error
	expected, found string // rows on one line, where the stage compares them itself
}

// add sorts results into a stage and the report's findings. The error it
// returns is one of ours or of the context, never one of the learner's program.
func (g *grading) add(stage *Stage, results ...result) error {
	for _, res := range results {
		check, finding, err := g.sort(stage.Name, res)
		if err != nil {
			return err
		}
		stage.Checks = append(stage.Checks, check)
		switch {
		case finding != nil:
			stage.Status = StatusFailed
			if len(g.report.Findings) < maxFindings {
				g.report.Findings = append(g.report.Findings, *finding)
			}
		case check.Outcome != outcomeOK && stage.Status == "":
			stage.Status = StatusUndecided
		}
	}
	return nil
}

const outcomeOK = "ok"

// sort makes a check of a result, and a finding if it failed.
func (g *grading) sort(stage string, res result) (Check, *Finding, error) {
	check := Check{Name: res.name, Expected: res.expected, Found: res.found, Outcome: outcomeOK}
	if res.err == nil {
		return check, nil, nil
	}
	finding := &Finding{Stage: stage, Check: res.name}
	if res.run != nil {
		res.err = res.run.cause(res.err)
		finding.Boundary, finding.Schedule = res.run.boundary, res.run.schedule
		finding.Complaint = res.run.complaint()
	}
	var halted *halt
	var disproved *disproof
	switch {
	case errors.As(res.err, &disproved):
		finding.Verdict, finding.Explanation = disproved.verdict, disproved.explanation
		finding.Expected, finding.Found = &disproved.expected, &disproved.found.Rows
		for _, c := range disproved.found.changes {
			finding.Changes = append(finding.Changes, c.String())
		}
		check.Expected, check.Found = disproved.expected.String(), disproved.found.Rows.String()
	case errors.As(res.err, &halted) && halted.verdict != "":
		finding.Verdict, finding.Explanation = halted.verdict, halted.message
	case errors.As(res.err, &halted):
		check.Outcome, check.Found = "undecided: "+halted.bound, halted.message
		if g.report.Bound == "" {
			g.report.Bound = halted.bound
		}
		return check, nil, nil
	default:
		return check, nil, res.err
	}
	check.Outcome = finding.Verdict
	return check, finding, nil
}

// complaint is what the last process that complained wrote.
func (r *run) complaint() string {
	for i := len(r.workers) - 1; i >= 0; i-- {
		if text := r.workers[i].complaint(); text != "" {
			return fmt.Sprintf("%s: %s", r.workers[i].name, text)
		}
	}
	return ""
}

// spread runs n tasks, some at the same time, and returns the results in order:
// all of them, or those up to the first failure.
func (g *grading) spread(n int, task func(int) result) []result {
	parallel := g.parallel
	if parallel <= 0 {
		parallel = runtime.NumCPU()
	}
	results, begun := make([]result, n), n
	slots := make(chan struct{}, parallel)
	var failed atomic.Bool
	var group sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		if failed.Load() && g.stopAtFirst {
			begun = i
			break
		}
		group.Go(func() {
			results[i] = task(i)
			if results[i].err != nil {
				failed.Store(true)
			}
			<-slots
		})
	}
	group.Wait()
	return results[:begun]
}
