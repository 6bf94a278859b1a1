package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/store/keys"

	"assay/store/rules"
)

// A stored event is signed for its own session and for no other, whatever the
// client wrote into it, and nothing else of it changes.
func TestSignInvite(t *testing.T) {
	ring, err := keys.New(strings.Repeat("k", 32))
	if err != nil {
		t.Fatal(err)
	}
	const own, other = "ses_01kae3v5zg8r6w2c4n7q9t1x3y", "ses_01kae3v5zg8r6w2c4n7q9t1x3z"
	link := func(token string) string { return "https://assay.example/take/take#" + token }
	of := func(kind EventType, data any) string {
		body, err := envelope{ID: "evt_01kae3v5zg8r6w2c4n7q9t1x3y", Type: kind, Timestamp: wireTime(time.Unix(1, 0)), OrganizationID: "org_x", Data: data}.render()
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	for _, generation := range []int{0, 1, 12, 999_999_999} {
		stored, signed := link(keys.UnsignedInvite(own, generation)), link(ring.InviteToken(own, generation))
		stolen := link(keys.UnsignedInvite(other, 1))
		for name, data := range map[string]candidateInvitedData{
			"plain":               {CandidateName: "Grace"},
			"a link as the name":  {CandidateName: stolen},
			"a field as the name": {CandidateName: `","inviteUrl":"` + stolen + `","x":"`},
			"fields as metadata": {Metadata: map[string]string{
				"inviteUrl": stolen, "sessionId": other, "data": `{"sessionId":"` + other, "type": string(EventCandidateInvited), "zz": stolen + `"`,
			}},
			"a field at the end": {ExternalID: ptr(`"inviteUrl":"` + stolen + `"`), CandidateEmail: `{"data":{"sessionId":"` + other + `","`},
		} {
			data.SessionID, data.Status = own, rules.SessionInvited
			data.InviteURL = stored
			before := of(EventCandidateInvited, data)
			data.InviteURL = signed
			if got, want := signInvite(ring, before), of(EventCandidateInvited, data); got != want {
				t.Errorf("%s: %s\nwant %s", name, got, want)
			}
			if got := signInvite(ring, of(EventCandidateInvited, data)); got != of(EventCandidateInvited, data) {
				t.Errorf("%s, signed already: %s", name, got)
			}
			data.InviteURL = stolen // as no event of ours has it
			if got := signInvite(ring, of(EventCandidateInvited, data)); got != of(EventCandidateInvited, data) {
				t.Errorf("%s: another session's link is signed: %s", name, got)
			}
			finished := candidateFinishedData{SessionID: own, CandidateName: data.CandidateName, Metadata: data.Metadata, ExternalID: ptr(stored)}
			if got := signInvite(ring, of(EventCandidateCompleted, finished)); got != of(EventCandidateCompleted, finished) {
				t.Errorf("%s, finished: %s", name, got)
			}
		}
		for _, token := range []string{"", "x", keys.UnsignedInvite(own, generation) + "x", keys.UnsignedInvite(own, generation)[:30], "inv_" + own[4:] + "_-1_", "inv_" + own[4:] + "_01_", "inv_" + own[4:] + "__"} {
			body := of(EventCandidateInvited, candidateInvitedData{SessionID: own, InviteURL: link(token)})
			if got := signInvite(ring, body); got != body {
				t.Errorf("%q is signed: %s", token, got)
			}
		}
	}
	for _, body := range []string{"", "{}", `{"type":"candidate.invited","data":{"sessionId":"`, `{"id":"x","type":"candidate.invited","data":{"sessionId":"` + own, fmt.Sprintf(`{"id":"x","type":"candidate.invited","data":{"sessionId":"%s","inviteUrl":"`, own)} {
		if got := signInvite(ring, body); got != body {
			t.Errorf("%s: %s", body, got)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func BenchmarkSignInvite(b *testing.B) {
	ring, err := keys.New(strings.Repeat("k", 32))
	if err != nil {
		b.Fatal(err)
	}
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
