package contract

import (
	"testing"
	"time"
)

// A time from a client is either rejected, or truncated to milliseconds and then
// returned unchanged by every later response.
func FuzzStoredTime(f *testing.F) {
	a := fuzzServer(f)
	o := a.register()
	assessmentID := o.publish(oneQuestion())
	now := a.store.Now()

	for _, text := range []string{
		now.Add(time.Millisecond).Format(time.RFC3339Nano), now.Add(time.Microsecond).Format(time.RFC3339Nano),
		now.Format(time.RFC3339Nano),
		now.AddDate(0, 6, 0).In(time.FixedZone("", -9*60*60)).Format("2006-01-02T15:04:05.999999999-07:00"),
		"9999-12-31T23:59:59.999999999Z",
		"9999-12-31T23:59:59-23:59", "2036-02-30T00:00:00Z", "2036-12-31T23:59:60Z", "2036-1-1T00:00:00Z",
		"2036-01-01t00:00:00z", "",
	} {
		f.Add(text)
	}

	f.Fuzz(func(t *testing.T, text string) {
		a := a.withTest(t)
		for path, body := range map[string]object{
			"/v1/api-keys": {"name": "fuzzed", "scopes": allScopes, "expiresAt": text},
			"/v1/candidate-sessions": {"assessmentId": assessmentID, "candidateName": "G", "candidateEmail": "g@example.com",
				"onExisting": "NEW_ATTEMPT", "expiresAt": text},
		} {
			made := a.callJSON("POST", path, o.owner, body)
			instant, err := time.Parse(time.RFC3339Nano, text)
			if made.status != 201 {
				made.want(400, "invalid_request")

				// A future UTC time in whole seconds is always valid for an API key. Invites have an upper bound.
				valid := err == nil && text == instant.UTC().Format("2006-01-02T15:04:05Z") && instant.After(now)
				if valid && path == "/v1/api-keys" {
					t.Errorf("%s is valid, but rejected: %s", text, made.body)
				}
				continue
			}

			want := wire(instant.Truncate(time.Millisecond))
			if err != nil || !instant.After(now) || made.text("data.expiresAt") != want {
				t.Errorf("%s is stored as %s, want %s (%v)", text, made.text("data.expiresAt"), want, err)
			}
			if read := a.callJSON("GET", made.header.Get("Location"), o.owner,
				nil).want(200); read.text("data.expiresAt") != want {
				t.Errorf("%s is read as %s, want %s", text, read.text("data.expiresAt"), want)
			}
		}
	})
}
