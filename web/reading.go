package web

import (
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/ackademy/ackademy/lessons"
)

// The pages that are read: the contents and what they lead to.

func (s *Server) serveContents(w http.ResponseWriter, _ *http.Request) {
	s.show(w, http.StatusOK, "contents.html", view{Title: "Contents",
		Lessons: s.workbook.Lessons(), Casebook: s.workbook.Casebook(), Idioms: s.workbook.Idioms()})
}

func (s *Server) servePlay(w http.ResponseWriter, _ *http.Request) {
	s.show(w, http.StatusOK, "play.html", view{Title: "Play"})
}

func (s *Server) serveLesson(w http.ResponseWriter, r *http.Request) {
	all := s.workbook.Lessons()
	for i, lesson := range all {
		if lesson.Slug != r.PathValue("slug") {
			continue
		}
		// The text was made by package lessons, which refuses raw HTML.
		view := view{Title: lesson.Title, Lesson: lesson, Text: template.HTML(lesson.HTML)}
		view.Before, view.After = turns(all, i, func(l *lessons.Lesson) turn { return turn{"/lessons/" + l.Slug, l.Title} })
		s.show(w, http.StatusOK, "lesson.html", view)
		return
	}
	s.missing(w, "There is no such lesson.")
}

func (s *Server) serveCase(w http.ResponseWriter, r *http.Request) {
	var all []lessons.Case
	for _, chapter := range s.workbook.Casebook() {
		all = append(all, chapter.Cases...)
	}
	for i, c := range all {
		if c.Slug != r.PathValue("slug") {
			continue
		}
		view := view{Title: c.Title, Case: c, Text: template.HTML(c.Story), Repair: template.HTML(c.Repair)} // likewise
		for _, chapter := range s.workbook.Casebook() {
			for _, other := range chapter.Cases {
				if other.Slug == c.Slug {
					view.Chapter = chapter.Title
				}
			}
		}
		view.Before, view.After = turns(all, i, func(c *lessons.Case) turn { return turn{"/casebook/" + c.Slug, c.Title} })
		s.show(w, http.StatusOK, "case.html", view)
		return
	}
	s.missing(w, "There is no such case.")
}

func (s *Server) serveIdiom(w http.ResponseWriter, r *http.Request) {
	all := s.workbook.Idioms()
	for i, idiom := range all {
		if idiom.Name != r.PathValue("name") {
			continue
		}
		view := view{Title: idiom.Heading(), Idiom: idiom}
		view.Before, view.After = turns(all, i, func(i *lessons.Idiom) turn { return turn{"/idioms/" + i.Name, i.Heading()} })
		s.show(w, http.StatusOK, "idiom.html", view)
		return
	}
	s.missing(w, "There is no such idiom.")
}

// turns are the links to the neighbours of one page in a list.
func turns[T any](all []T, i int, link func(*T) turn) (before, after *turn) {
	if i > 0 {
		t := link(&all[i-1])
		before = &t
	}
	if i+1 < len(all) {
		t := link(&all[i+1])
		after = &t
	}
	return before, after
}

// missing answers a browser that was let in and asks for a page that there is
// not.
func (s *Server) missing(w http.ResponseWriter, message string) {
	s.show(w, http.StatusNotFound, "missing.html", view{Title: "Not found", Message: message})
}

// words are the verdicts of a case's broken forms, or of its fixed one, each
// once.
func words(forms []lessons.Form, fixed bool) []string {
	var list []string
	for _, form := range forms {
		for _, shown := range form.Shows {
			if form.Fixed() == fixed && !slices.Contains(list, shown.Verdict) {
				list = append(list, shown.Verdict)
			}
		}
	}
	return list
}

// plain is a word of the wire as it is read.
func plain(word string) string { return strings.ReplaceAll(word, "_", " ") }

// Cases counts the cases of the casebook.
func (v view) Cases() int {
	n := 0
	for _, chapter := range v.Casebook {
		n += len(chapter.Cases)
	}
	return n
}
