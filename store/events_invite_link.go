package store

import (
	"strconv"
	"strings"

	"assay/store/keys"
)

// signInvites puts the signatures of invite tokens into events: the database
// holds none, so that whoever reads it, or a copy, cannot pass for a candidate.
func (s *Store) signInvites(events []Event) {
	for i := range events {
		events[i].Body = signInvite(s.opts.Keys, events[i].Body)
	}
}

// signInvite completes the link of a stored candidate.invited. What a client
// wrote stands between the session's id and the link, so the first of the one
// and the last of the other are ours, and no other session's link is signed.
func signInvite(k *keys.Ring, body string) string {
	_, data, invited := strings.Cut(body, `,"type":"`+string(EventCandidateInvited)+`",`)
	_, data, found := strings.Cut(data, `"data":{"sessionId":"`)
	if !invited || !found || len(data) < len(keys.SessionIDPrefix)+keys.ULIDLength {
		return body
	}
	sessionID := data[:len(keys.SessionIDPrefix)+keys.ULIDLength]
	const field = `"inviteUrl":"`
	start := strings.LastIndex(body, field) + len(field)
	end := start + max(0, strings.IndexByte(body[start:], '"'))
	_, token, _ := strings.Cut(body[start:end], "/take#")
	number, own := strings.CutPrefix(token, strings.TrimSuffix(keys.UnsignedInvite(sessionID, 0), "0_"))
	generation, err := strconv.Atoi(strings.TrimSuffix(number, "_"))
	if !own || err != nil || generation < 0 || token != keys.UnsignedInvite(sessionID, generation) {
		return body // of another form, such as one that an earlier version signed
	}
	return body[:end] + strings.TrimPrefix(k.InviteToken(sessionID, generation), token) + body[end:]
}
