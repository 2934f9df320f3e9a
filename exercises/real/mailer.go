package real

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// mailer is a worker's client of a provider. It never repeats a request by
// itself: Go's client repeats a POST that carries an Idempotency-Key when a
// connection that it kept turns out dead, so it keeps none. The provider counts
// requests, and the referee compares.
type mailer struct {
	client *http.Client
}

func newMailer(socket string, patience time.Duration) *mailer {
	return &mailer{client: &http.Client{
		Timeout: patience,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				var d net.Dialer
				return d.DialContext(ctx, "unix", socket)
			},
		},
	}}
}

// email is the body of a request.
type email struct {
	To   value `json:"to"`
	Body value `json:"body"`
}

// keyHeader carries the idempotency key, as JSON that is escaped to fit into
// a header.
const keyHeader = "Idempotency-Key"

// send makes one request. No answer, for whatever reason, is a timeout: that is
// all that a caller can know.
func (m *mailer) send(c *call) *result {
	content, err := json.Marshal(email{To: c.Op, Body: c.Body})
	if err != nil {
		return &result{Failure: err.Error()}
	}
	r, err := http.NewRequest(http.MethodPost, "http://provider/emails", bytes.NewReader(content))
	if err != nil {
		return &result{Failure: err.Error()}
	}
	r.Header.Set("Content-Type", "application/json")
	if !c.Key.IsZero() {
		r.Header.Set(keyHeader, url.QueryEscape(text(c.Key)))
	}
	answer, err := m.client.Do(r)
	if err != nil {
		return &result{Code: "timeout"}
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(io.LimitReader(answer.Body, 1024))
	if err != nil {
		return &result{Code: "timeout"}
	}
	switch answer.StatusCode {
	case http.StatusOK:
		return &result{Code: "ok"}
	case http.StatusConflict:
		return &result{Code: "conflict"}
	case http.StatusServiceUnavailable:
		return &result{Code: "refused"}
	}
	return &result{Failure: fmt.Sprintf("the provider answered %s: %s", answer.Status, said)}
}
