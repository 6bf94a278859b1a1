package request

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"assay/store/keys"
)

const (
	tokenIssuer    = "assay"
	maxTokenLength = 1024            // our tokens are under 400 bytes; a longer one is not parsed
	tokenClockSkew = 5 * time.Second // how far ahead the clock of another replica may be
)

// tokenKind is one of the three uses of a JWT. Each has its own key, audience
// and typ (RFC 8725, sections 3.11 and 3.12), so that no token is valid for another use.
type tokenKind struct {
	typ, audience, purpose string
	lifetime               time.Duration
}

var (
	// accessKind authenticates a person's request. sub is the user, sid the login session, gen its generation.
	accessKind = tokenKind{"at+jwt", "assay/access", keys.PurposeAccessToken, 15 * time.Minute}
	// refreshKind is exchanged for the next pair. sub is the user, sid the login session, gen its generation.
	refreshKind = tokenKind{"rt+jwt", "assay/refresh", keys.PurposeRefreshToken, 7 * 24 * time.Hour}
	// resultKind permits reading one result. sub is the candidate session; there is no sid.
	resultKind = tokenKind{"result+jwt", "assay/result", keys.PurposeResultToken, 15 * time.Minute}
)

var (
	// errTokenInvalid is the error of a token that is forged, or not for this use.
	errTokenInvalid = errors.New("the token is invalid")
	// errTokenExpired is the error of a token that is valid except for its time.
	errTokenExpired = errors.New("the token has expired")
)

// tokenClaims is the payload of every token (RFC 7519, section 4). Times are
// whole seconds since 1970. The order of the fields is the order of the bytes, so
// new fields go last and have omitempty. Any other change invalidates all tokens
// in use.
type tokenClaims struct {
	Issuer         string `json:"iss"`
	Audience       string `json:"aud"`
	Subject        string `json:"sub"`
	IssuedAt       int64  `json:"iat"`
	ExpiresAt      int64  `json:"exp"`
	SessionID      string `json:"sid,omitempty"`
	OrganizationID string `json:"org"`
	Generation     int64  `json:"gen,omitempty"`
}

// tokens mints and parses JWTs. It has no state. Nothing may be cached under a
// token's text.
type tokens struct {
	codecs map[tokenKind]*tokenCodec // pointers, so that an unknown kind panics and never signs without a key
}

// tokenCodec signs and verifies the tokens of one kind.
type tokenCodec struct {
	header    string // the encoded header with its dot, which every token of the kind begins with
	signing   []byte
	verifying [][]byte // the current and the previous keys
	now       func() time.Time
}

// newTokens makes the tokens of all kinds; now is the clock of parse.
func newTokens(keys *keys.Ring, now func() time.Time) *tokens {
	t := &tokens{codecs: make(map[tokenKind]*tokenCodec)}
	for _, kind := range []tokenKind{accessKind, refreshKind, resultKind} {
		t.codecs[kind] = &tokenCodec{
			header:    encodeSegment([]byte(`{"alg":"HS256","typ":"`+kind.typ+`"}`)) + ".",
			signing:   keys.Signing(kind.purpose),
			verifying: keys.Verifying(kind.purpose),
			now:       now,
		}
	}
	return t
}

// mint signs claims as a token of a kind, and sets Issuer and Audience. The caller
// sets IssuedAt, because the same claims must give the same bytes: a repeated
// refresh returns the tokens of a lost response. ExpiresAt can shorten the lifetime
// of the kind but not extend it. 0 means the full lifetime.
func (t *tokens) mint(kind tokenKind, claims tokenClaims) string {
	claims.Issuer, claims.Audience = tokenIssuer, kind.audience
	latest := claims.IssuedAt + int64(kind.lifetime/time.Second)
	if claims.ExpiresAt == 0 || claims.ExpiresAt > latest {
		claims.ExpiresAt = latest
	}

	codec := t.codecs[kind]
	text := codec.header + claims.segment()
	signature, err := jwt.SigningMethodHS256.Sign(text, codec.signing)
	if err != nil {
		panic("tokens: " + err.Error()) // only for a key that is not []byte
	}
	return text + "." + encodeSegment(signature)
}

// parse returns the claims of a token that mint made for this kind with the
// current or a previous key. Its errors are errTokenInvalid, and errTokenExpired
// together with the claims if only the time is wrong. The caller must check that
// the session of the claims is still active.
func (t *tokens) parse(kind tokenKind, raw string) (tokenClaims, error) {
	codec := t.codecs[kind]
	payload, ok := codec.verified(raw)
	if !ok {
		return tokenClaims{}, errTokenInvalid
	}
	var claims tokenClaims
	decoded, err := strictBase64.DecodeString(payload)
	if err != nil || json.Unmarshal(decoded, &claims) != nil {
		return tokenClaims{}, errTokenInvalid
	}

	// The decoder accepts names that are repeated, unknown, or in another case. Only the
	// exact bytes that mint writes are valid.
	if claims.segment() != payload || !claims.valid(kind, codec.now()) {
		return tokenClaims{}, errTokenInvalid
	}
	if codec.now().Unix() >= claims.ExpiresAt { // the skew applies to iat only
		return claims, errTokenExpired
	}
	return claims, nil
}

// verified returns the second segment of a token whose signature is right. It checks
// the form before any decoding or hashing. The exact header gives the sender no choice
// of algorithm or key (RFC 8725, section 3.1). jwt.Parser would decode the header of each
// token, which is a quarter of its time. The alphabet excludes the carriage returns and
// newlines that Go's decoder skips.
func (c *tokenCodec) verified(raw string) (payload string, ok bool) {
	rest, ok := strings.CutPrefix(raw, c.header)
	if !ok || len(raw) > maxTokenLength {
		return "", false
	}
	payload, encoded, ok := strings.Cut(rest, ".")
	if !ok || len(encoded) != base64.RawURLEncoding.EncodedLen(sha256.Size) {
		return "", false
	}
	if !isBase64URL(payload) || !isBase64URL(encoded) {
		return "", false
	}
	signature, err := strictBase64.DecodeString(encoded)
	if err != nil {
		return "", false
	}
	text := raw[:len(c.header)+len(payload)]
	return payload, slices.ContainsFunc(c.verifying, func(key []byte) bool {
		return jwt.SigningMethodHS256.Verify(text, signature, key) == nil
	})
}

// valid checks all claims except whether exp has passed.
func (c tokenClaims) valid(kind tokenKind, now time.Time) bool {
	if c.Issuer != tokenIssuer || c.Audience != kind.audience || c.Subject == "" || c.OrganizationID == "" {
		return false
	}
	if c.IssuedAt <= 0 || c.IssuedAt > now.Add(tokenClockSkew).Unix() {
		return false
	}
	return c.ExpiresAt > c.IssuedAt && c.ExpiresAt-c.IssuedAt <= int64(kind.lifetime/time.Second)
}

// segment encodes the claims as a token's second segment.
func (c tokenClaims) segment() string {
	encoded, err := json.Marshal(c)
	if err != nil {
		panic("tokens: " + err.Error()) // strings and integers always encode
	}
	return encodeSegment(encoded)
}

// strictBase64 rejects a last character that differs only in bits without a meaning.
var strictBase64 = base64.RawURLEncoding.Strict()

func encodeSegment(segment []byte) string { return base64.RawURLEncoding.EncodeToString(segment) }

func isBase64URL(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlphanumeric(rune(c)) && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
