package keys

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
)

// linkPrefixes are the beginnings of the tokens of links.
var linkPrefixes = map[string]string{
	PurposePasswordReset: "pwr_",
	PurposeUnsubscribe:   "uns_",
	PurposeConfirmation:  "cnf_",
	PurposeEmailProof:    "prf_",
	PurposeInviteProof:   "ivp_",
	PurposeResultLink:    "", // the id has a prefix
}

// InvitationPrefix is the beginning of the token of an invitation to an organization.
const InvitationPrefix = "mbr_"

// maxLinkToken bounds the length of what is hashed.
const maxLinkToken = 200

// LinkToken returns the token of a link about the resource with the id:
// <prefix><id>_<HMAC-SHA256, base64url>. It is the same on each call, so that nothing
// has to store it. The purpose is
// PurposePasswordReset, PurposeUnsubscribe, PurposeConfirmation, PurposeEmailProof,
// PurposeInviteProof, or PurposeResultLink.
func (k *Ring) LinkToken(purpose, id string) string {
	return linkToken(k.Signing(purpose), purpose, id)
}

func linkToken(key []byte, purpose, id string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id))
	return linkPrefixes[purpose] + id + "_" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// ParseLinkToken returns the id in a token that LinkToken made with the current or a
// previous secret, or false for any other text.
func (k *Ring) ParseLinkToken(purpose, token string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(token, linkPrefixes[purpose])
	macLength := base64.RawURLEncoding.EncodedLen(sha256.Size)
	if !ok || len(token) > maxLinkToken || len(rest) <= macLength+1 {
		return "", false
	}
	id = rest[:len(rest)-macLength-1]
	for _, key := range k.Verifying(purpose) {
		if subtle.ConstantTimeCompare([]byte(token), []byte(linkToken(key, purpose, id))) == 1 {
			return id, true
		}
	}
	return "", false
}

// InvitationTokens returns the tokens of an invitation to an organization, mbr_ and 64
// hexadecimal digits: the token of the current secret first, then the tokens of the previous secrets.
// Each is the same on each call, so that an email can repeat the link.
func (k *Ring) InvitationTokens(id string, generation int) []string {
	var tokens []string
	for _, key := range k.Verifying(PurposeInvitation) {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "\x00" + strconv.Itoa(generation)))
		tokens = append(tokens, InvitationPrefix+hex.EncodeToString(mac.Sum(nil)))
	}
	return tokens
}
