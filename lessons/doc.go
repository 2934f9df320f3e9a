// Package lessons loads the lessons: one folder NN-slug each, with a text in
// Markdown (lesson.md) and the scenarios that the text lets its reader step
// through.
//
// The main type is Lesson, the main verb Load. A lesson opens with front
// matter (title, summary), its place in the course is the number of its
// folder. Besides ordinary Markdown it has one construct of ours, the
// simulation:
//
//	:::simulation scenario=ack-first.star at=3
//	deliver work-1 to worker1
//	worker1 ack
//	worker1 crash before begin
//	expect: lost work-1
//	:::
//
// The lines inside are a schedule in any form that package schedule reads: one
// step a line or several between semicolons, with or without the line v1.
// Lines that start with "expect:" are claims: verdicts that this schedule must
// lead to, which a test checks with the engine, so that a lesson can't say what
// the simulator doesn't show.
//
// The contract: Load refuses whatever it can't show, with file and line and
// what to do, and it looks at files only, so the same folders give the same
// lessons. Raw HTML is refused rather than dropped, because a silently
// missing paragraph is worse than an error.
//
// Beside the lessons there is the casebook (LoadCasebook): incidents that
// happened, each with the forms that fail and the one that was repaired; and the
// idioms (LoadIdioms): small scenarios to begin one's own with.
//
// A construct is a node, a parser, a renderer and a golden file under
// testdata; the next one should be made likewise. This package is the only
// importer of goldmark. It doesn't run scenarios and doesn't know the words
// of the verdicts: that is the caller's.
package lessons
