package store

import (
	"strconv"
	"strings"

	"assay/store/keys"
)

// signInvites completes the invite links in events. The database has no signatures
// of invite tokens, so that nobody who reads it or a copy can act as a candidate.
func (s *Store) signInvites(events []Event) {
	for i := range events {
		events[i].Body = signInvite(s.opts.Keys, events[i].Body)
	}
}

// signInvite completes the link of a stored candidate.invited. It searches the body
// without decoding it. Text from clients can imitate a session id or a link, but it
// is only between the two, so the first session id and the last link are genuine.
// signInvite signs a link only if it belongs to that session.
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
	_, token, _ := strings.Cut(body[start:end], takePath)
	number, own := strings.CutPrefix(token, strings.TrimSuffix(keys.UnsignedInvite(sessionID, 0), "0_"))
	generation, err := strconv.Atoi(strings.TrimSuffix(number, "_"))
	if !own || err != nil || generation < 0 || token != keys.UnsignedInvite(sessionID, generation) {
		return body // another form, such as a link that was stored with its signature
	}
	return body[:end] + strings.TrimPrefix(k.InviteToken(sessionID, generation), token) + body[end:]
}
