package profile

import "github.com/ackademy/ackademy/sim"

const (
	day = 24 * 3600
	// What no vendor states is how soon a search finds an email that was just
	// accepted; a minute is long enough to be noticed.
	searchLag = 60
)

const (
	sourceStripe     = "docs.stripe.com/api/idempotent_requests"
	sourceResend     = "resend.com documentation, idempotency keys"
	sourceUnmeasured = "our reading: the vendor states no time"
)

// Providers returns the provider profiles in the order in which they are shown.
func Providers() []Provider {
	return []Provider{plainProvider(), resend(), stripe(), stripeOld(), brevo(), ses(), sendgrid(), postmark(), mailgun()}
}

func plainProvider() Provider {
	return Provider{
		Name:  "plain",
		Title: "an email provider without idempotency keys",
		Knobs: sim.Provider{Boundary: sim.Request},
		Facts: []Fact{
			{"keys", "Every accepted request sends an email, and an accepted email cannot be recalled.", "our reading: no provider documents a recall"},
		},
	}
}

func resend() Provider {
	return Provider{
		Name:  "resend",
		Title: "Resend, with its Idempotency-Key header",
		Knobs: sim.Provider{Boundary: sim.Request, Keys: true, KeptFor: day, MismatchFails: true},
		Facts: []Fact{
			{"keys", "POST /emails takes an Idempotency-Key of at most 256 characters.", sourceResend},
			{"kept", "A key is remembered for 24 hours; a repeat gets the first answer and sends nothing.", sourceResend},
			{"mismatch", "The same key with another payload is refused with 409 invalid_idempotent_request.", "Resend client libraries, error list"},
			{"concurrent", "A repeat while the first request is running is refused with 409 concurrent_idempotent_requests.", "Resend client libraries, error list"},
			{"rejects", "Whether a failure is remembered is not documented; the world lets the key be used again.", "our reading"},
			{"lookup", "An email is found by the id that its answer holds, so one whose answer was lost comes back only through webhooks.", "our reading of the Resend API"},
		},
	}
}

func stripe() Provider {
	return Provider{
		Name:  "stripe",
		Title: "Stripe, API v1: its rules for Idempotency-Key",
		Knobs: sim.Provider{Boundary: sim.Request, Keys: true, KeptFor: day, MismatchFails: true, StoresRefusals: true, Lookup: true, Lag: searchLag},
		Facts: []Fact{
			{"keys", "Every POST takes an Idempotency-Key of at most 255 characters.", sourceStripe},
			{"kept", "Keys may be removed once they are at least 24 hours old; then the action runs again. The world forgets them at once.", sourceStripe},
			{"mismatch", "Other parameters under the same key are refused with an idempotency_error.", sourceStripe},
			{"concurrent", "A repeat while the first request is running is refused with idempotency_key_in_use, and that answer is not stored.", sourceStripe + "; stripe-go error.go"},
			{"rejects", "Once the endpoint has begun, status and body are stored, a 500 included; a failed validation or a conflict is not.", sourceStripe},
			{"lookup", "Your own reference in metadata can be searched for.", "docs.stripe.com/search; our reading"},
			{"lag", "A search finds new data in less than a minute under normal conditions, and is not meant for reading what was just written.", "docs.stripe.com/search, data freshness"},
		},
	}
}

func stripeOld() Provider {
	p := stripe()
	p.Name = "stripe-old"
	p.Title = "Stripe as an older text of its documentation had it: the first answer even when the parameters differ"
	p.Knobs.MismatchFails = false
	p.Facts = append([]Fact(nil), p.Facts...)
	for i := range p.Facts {
		if p.Facts[i].Knob == "mismatch" {
			p.Facts[i] = Fact{"mismatch", "The same key gives the first answer whatever the parameters.", "an older text of " + sourceStripe}
		}
	}
	return p
}

func brevo() Provider {
	return Provider{
		Name:  "brevo",
		Title: "Brevo, with its field idempotencyKey",
		Knobs: sim.Provider{Boundary: sim.Request, Keys: true, KeptFor: 30 * 60, MismatchFails: true},
		Facts: []Fact{
			{"keys", "The body of a request can hold an idempotencyKey.", "Brevo batch sending guide"},
			{"kept", "A key is remembered for 30 minutes; the changelog of 2021 said 15.", "Brevo batch sending guide; Brevo changelog 2021"},
			{"mismatch", "What another body under the same key does is not documented; the world takes the strict side.", "our reading"},
		},
	}
}

func ses() Provider {
	return Provider{
		Name:  "ses",
		Title: "Amazon SES v2",
		Knobs: sim.Provider{Boundary: sim.Request},
		Facts: []Fact{
			{"keys", "SendEmail has no client token: a repeated request is a second email.", "API, sesv2 SendEmail"},
			{"lookup", "GetMessageInsights needs the MessageId that a lost answer would have held; your own reference comes back only in published events.", "API, sesv2 GetMessageInsights"},
		},
	}
}

func sendgrid() Provider {
	return Provider{
		Name:  "sendgrid",
		Title: "Twilio SendGrid, v3 Mail Send",
		Knobs: sim.Provider{Boundary: sim.Request, Lookup: true, Lag: searchLag},
		Facts: []Fact{
			{"keys", "The description of Mail Send has no idempotency key.", "SendGrid OpenAPI description, mail/send"},
			{"lookup", "The Email Activity and Logs query finds emails of up to 30 days, partly as a paid addition.", "SendGrid documentation, Email Activity"},
			{"lag", "The world lets a search find an email a minute after it was accepted.", sourceUnmeasured},
		},
	}
}

func postmark() Provider {
	return Provider{
		Name:  "postmark",
		Title: "Postmark",
		Knobs: sim.Provider{Boundary: sim.Request, Lookup: true, Lag: searchLag},
		Facts: []Fact{
			{"keys", "Neither the API reference nor the official clients have an idempotency key.", "Postmark API reference"},
			{"lookup", "Sent messages can be searched by your own metadata for 45 days unless set otherwise (7 to 365).", "Postmark API reference, messages"},
			{"lag", "The world lets a search find an email a minute after it was accepted.", sourceUnmeasured},
		},
	}
}

func mailgun() Provider {
	return Provider{
		Name:  "mailgun",
		Title: "Mailgun",
		Knobs: sim.Provider{Boundary: sim.Request, Lookup: true, Lag: searchLag},
		Facts: []Fact{
			{"keys", "The published OpenAPI description has no idempotency key.", "Mailgun OpenAPI description"},
			{"lookup", "Logs find an email by its message-id or your own variables, for 3 to 30 days by plan.", "Mailgun documentation, Logs"},
			{"lag", "The world lets a search find an email a minute after it was accepted.", sourceUnmeasured},
		},
	}
}
