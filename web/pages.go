package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"os"
	"path"
	"time"

	"github.com/ackademy/ackademy/lessons"
)

//go:embed page
var embedded embed.FS

// pageFiles returns the page's files: the embedded ones, or those of a folder
// that no path and no symbolic link leads out of.
func pageFiles(dir string) (fs.FS, error) {
	if dir == "" {
		return fs.Sub(embedded, "page")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", &Problem{Code: "no_page_folder",
			Message: "The folder of the page's files can't be opened.",
			Next:    "Run from a checkout and name its web/page folder."}, err)
	}
	return root.FS(), nil
}

// pages are the HTML templates: one for each page, and the frame around it.
type pages struct {
	files  fs.FS
	fresh  bool // parse at every use, because somebody works on the files
	parsed *template.Template
}

func newPages(files fs.FS, fresh bool) (*pages, error) {
	parsed, err := parsePages(files)
	return &pages{files: files, fresh: fresh, parsed: parsed}, err
}

func parsePages(files fs.FS) (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{"words": words, "plain": plain}).ParseFS(files, "*.html")
}

// view is what a template is filled with.
type view struct {
	Title    string
	Lessons  []lessons.Lesson
	Casebook []lessons.Chapter
	Idioms   []lessons.Idiom
	Lesson   lessons.Lesson
	Case     lessons.Case
	Idiom    lessons.Idiom
	Chapter  string        // the case's heading
	Text     template.HTML // of the lesson, or of the case up to its fix
	Repair   template.HTML // the rest of the case's
	Before   *turn
	After    *turn
	Message  string
	Next     string
	Nonce    string // of the style sheets that scripts make
}

// turn is a link to the page before or after.
type turn struct{ Address, Title string }

func (p *pages) render(name string, view view) ([]byte, error) {
	parsed := p.parsed
	if p.fresh {
		var err error
		if parsed, err = parsePages(p.files); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	err := parsed.ExecuteTemplate(&out, name, view)
	return out.Bytes(), err
}

func (s *Server) show(w http.ResponseWriter, status int, name string, view view) {
	view.Nonce = s.letStyle(w.Header())
	body, err := s.pages.render(name, view)
	if err != nil {
		s.log.Error("render a page", "page", name, "error", err)
		http.Error(w, "This page can't be drawn. This is our fault; see the terminal.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the browser may be gone, which is its right
}

// refuse says no on a page of its own. It needs no further file, because
// whoever is refused gets none.
func (s *Server) refuse(w http.ResponseWriter, status int, message, next string) {
	s.show(w, status, "refused.html", view{Title: http.StatusText(status), Message: message, Next: next})
}

// servedTypes are the kinds of files that leave the page's folder.
var servedTypes = map[string]string{
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".woff2": "font/woff2",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8", // licences
}

func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("path")
	kind, served := servedTypes[path.Ext(name)]
	var content []byte
	err := fs.ErrNotExist
	if served {
		content, err = fs.ReadFile(s.page, name) // the file system refuses paths that lead out of it
	}
	if err != nil {
		s.refuse(w, http.StatusNotFound, "There is no such file.", "Go back to the contents.")
		return
	}
	sum := sha256.Sum256(content)
	w.Header().Set("Content-Type", kind)
	w.Header().Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:12])+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}
