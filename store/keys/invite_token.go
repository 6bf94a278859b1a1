package keys

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"hash"
	"strconv"
	"strings"
	"sync"
)

// A session's id is SessionIDPrefix and a ULID of ULIDLength lower-case characters.
const (
	SessionIDPrefix = "ses_"
	ULIDLength      = 26
)

const (
	inviteTokenPrefix   = "inv_"
	crockfordAlphabet   = "0123456789abcdefghjkmnpqrstvwxyz" // lower case, without i, l, o, and u
	maxGenerationDigits = 9                                  // fits an int of 32 bits
)

// InviteToken returns the bearer token of a candidate's invite:
// inv_<ulid of the session id>_<generation>_<HMAC-SHA256, base64url>. It is the
// same on each call, so that the invite link can be shown again. It is valid
// until the session gets another generation.
func (k *Ring) InviteToken(sessionID string, generation int) string {
	return k.invites[0].token(sessionID, generation)
}

// inviteSigner makes invite tokens with one key. A list has a token for each session, and a
// MAC that is used again has hashed its key already.
type inviteSigner struct {
	macs sync.Pool // of hash.Hash
}

func newInviteSigner(key []byte) *inviteSigner {
	return &inviteSigner{sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

func (s *inviteSigner) token(sessionID string, generation int) string {
	mac := s.macs.Get().(hash.Hash)
	defer s.macs.Put(mac)
	mac.Reset()
	mac.Write([]byte(sessionID + "\x00" + strconv.Itoa(generation)))
	return UnsignedInvite(sessionID, generation) + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// UnsignedInvite is an invite token without its signature. It opens nothing.
func UnsignedInvite(sessionID string, generation int) string {
	return inviteTokenPrefix + strings.TrimPrefix(sessionID, SessionIDPrefix) + "_" + strconv.Itoa(generation) + "_"
}

// ParseInviteToken returns the session and the generation of an invite token, or
// false for anything that InviteToken did not make with the current or a previous
// secret. The caller compares the generation with the session's current one.
func (k *Ring) ParseInviteToken(token string) (sessionID string, generation int, ok bool) {
	sessionID, generation, ok = splitInviteToken(token)
	if !ok {
		return "", 0, false
	}
	// It compares the whole text and not the decoded signature, because base64 and
	// numbers have several spellings of one value. A token has only one.
	for i := range k.Verifying(PurposeInviteToken) {
		want := k.invites[i].token(sessionID, generation)
		if subtle.ConstantTimeCompare([]byte(token), []byte(want)) == 1 {
			return sessionID, generation, true
		}
	}
	return "", 0, false
}

// splitInviteToken reads the unsigned parts of an invite token. It also bounds
// the length of what is hashed afterwards.
func splitInviteToken(token string) (sessionID string, generation int, ok bool) {
	rest, ok := strings.CutPrefix(token, inviteTokenPrefix)
	if !ok || len(rest) <= ULIDLength || rest[ULIDLength] != '_' {
		return "", 0, false
	}
	ulid, rest := rest[:ULIDLength], rest[ULIDLength+1:]
	if strings.Trim(ulid, crockfordAlphabet) != "" {
		return "", 0, false
	}
	number, signature, ok := strings.Cut(rest, "_")
	if !ok || len(number) > maxGenerationDigits || len(signature) != base64.RawURLEncoding.EncodedLen(sha256.Size) {
		return "", 0, false
	}
	generation, err := strconv.Atoi(number)
	if err != nil || generation < 0 {
		return "", 0, false
	}
	return SessionIDPrefix + ulid, generation, true
}
