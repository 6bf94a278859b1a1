package server

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"assay/store/keys"

	"github.com/golang-jwt/jwt/v5"
)

const (
	tokenIssuer    = "assay"
	maxTokenLength = 1024            // ours are under 400; nothing longer is looked at
	tokenClockSkew = 5 * time.Second // how far ahead the clock of another replica may be
)

// tokenKind is one of the three uses of a JWT. Each has its own key, audience
// and typ (RFC 8725, sections 3.11 and 3.12), so that none passes for another.
type tokenKind struct {
	typ, audience, purpose string
	lifetime               time.Duration
}

var (
	// accessKind signs a person in on a request. sub is the user, sid the login session.
	accessKind = tokenKind{"at+jwt", "assay/access", keys.PurposeAccessToken, 15 * time.Minute}
	// refreshKind buys the next pair. sub is the user, sid the login session, gen its generation.
	refreshKind = tokenKind{"rt+jwt", "assay/refresh", keys.PurposeRefreshToken, 7 * 24 * time.Hour}
	// resultKind opens one result. sub is the candidate session; there is no sid.
	resultKind = tokenKind{"result+jwt", "assay/result", keys.PurposeResultToken, 15 * time.Minute}
)

var (
	// errTokenInvalid is the error of a token that was never ours, or not for this use.
	errTokenInvalid = errors.New("the token is invalid")
	// errTokenExpired is the error of a token with which only the time is wrong.
	errTokenExpired = errors.New("the token has expired")
)

// tokenClaims is the payload of every token (RFC 7519, section 4). Times are
// whole seconds since 1970. The order of the fields is the order of the bytes:
// append only, with omitempty, or the tokens of the running version all die.
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

// tokens mints and parses JWTs. It holds no state, and nothing may ever be
// cached under a token's text.
type tokens struct {
	codecs map[tokenKind]*tokenCodec // pointers: an unknown kind panics instead of signing with no key
}

// tokenCodec is what one kind needs, made once.
type tokenCodec struct {
	header  string // the encoded header with its dot; a token has this one, or is not ours
	signing []byte
	keys    jwt.VerificationKeySet
	parser  *jwt.Parser
	now     func() time.Time
}

// newTokens makes the tokens of all kinds; now is the clock of parse.
func newTokens(keys *keys.Ring, now func() time.Time) *tokens {
	t := &tokens{codecs: make(map[tokenKind]*tokenCodec)}
	for _, kind := range []tokenKind{accessKind, refreshKind, resultKind} {
		codec := &tokenCodec{
			header:  encodeSegment([]byte(`{"alg":"HS256","typ":"`+kind.typ+`"}`)) + ".",
			signing: keys.Signing(kind.purpose),
			parser: jwt.NewParser(
				jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
				jwt.WithIssuer(tokenIssuer),
				jwt.WithAudience(kind.audience),
				jwt.WithExpirationRequired(),
				jwt.WithIssuedAt(),
				jwt.WithLeeway(tokenClockSkew),
				jwt.WithStrictDecoding(),
				jwt.WithTimeFunc(now),
			),
			now: now,
		}
		for _, key := range keys.Verifying(kind.purpose) {
			codec.keys.Keys = append(codec.keys.Keys, key)
		}
		t.codecs[kind] = codec
	}
	return t
}

// mint signs claims as a token of a kind. The same claims give the same bytes,
// which refresh needs to repeat a lost answer, so the caller sets IssuedAt too.
// Issuer and Audience are set here; ExpiresAt may end the kind's lifetime
// early, never extend it, and 0 means all of it.
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
// current or a previous key, or errTokenInvalid, or errTokenExpired with the
// claims when the time is all that is wrong. The claims say who was meant when
// the token was made; whether their session still lives is for the caller to ask.
func (t *tokens) parse(kind tokenKind, raw string) (tokenClaims, error) {
	codec := t.codecs[kind]
	payload, ok := codec.payload(raw)
	if !ok {
		return tokenClaims{}, errTokenInvalid
	}
	var claims tokenClaims
	_, err := codec.parser.ParseWithClaims(raw, &claims, codec.verificationKeys)
	if err != nil && !errors.Is(err, jwt.ErrTokenExpired) {
		return tokenClaims{}, errTokenInvalid
	}
	// The library reports expiry together with other faults and decodes as
	// encoding/json does: any spelling of a claim, twice or unknown. Byte for
	// byte what mint would write leaves no other spelling.
	if claims.segment() != payload || !claims.valid(kind, codec.now()) {
		return tokenClaims{}, errTokenInvalid
	}
	if codec.now().Unix() >= claims.ExpiresAt { // the leeway is for iat alone
		return claims, errTokenExpired
	}
	return claims, nil
}

// payload checks the form of a token, before any decoding or hashing, and
// returns its second segment. The exact header leaves no choice of algorithm
// or key to the sender (RFC 8725, section 3.1), and the alphabet leaves out
// what Go's decoder skips: carriage returns and newlines.
func (c *tokenCodec) payload(raw string) (string, bool) {
	rest, ok := strings.CutPrefix(raw, c.header)
	if !ok || len(raw) > maxTokenLength {
		return "", false
	}
	payload, signature, ok := strings.Cut(rest, ".")
	if !ok || len(signature) != base64.RawURLEncoding.EncodedLen(sha256.Size) {
		return "", false
	}
	return payload, isBase64URL(payload) && isBase64URL(signature)
}

func (c *tokenCodec) verificationKeys(*jwt.Token) (any, error) { return c.keys, nil }

// valid checks all claims but the passing of exp.
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

// GetExpirationTime makes tokenClaims a jwt.Claims; 0 counts as missing.
func (c tokenClaims) GetExpirationTime() (*jwt.NumericDate, error) {
	return numericDate(c.ExpiresAt), nil
}

// GetIssuedAt makes tokenClaims a jwt.Claims; 0 counts as missing.
func (c tokenClaims) GetIssuedAt() (*jwt.NumericDate, error) { return numericDate(c.IssuedAt), nil }

// GetNotBefore makes tokenClaims a jwt.Claims; our tokens have no nbf.
func (c tokenClaims) GetNotBefore() (*jwt.NumericDate, error) { return nil, nil }

// GetIssuer makes tokenClaims a jwt.Claims.
func (c tokenClaims) GetIssuer() (string, error) { return c.Issuer, nil }

// GetSubject makes tokenClaims a jwt.Claims.
func (c tokenClaims) GetSubject() (string, error) { return c.Subject, nil }

// GetAudience makes tokenClaims a jwt.Claims; the audience is always one.
func (c tokenClaims) GetAudience() (jwt.ClaimStrings, error) {
	return jwt.ClaimStrings{c.Audience}, nil
}

func numericDate(seconds int64) *jwt.NumericDate {
	if seconds == 0 {
		return nil
	}
	return jwt.NewNumericDate(time.Unix(seconds, 0))
}

func encodeSegment(segment []byte) string { return base64.RawURLEncoding.EncodeToString(segment) }

func isBase64URL(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlphanumeric(rune(c)) && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
