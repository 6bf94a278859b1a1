package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store/keys"
	"assay/store/rules"
)

// signInvite must sign the link of the event's own session and change nothing else,
// even if text from clients in the event looks like a link or like JSON fields.
func TestSignInvite(t *testing.T) {
	ring := testRing(t)
	const own, other = "ses_01kae3v5zg8r6w2c4n7q9t1x3y", "ses_01kae3v5zg8r6w2c4n7q9t1x3z"
	link := func(token string) string { return "https://assay.example/take/take#" + token }
	render := func(eventType EventType, data any) string {
		body, err := envelope{ID: "evt_01kae3v5zg8r6w2c4n7q9t1x3y", Type: eventType, Timestamp: wireTime(time.Unix(1, 0)),
			OrganizationID: "org_x", Data: data}.render()
		if err != nil {
			t.Fatal(err)
		}
		return body
	}

	for _, generation := range []int{0, 1, 12, 999_999_999} {
		stored, signed := link(keys.UnsignedInvite(own, generation)), link(ring.InviteToken(own, generation))
		foreign := link(keys.UnsignedInvite(other, 1))
		for name, data := range map[string]candidateInvitedData{
			"plain":             {CandidateName: "Grace"},
			"link in the name":  {CandidateName: foreign},
			"field in the name": {CandidateName: `","inviteUrl":"` + foreign + `","x":"`},
			"fields in the metadata": {Metadata: map[string]string{
				"inviteUrl": foreign, "sessionId": other, "data": `{"sessionId":"` + other, "type": string(EventCandidateInvited),
				"zz": foreign + `"`,
			}},
			"fields in the external id and the email": {ExternalID: ptr(`"inviteUrl":"` + foreign + `"`),
				CandidateEmail: `{"data":{"sessionId":"` + other + `","`},
		} {
			data.SessionID, data.Status = own, rules.SessionInvited
			data.InviteURL = stored
			unsigned := render(EventCandidateInvited, data)
			data.InviteURL = signed
			if got, want := signInvite(ring, unsigned), render(EventCandidateInvited, data); got != want {
				t.Errorf("%s: got %s\nwant %s", name, got, want)
			}
			// A link that is signed already stays as it is.
			if got := signInvite(ring, render(EventCandidateInvited, data)); got != render(EventCandidateInvited, data) {
				t.Errorf("%s: a signed link becomes %s", name, got)
			}

			data.InviteURL = foreign // the store writes no such event
			if got := signInvite(ring, render(EventCandidateInvited, data)); got != render(EventCandidateInvited, data) {
				t.Errorf("%s: the link of another session is signed: %s", name, got)
			}

			finished := candidateFinishedData{SessionID: own, CandidateName: data.CandidateName, Metadata: data.Metadata,
				ExternalID: ptr(stored)}
			completed := render(EventCandidateCompleted, finished)
			if got := signInvite(ring, completed); got != completed {
				t.Errorf("%s: candidate.completed becomes %s", name, got)
			}
		}

		unsigned := keys.UnsignedInvite(own, generation)
		for _, token := range []string{
			"", "x", unsigned + "x", unsigned[:30],
			"inv_" + own[4:] + "_-1_", "inv_" + own[4:] + "_01_", "inv_" + own[4:] + "__",
		} {
			body := render(EventCandidateInvited, candidateInvitedData{SessionID: own, InviteURL: link(token)})
			if got := signInvite(ring, body); got != body {
				t.Errorf("the invalid token %q is signed: %s", token, got)
			}
		}
	}

	for _, body := range []string{ // incomplete events
		"", "{}", `{"type":"candidate.invited","data":{"sessionId":"`,
		`{"id":"x","type":"candidate.invited","data":{"sessionId":"` + own,
		fmt.Sprintf(`{"id":"x","type":"candidate.invited","data":{"sessionId":"%s","inviteUrl":"`, own),
	} {
		if got := signInvite(ring, body); got != body {
			t.Errorf("%s becomes %s", body, got)
		}
	}
}

func testRing(t testing.TB) *keys.Ring {
	t.Helper()
	ring, err := keys.New(strings.Repeat("k", 32))
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func ptr[T any](v T) *T { return &v }

func BenchmarkSignInvite(b *testing.B) {
	ring := testRing(b)
	const id = "ses_01kae3v5zg8r6w2c4n7q9t1x3y"
	body, err := envelope{ID: "evt_01kae3v5zg8r6w2c4n7q9t1x3y", Type: EventCandidateInvited, Data: candidateInvitedData{
		SessionID: id, CandidateName: "Grace Hopper", InviteURL: "https://assay.example/take#" + keys.UnsignedInvite(id, 1),
	}}.render()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		signInvite(ring, body)
	}
}
