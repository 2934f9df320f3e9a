package lessons

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// parse makes a lesson of its text.
func parse(root fs.FS, slug string, source []byte) (Lesson, error) {
	file := path.Join(slug, "lesson.md")
	fields, body, err := frontMatter(file, source)
	if err != nil {
		return Lesson{}, err
	}
	for _, key := range []string{"title", "summary"} {
		if fields[key] == "" {
			return Lesson{}, &Error{File: file, Line: 1, Code: "bad_front_matter",
				Message: "the front matter has no " + key, Next: "Add a line " + key + ": ..."}
		}
	}

	markdown := newMarkdown()
	document := markdown.Parser().Parse(text.NewReader(body))
	lesson := Lesson{Slug: slug, Title: fields["title"], Summary: fields["summary"]}
	if err := lesson.collect(root, file, document, body); err != nil {
		return Lesson{}, err
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, body, document); err != nil {
		return Lesson{}, fmt.Errorf("render %s: %w", file, err)
	}
	lesson.HTML = out.String()
	return lesson, nil
}

func newMarkdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			// Before the paragraph parser (1000) and after fenced code (700),
			// so that a directive shown inside a code block stays code.
			parser.WithBlockParsers(util.Prioritized(simulationParser{}, 800)),
		),
		goldmark.WithRendererOptions(
			renderer.WithNodeRenderers(util.Prioritized(simulationRenderer{}, 500)),
		),
	)
}

// collect reads the simulations off the document, completes them with what
// only the lesson knows, and refuses what can't be shown.
func (l *Lesson) collect(root fs.FS, file string, document ast.Node, source []byte) error {
	var mistakes []error
	names := map[string]bool{}
	err := ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.HTMLBlock:
			mistakes = append(mistakes, rawHTML(file, line(source, node.Lines().At(0).Start)))
		case *ast.RawHTML:
			mistakes = append(mistakes, rawHTML(file, line(source, node.Segments.At(0).Start)))
		case *simulationNode:
			node.settle(root, l.Slug, names)
			for _, mistake := range node.mistakes {
				mistake.File = file
				mistakes = append(mistakes, mistake)
			}
			l.Simulations = append(l.Simulations, node.Simulation)
		}
		return ast.WalkContinue, nil
	})
	return errors.Join(append(mistakes, err)...)
}

func rawHTML(file string, line int) *Error {
	return &Error{File: file, Line: line, Code: "raw_html",
		Message: "raw HTML is not shown in a lesson",
		Next:    "Say it in Markdown, or put it between backquotes if it is meant as text."}
}

// line counts from 1.
func line(source []byte, offset int) int {
	return 1 + bytes.Count(source[:offset], []byte("\n"))
}
