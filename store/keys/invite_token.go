package keys

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strconv"
	"strings"
)

const (
	SessionIDPrefix     = "ses_"
	inviteTokenPrefix   = "inv_"
	ULIDLength          = 26
	crockfordAlphabet   = "0123456789abcdefghjkmnpqrstvwxyz" // lower case, without i, l, o and u
	maxGenerationDigits = 9                                  // fits an int of 32 bits
)

// InviteToken returns the bearer token of a candidate's invite:
// inv_<ulid of the session id>_<generation>_<HMAC-SHA256, base64url>. It is the
// same at each call, so that the invite link can be shown again, and it dies
// when the session's generation moves on.
func (k *Ring) InviteToken(sessionID string, generation int) string {
	return inviteToken(k.Signing(PurposeInviteToken), sessionID, generation)
}

func inviteToken(key []byte, sessionID string, generation int) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(sessionID + "\x00" + strconv.Itoa(generation)))
	return UnsignedInvite(sessionID, generation) + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// unsignedInvite is what of an invite token anybody may know.
func UnsignedInvite(sessionID string, generation int) string {
	return inviteTokenPrefix + strings.TrimPrefix(sessionID, SessionIDPrefix) + "_" + strconv.Itoa(generation) + "_"
}

// ParseInviteToken returns the session and the generation that an invite token
// was made for, or false for anything that InviteToken did not make with the
// current or a previous secret. Whether that generation is still the session's
// own is for the caller to check.
func (k *Ring) ParseInviteToken(token string) (sessionID string, generation int, ok bool) {
	sessionID, generation, ok = splitInviteToken(token)
	if !ok {
		return "", 0, false
	}
	// The whole text is compared, not the decoded signature: one token has one
	// spelling, whatever base64 or the digits of a number would tolerate.
	for _, key := range k.Verifying(PurposeInviteToken) {
		want := inviteToken(key, sessionID, generation)
		if subtle.ConstantTimeCompare([]byte(token), []byte(want)) == 1 {
			return sessionID, generation, true
		}
	}
	return "", 0, false
}

// splitInviteToken reads the unsigned parts of an invite token and bounds its
// length before anything is hashed.
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
