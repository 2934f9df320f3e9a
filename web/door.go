package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A door lets a browser in by a token that works once, and knows it again by
// a signed cookie. The cookie is not kept anywhere: the key in the data
// folder vouches for it, so it outlives a restart.
type door struct {
	key    []byte
	cookie string // its name, which holds the port
	now    func() time.Time

	mu     sync.Mutex
	tokens []string // not used yet, oldest first
}

const (
	startPath    = "/start/"
	keyFile      = "cookie.key"
	keySize      = 32
	tokenSize    = 32
	cookieLife   = 30 * 24 * time.Hour
	tokensAtOnce = 8 // more unused start URLs than a person could be holding
)

func newDoor(key []byte, port int, now func() time.Time) *door {
	return &door{key: key, cookie: "ackademy_" + strconv.Itoa(port), now: now}
}

func (d *door) newToken() string {
	random := make([]byte, tokenSize)
	_, _ = rand.Read(random) // never fails: it ends the program instead
	token := base64.RawURLEncoding.EncodeToString(random)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tokens = append(d.tokens, token)
	if len(d.tokens) > tokensAtOnce {
		d.tokens = d.tokens[1:]
	}
	return token
}

// spend says whether the token is good, and makes it worthless.
func (d *door) spend(token string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, good := range d.tokens {
		if subtle.ConstantTimeCompare([]byte(good), []byte(token)) == 1 {
			d.tokens = append(d.tokens[:i:i], d.tokens[i+1:]...)
			return true
		}
	}
	return false
}

// letIn gives the browser its cookie.
func (d *door) letIn(w http.ResponseWriter) {
	expires := d.now().Add(cookieLife)
	random := make([]byte, 16)
	_, _ = rand.Read(random)
	body := strconv.FormatInt(expires.Unix(), 10) + "." + base64.RawURLEncoding.EncodeToString(random)
	http.SetCookie(w, &http.Cookie{
		Name:     d.cookie,
		Value:    body + "." + d.sign(body),
		Path:     "/",
		Expires:  expires,
		MaxAge:   int(cookieLife / time.Second),
		HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	})
}

// knows says whether the request carries a cookie of ours that still holds.
func (d *door) knows(r *http.Request) bool {
	cookie, err := r.Cookie(d.cookie)
	if err != nil {
		return false
	}
	at := strings.LastIndexByte(cookie.Value, '.')
	if at < 0 {
		return false
	}
	body, signature := cookie.Value[:at], cookie.Value[at+1:]
	if !hmac.Equal([]byte(signature), []byte(d.sign(body))) {
		return false
	}
	until, _, _ := strings.Cut(body, ".")
	seconds, err := strconv.ParseInt(until, 10, 64)
	return err == nil && d.now().Before(time.Unix(seconds, 0))
}

// sign covers the cookie's name, or a cookie could be carried from one port
// to another.
func (d *door) sign(body string) string {
	mac := hmac.New(sha256.New, d.key)
	mac.Write([]byte(d.cookie + "=" + body))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// loadKey reads the key, or makes one. A key that others can read is refused:
// whoever has it can step our learner's simulations.
func loadKey(dir string) ([]byte, error) {
	if dir == "" {
		return nil, errors.New("web: Options.DataDir is missing")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, keyProblem(err)
	}
	name := filepath.Join(dir, keyFile)
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = makeKey(dir, name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			info, err = os.Lstat(name)
		}
	}
	if err != nil {
		return nil, keyProblem(err)
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, &Problem{Code: "key_open",
			Message: fmt.Sprintf("Others can read the key file %s (mode %v).", name, info.Mode()),
			Next:    "Remove the file; a new one is made at the next start."}
	}
	key, err := os.ReadFile(name)
	if err != nil {
		return nil, keyProblem(err)
	}
	if len(key) != keySize {
		return nil, &Problem{Code: "key_damaged",
			Message: fmt.Sprintf("The key file %s has %d bytes instead of %d.", name, len(key), keySize),
			Next:    "Remove the file; a new one is made at the next start."}
	}
	return key, nil
}

// makeKey writes a new key under another name first, so that a second server
// that starts in the same moment never reads half a key. Link, unlike
// Rename, doesn't replace the key that the other one has made.
func makeKey(dir, name string) error {
	file, err := os.CreateTemp(dir, keyFile+".*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	key := make([]byte, keySize)
	_, _ = rand.Read(key)
	_, err = file.Write(key)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Link(file.Name(), name)
}

func keyProblem(err error) error {
	return fmt.Errorf("%w (%w)", &Problem{Code: "no_key",
		Message: "The key of the browser's cookies can't be read or made in the data folder.",
		Next:    "Check that the folder exists and is yours, or choose another one."}, err)
}
