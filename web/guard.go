package web

import (
	"crypto/rand"
	"net/http"
	"runtime/debug"
	"strings"
)

// guard stands before every handler, the socket's included. The order
// matters: a request that is not meant for us (Host) is told nothing else, a
// foreign page (Origin, Sec-Fetch-Site) can't spend a token, and only a
// browser that we know gets past the cookie.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.recoverRequest(w, r)
		s.setHeaders(w.Header())
		switch {
		case r.Host != s.host:
			// Otherwise a name that an attacker lets point at 127.0.0.1 would
			// make us part of his site.
			s.refuse(w, http.StatusMisdirectedRequest, "This server answers at "+s.origin+" only.",
				"Use the address that was printed at the start.")
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			s.refuse(w, http.StatusMethodNotAllowed, "This server answers GET and HEAD only.", "Open the page in a browser.")
		case !s.ours(r):
			s.refuse(w, http.StatusForbidden, "Another site asked for this page.",
				"Copy the address and open it yourself.")
		case strings.HasPrefix(r.URL.Path, startPath):
			s.serveStart(w, r)
		case !s.door.knows(r):
			s.refuse(w, http.StatusForbidden, "This browser isn't known here, or not any more.",
				"Start ackademy again and open the address that it prints. It works once.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// ours says whether the request comes from our own page or from no page.
// Browsers leave Origin out of plain GETs; the socket requires it besides.
func (s *Server) ours(r *http.Request) bool {
	if origins, has := r.Header["Origin"]; has && (len(origins) != 1 || origins[0] != s.origin) {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return false
}

// serveStart spends the token. A browser that is known already comes in by a
// used one too: that is somebody who reloads the page.
func (s *Server) serveStart(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case r.Method != http.MethodGet: // HEAD comes from previews, which must not spend it
		s.refuse(w, http.StatusForbidden, "The start address is for a browser.", "Open it there.")
		return
	case s.door.spend(strings.TrimPrefix(r.URL.Path, startPath)):
		s.door.letIn(w)
	case !s.door.knows(r):
		s.refuse(w, http.StatusForbidden, "This start address has been used, or it belongs to an earlier start.",
			"Start ackademy again and open the address that it prints. It works once.")
		return
	}
	to := "/"
	if r.URL.Query().Get("to") == "play" {
		to = "/play" // a link's own part, behind #, stays with the browser
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// setHeaders closes the page: scripts, styles and fonts come from files of
// ours, the only connection is our socket, nobody frames us, and text becomes
// markup through lit's templates alone. connect-src names the socket's
// address because not every browser lets 'self' cover it.
func (s *Server) setHeaders(header http.Header) {
	s.setPolicy(header, "'self'")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer") // the start address holds a token
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	header.Set("Cache-Control", "no-cache")
}

func (s *Server) setPolicy(header http.Header, styles string) {
	header.Set("Content-Security-Policy", strings.Join([]string{
		"default-src 'none'", "script-src 'self'", "style-src " + styles, "img-src 'self'", "font-src 'self'",
		"connect-src ws://" + s.host, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
		"require-trusted-types-for 'script'", "trusted-types lit-html",
	}, "; "))
}

// letStyle allows one page the style sheet that the editor makes at run time:
// it carries this nonce, which is another one for each page.
func (s *Server) letStyle(header http.Header) (nonce string) {
	nonce = rand.Text()
	s.setPolicy(header, "'self' 'nonce-"+nonce+"'")
	return nonce
}

// recoverRequest is the session boundary of plain requests.
func (s *Server) recoverRequest(w http.ResponseWriter, r *http.Request) {
	fault := recover()
	if fault == nil {
		return
	}
	s.log.Error("panic in a request", "path", r.URL.Path, "fault", fault, "stack", string(debug.Stack()))
	s.refuse(w, http.StatusInternalServerError, "Ackademy failed here. This is our fault, not yours.",
		"Load the page again; what you did is in its address.")
}
