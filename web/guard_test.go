package web

import (
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ackademy/ackademy/lessons"
)

// Every way in that must be closed, and beside each the one thing that is
// wrong with it: the same request without that thing is answered.
func TestDoorIsClosed(t *testing.T) {
	server := startServer(t, &toyBook{lessons: toyLessons()})
	client := known(t, server)
	cookie := cookieOf(t, client, server)
	flipped := []byte(cookie)
	flipped[len(flipped)-5] ^= 1

	for _, test := range []struct {
		name   string
		method string
		path   string
		header map[string]string
		host   string
		want   int
	}{
		{name: "known browser", path: "/", want: http.StatusOK},
		{name: "own origin", path: "/", header: map[string]string{"Origin": server.origin}, want: http.StatusOK},
		{name: "own page", path: "/", header: map[string]string{"Sec-Fetch-Site": "same-origin"}, want: http.StatusOK},
		{name: "HEAD", method: "HEAD", path: "/", want: http.StatusOK},
		{name: "foreign Host", path: "/", host: "evil.example", want: http.StatusMisdirectedRequest},
		{name: "Host by name", path: "/", host: strings.Replace(server.host, "127.0.0.1", "localhost", 1), want: http.StatusMisdirectedRequest},
		{name: "Host of another port", path: "/", host: "127.0.0.1:1", want: http.StatusMisdirectedRequest},
		{name: "foreign Origin", path: "/", header: map[string]string{"Origin": "http://evil.example"}, want: http.StatusForbidden},
		{name: "null Origin", path: "/", header: map[string]string{"Origin": "null"}, want: http.StatusForbidden},
		{name: "Origin of another port", path: "/", header: map[string]string{"Origin": "http://127.0.0.1:1"}, want: http.StatusForbidden},
		{name: "Origin in https", path: "/", header: map[string]string{"Origin": "https://" + server.host}, want: http.StatusForbidden},
		{name: "from another site", path: "/", header: map[string]string{"Sec-Fetch-Site": "cross-site"}, want: http.StatusForbidden},
		{name: "from another port's site", path: "/", header: map[string]string{"Sec-Fetch-Site": "same-site"}, want: http.StatusForbidden},
		{name: "no cookie", path: "/", header: map[string]string{"Cookie": ""}, want: http.StatusForbidden},
		{name: "forged cookie", path: "/", header: map[string]string{"Cookie": server.door.cookie + "=" + string(flipped)}, want: http.StatusForbidden},
		{name: "cookie without signature", path: "/", header: map[string]string{"Cookie": server.door.cookie + "=99999999999"}, want: http.StatusForbidden},
		{name: "empty cookie", path: "/", header: map[string]string{"Cookie": server.door.cookie + "="}, want: http.StatusForbidden},
		{name: "cookie under another name", path: "/", header: map[string]string{"Cookie": "ackademy_1=" + cookie}, want: http.StatusForbidden},
		{name: "file without cookie", path: "/page/main.js", header: map[string]string{"Cookie": ""}, want: http.StatusForbidden},
		{name: "POST", method: "POST", path: "/", want: http.StatusMethodNotAllowed},
		{name: "PUT to the start", method: "PUT", path: "/start/x", want: http.StatusMethodNotAllowed},
		{name: "OPTIONS", method: "OPTIONS", path: "/socket", want: http.StatusMethodNotAllowed},
		{name: "socket without Origin", path: "/socket", want: http.StatusForbidden},
		{name: "socket without upgrade", path: "/socket", header: map[string]string{"Origin": server.origin}, want: http.StatusBadRequest},
		{name: "no such page", path: "/nowhere", want: http.StatusNotFound},
		{name: "no such lesson", path: "/lessons/99-none", want: http.StatusNotFound},
		{name: "path out of the folder", path: "/page/..%2fserver.go", want: http.StatusNotFound},
		{name: "path out, twice escaped", path: "/page/%2e%2e%2f%2e%2e%2fgo.js", want: http.StatusNotFound},
		{name: "absolute path", path: "/page/%2fetc%2fhosts.txt", want: http.StatusNotFound},
		{name: "backslash", path: "/page/..%5cserver.js", want: http.StatusNotFound},
		{name: "folder", path: "/page/elements", want: http.StatusNotFound},
		{name: "file of a kind that isn't served", path: "/page/layout.html", want: http.StatusNotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			request, err := http.NewRequest(test.method, server.origin+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Cookie", server.door.cookie+"="+cookie)
			for name, value := range test.header {
				request.Header.Set(name, value)
			}
			request.Host = test.host
			response, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, _ := io.ReadAll(response.Body)
			if response.StatusCode != test.want {
				t.Errorf("got %s, want %d: %s", response.Status, test.want, body)
			}
			for _, header := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
				if response.Header.Get(header) == "" {
					t.Errorf("no %s", header)
				}
			}
			if response.StatusCode != http.StatusOK && strings.Contains(string(body), cookie) {
				t.Error("the refusal repeats the cookie")
			}
		})
	}
}

func cookieOf(t *testing.T, client *http.Client, server *Server) string {
	t.Helper()
	request, _ := http.NewRequest("GET", server.origin, nil)
	for _, cookie := range client.Jar.Cookies(request.URL) {
		if cookie.Name == server.door.cookie {
			return cookie.Value
		}
	}
	t.Fatal("no cookie was set")
	return ""
}

func TestTokenWorksOnce(t *testing.T) {
	server := startServer(t, &toyBook{})
	address := server.StartURL()
	// The answer itself, not the page behind it: a second use that was let in
	// would be refused there, for want of a cookie jar.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	status := func(client *http.Client, method, address string) int {
		t.Helper()
		request, _ := http.NewRequest(method, address, nil)
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	stranger := &http.Client{CheckRedirect: stay}
	if got := status(stranger, "HEAD", address); got != http.StatusForbidden {
		t.Errorf("a preview got %d", got)
	}
	jar, _ := cookiejar.New(nil)
	first := &http.Client{Jar: jar, CheckRedirect: stay}
	if got := status(first, "GET", address); got != http.StatusSeeOther {
		t.Fatalf("the first use got %d", got)
	}
	if got := status(stranger, "GET", address); got != http.StatusForbidden {
		t.Errorf("the second use got %d", got)
	}
	if got := status(first, "GET", address); got != http.StatusSeeOther {
		t.Errorf("the known browser's reload got %d", got)
	}
	for _, wrong := range []string{"", "x", strings.Repeat("A", 43)} {
		if got := status(stranger, "GET", server.origin+startPath+wrong); got != http.StatusForbidden {
			t.Errorf("token %q got %d", wrong, got)
		}
	}
}

func TestUnusedTokensAreBounded(t *testing.T) {
	server := newServer(t, Options{Workbook: &toyBook{}, DataDir: t.TempDir(), Port: AnyPort})
	defer server.Close()
	oldest := strings.TrimPrefix(server.StartURL(), server.origin+startPath)
	for range tokensAtOnce {
		server.StartURL()
	}
	if server.door.spend(oldest) {
		t.Error("the oldest token still works")
	}
}

// The cookie's attributes are part of the guard.
func TestCookieIsStrict(t *testing.T) {
	server := startServer(t, &toyBook{})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(server.StartURL())
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	cookie := response.Cookies()[0]
	_, port, _ := net.SplitHostPort(server.host)
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.Name != "ackademy_"+port || cookie.Domain != "" {
		t.Errorf("got %+v", cookie)
	}
	if response.Header.Get("Cache-Control") != "no-store" || response.Header.Get("Location") != "/" {
		t.Errorf("got %v", response.Header)
	}
}

// A start address leads to the contents or, for a shared link, to the page that
// opens links; nowhere else, whatever it asks for.
func TestStartLeadsHome(t *testing.T) {
	server := startServer(t, &toyBook{})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for ask, want := range map[string]string{
		"": "/", "?to=play": "/play", "?to=https://example.com": "/", "?to=//example.com": "/", "?to=/play": "/",
	} {
		response, err := client.Get(server.StartURL() + ask)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := response.Header.Get("Location"); got != want {
			t.Errorf("%q leads to %q, want %q", ask, got, want)
		}
	}
	if got := server.PlayURL("v1.abc"); !strings.HasSuffix(got, "?to=play#v1.abc") {
		t.Errorf("a link is opened at %s", got)
	}
}

func TestCookieExpires(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	key := []byte("0123456789abcdef0123456789abcdef")
	door := newDoor(key, 7979, func() time.Time { return now })
	recorder := &headerOnly{header: http.Header{}}
	door.letIn(recorder)
	request := &http.Request{Header: http.Header{"Cookie": {strings.Split(recorder.header.Get("Set-Cookie"), ";")[0]}}}
	if now = now.Add(cookieLife - time.Second); !door.knows(request) {
		t.Error("the cookie ended too early")
	}
	// Two servers share the data folder and its key, but not their browsers.
	other := newDoor(key, 7980, door.now)
	carried := &http.Request{Header: http.Header{"Cookie": {strings.Replace(request.Header.Get("Cookie"), door.cookie, other.cookie, 1)}}}
	if other.knows(carried) {
		t.Error("the cookie was carried to another port")
	}
	if now = now.Add(time.Second); door.knows(request) {
		t.Error("the cookie holds beyond its end")
	}
}

type headerOnly struct {
	http.ResponseWriter
	header http.Header
}

func (h *headerOnly) Header() http.Header { return h.header }

// A restart keeps the key, and with it the browsers that are known.
func TestCookieOutlivesRestart(t *testing.T) {
	dir := t.TempDir()
	first := newServer(t, Options{Workbook: &toyBook{}, DataDir: dir, Port: AnyPort})
	stop := serve(t, first)
	client := known(t, first)
	stop()
	port := first.listener.Addr().(*net.TCPAddr).Port
	second := newServer(t, Options{Workbook: &toyBook{}, DataDir: dir, Port: port})
	serve(t, second)
	if second.host != first.host {
		t.Skipf("somebody else took port %d meanwhile", port)
	}
	response, err := client.Get(second.origin)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("got %s", response.Status)
	}
}

func TestKeyFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file modes say nothing on Windows")
	}
	dir := filepath.Join(t.TempDir(), "data")
	key, err := loadKey(dir)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, keyFile)
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	if again, err := loadKey(dir); err != nil || string(again) != string(key) {
		t.Errorf("the second start has another key (%v)", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	for _, broken := range []struct {
		code string
		make func() error
	}{
		{"key_open", func() error { return os.Chmod(name, 0o640) }},
		{"key_damaged", func() error { return os.WriteFile(name, []byte("short"), 0o600) }},
		{"key_open", func() error { _ = os.Remove(name); return os.Symlink("/etc/hosts", name) }},
	} {
		_ = os.Chmod(name, 0o600)
		if err := broken.make(); err != nil {
			t.Fatal(err)
		}
		if _, err := loadKey(dir); err == nil || !strings.Contains(err.Error(), broken.code) {
			t.Errorf("got %v, want %s", err, broken.code)
		}
	}
}

// The port is the wanted one, or the next that is free; always on loopback.
func TestPort(t *testing.T) {
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	listener, err := listen(port)
	if err != nil {
		t.Skipf("no free port after %d: %v", port, err)
	}
	defer listener.Close()
	got := listener.Addr().(*net.TCPAddr)
	if got.Port <= port || got.Port >= port+portsTried || !got.IP.IsLoopback() {
		t.Errorf("got %v after %d", got, port)
	}
}

// A panic in a page is our fault, told as such, and the server goes on.
func TestPanicInAPage(t *testing.T) {
	book := &brokenBook{}
	server := startServer(t, book)
	client := known(t, server)
	book.broken = true
	response, err := client.Get(server.origin)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	response.Body.Close()
	if response.StatusCode != http.StatusInternalServerError || !strings.Contains(string(body), "our fault") {
		t.Errorf("got %s: %s", response.Status, body)
	}
	book.broken = false
	if response, err = client.Get(server.origin); err != nil || response.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %v, %v", response, err)
	}
	response.Body.Close()
}

type brokenBook struct {
	toyBook
	broken bool
}

func (b *brokenBook) Lessons() []lessons.Lesson {
	if b.broken {
		panic("a broken book")
	}
	return b.toyBook.Lessons()
}

// In the folder of somebody who works on the page, a link must not lead out.
func TestPageFolder(t *testing.T) {
	dir := t.TempDir()
	for name, file := range map[string]string{"layout.html": `{{define "top"}}{{end}}`, "contents.html": "old", "refused.html": "no", "a.js": "1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "secret.js")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.js")); err != nil {
		t.Skip(err)
	}
	server := newServer(t, Options{Workbook: &toyBook{}, DataDir: t.TempDir(), Port: AnyPort, PageDir: dir})
	serve(t, server)
	client := known(t, server)
	get := func(path string) (int, string) {
		response, err := client.Get(server.origin + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(body)
	}
	if status, body := get("/page/link.js"); status != http.StatusNotFound || strings.Contains(body, "secret") {
		t.Errorf("the link out answered %d %q", status, body)
	}
	if status, body := get("/page/a.js"); status != http.StatusOK || body != "1" {
		t.Errorf("a.js answered %d %q", status, body)
	}
	if err := os.WriteFile(filepath.Join(dir, "contents.html"), []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, body := get("/"); body != "new" {
		t.Errorf("the page is %q after it was edited", body)
	}
}

// Every file that the page names is there, so that no page is half a page.
func TestPageFilesExist(t *testing.T) {
	files, err := pageFiles("")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(files, "main.js", "vendor/lit.js", "vendor/LICENSE-lit.txt", "style/base.css", "icon.svg"); err != nil {
		t.Error(err)
	}
}
