package request

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strings"
	"testing"
	"time"

	"assay/store/keys"
)

const tokenTestSecret = "a master secret of the tests, long enough"

var tokenTestTime = time.Date(2026, 11, 20, 10, 0, 0, 123456789, time.UTC)

func tokenTestKeys(t testing.TB, master string, previous ...string) *keys.Ring {
	t.Helper()
	keys, err := keys.New(master, previous...)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func tokensAt(keys *keys.Ring, now time.Time) *tokens {
	return newTokens(keys, func() time.Time { return now })
}

// tokenTestClaims returns the claims of a live session.
func tokenTestClaims(kind tokenKind) tokenClaims {
	claims := tokenClaims{
		Subject:        "usr_01hzzzzzzzzzzzzzzzzzzzzzzz",
		IssuedAt:       tokenTestTime.Unix(),
		SessionID:      "lgn_01hzzzzzzzzzzzzzzzzzzzzzzy",
		OrganizationID: "org_01hzzzzzzzzzzzzzzzzzzzzzzx",
	}

	switch kind {
	case refreshKind:
		claims.Generation = 7
	case resultKind:
		claims.Subject, claims.SessionID = "ses_01hzzzzzzzzzzzzzzzzzzzzzzz", ""
	}
	return claims
}

// forEachTokenKind runs a subtest for each kind of token.
func forEachTokenKind(t *testing.T, run func(t *testing.T, kind tokenKind)) {
	t.Helper()
	for _, kind := range []tokenKind{accessKind, refreshKind, resultKind} {
		t.Run(kind.typ, func(t *testing.T) {
			t.Parallel()
			run(t, kind)
		})
	}
}

// parse returns the claims that mint encoded, with issuer, audience and expiry. A token
// has at most 400 bytes.
func TestTokenRoundTrip(t *testing.T) {
	t.Parallel()
	forEachTokenKind(t, func(t *testing.T, kind tokenKind) {
		tokens := tokensAt(tokenTestKeys(t, tokenTestSecret), tokenTestTime)
		want := tokenTestClaims(kind)
		token := tokens.mint(kind, want)
		want.Issuer, want.Audience, want.ExpiresAt = "assay", kind.audience, want.IssuedAt+int64(kind.lifetime.Seconds())
		got, err := tokens.parse(kind, token)
		if err != nil || got != want {
			t.Errorf("parsed %+v, %v, want %+v", got, err, want)
		}
		if len(token) > 400 {
			t.Errorf("the token has %d bytes, want at most 400", len(token))
		}
	})
}

// The type, the audience and the lifetime of each kind are fixed. A change would break
// tokens that clients already hold.
func TestTokenKinds(t *testing.T) {
	t.Parallel()
	for kind, want := range map[tokenKind]string{
		accessKind:  "at+jwt assay/access 15m0s",
		refreshKind: "rt+jwt assay/refresh 168h0m0s",
		resultKind:  "result+jwt assay/result 15m0s",
	} {
		if got := fmt.Sprint(kind.typ, " ", kind.audience, " ", kind.lifetime); got != want {
			t.Errorf("the kind is %s, want %s", got, want)
		}
	}
}

// mint returns the same bytes for the same claims on every server at any time, and
// different bytes for different claims.
func TestMintIsDeterministic(t *testing.T) {
	t.Parallel()
	forEachTokenKind(t, func(t *testing.T, kind tokenKind) {
		claims := tokenTestClaims(kind)
		token := tokensAt(tokenTestKeys(t, tokenTestSecret), tokenTestTime).mint(kind, claims)
		later := tokensAt(tokenTestKeys(t, tokenTestSecret), tokenTestTime.Add(time.Hour))
		if later.mint(kind, claims) != token {
			t.Error("another server mints different bytes an hour later")
		}
		for name, change := range map[string]func(*tokenClaims){
			"sub": func(c *tokenClaims) { c.Subject += "a" },
			"sid": func(c *tokenClaims) { c.SessionID += "a" },
			"org": func(c *tokenClaims) { c.OrganizationID += "a" },
			"gen": func(c *tokenClaims) { c.Generation++ },
			"iat": func(c *tokenClaims) { c.IssuedAt++ },
			"exp": func(c *tokenClaims) { c.ExpiresAt = c.IssuedAt + 1 },
		} {
			changed := claims
			change(&changed)
			if later.mint(kind, changed) == token {
				t.Errorf("a different %s results in the same bytes", name)
			}
		}
	})
}

// mint shortens an expiry that is beyond the lifetime of the kind.
func TestMintBoundsLifetime(t *testing.T) {
	t.Parallel()
	forEachTokenKind(t, func(t *testing.T, kind tokenKind) {
		tokens := tokensAt(tokenTestKeys(t, tokenTestSecret), tokenTestTime)
		claims := tokenTestClaims(kind)
		lifetime := int64(kind.lifetime.Seconds())
		for requested, want := range map[int64]int64{
			0: lifetime, 60: 60, lifetime: lifetime, lifetime + 1: lifetime, 1e9: lifetime,
		} {
			claims.ExpiresAt = 0
			if requested != 0 {
				claims.ExpiresAt = claims.IssuedAt + requested
			}
			got, err := tokens.parse(kind, tokens.mint(kind, claims))
			if err != nil || got.ExpiresAt-got.IssuedAt != want {
				t.Errorf("requested %d s: %d s, %v; want %d s", requested, got.ExpiresAt-got.IssuedAt, err, want)
			}
		}
	})
}

// A token is valid from five seconds before iat, for clock differences between servers,
// until just before exp.
func TestTokenTimes(t *testing.T) {
	t.Parallel()
	forEachTokenKind(t, func(t *testing.T, kind tokenKind) {
		keys := tokenTestKeys(t, tokenTestSecret)
		claims := tokenTestClaims(kind)
		token := tokensAt(keys, tokenTestTime).mint(kind, claims)
		start := time.Unix(claims.IssuedAt, 0)
		for _, test := range []struct {
			after time.Duration // from iat to the parser's now
			want  error
		}{
			{-time.Hour, errTokenInvalid},
			{-6 * time.Second, errTokenInvalid},
			{-5*time.Second - 1, errTokenInvalid},
			{-5 * time.Second, nil},
			{-time.Second, nil},
			{0, nil},
			{kind.lifetime - time.Second, nil},
			{kind.lifetime - 1, nil},
			{kind.lifetime, errTokenExpired},
			{kind.lifetime + 5*time.Second, errTokenExpired},
			{kind.lifetime + time.Hour, errTokenExpired},
			{100 * 365 * 24 * time.Hour, errTokenExpired},
		} {
			got, err := tokensAt(keys, start.Add(test.after)).parse(kind, token)
			if !errors.Is(err, test.want) {
				t.Errorf("%s after iat: %v, want %v", test.after, err, test.want)
			}
			if errors.Is(err, errTokenInvalid) != (got == (tokenClaims{})) {
				t.Errorf("%s after iat: an invalid token must have no claims, and only an invalid one", test.after)
			}
		}
	})
}

// parse rejects every hostile token as invalid, without claims. It reports expiry only
// for tokens that were valid once, so that expiry reveals nothing about forged tokens.
func TestHostileTokens(t *testing.T) {
	t.Parallel()
	forEachTokenKind(t, func(t *testing.T, kind tokenKind) {
		keys := tokenTestKeys(t, tokenTestSecret, "the master secret before this one, long enough")
		now := tokensAt(keys, tokenTestTime)
		later := tokensAt(keys, tokenTestTime.Add(100*365*24*time.Hour))
		accepted := now.mint(kind, tokenTestClaims(kind))
		if _, err := now.parse(kind, accepted); err != nil {
			t.Fatalf("the valid token is rejected: %v", err)
		}
		names := make(map[string]bool)

		for _, form := range hostileTokens(t, keys, kind, tokenTestClaims(kind)) {
			if names[form.name] || form.token == accepted {
				t.Errorf("%s: the name is not unique, or the token is the valid one", form.name)
			}
			names[form.name] = true
			claims, err := now.parse(kind, form.token)
			if !errors.Is(err, errTokenInvalid) || claims != (tokenClaims{}) {
				t.Errorf("%s: error %v, claims %+v, want errTokenInvalid and none", form.name, err, claims)
			}

			// Expiry is reported only for a token that was valid once.
			_, err = later.parse(kind, form.token)
			if !errors.Is(err, errTokenInvalid) && !validAtItsTime(keys, kind, form.token) {
				t.Errorf("%s: error %v a hundred years later, want errTokenInvalid", form.name, err)
			}
		}

		if len(names) < 45 {
			t.Errorf("only %d hostile tokens, want at least 45", len(names))
		}
	})
}

// validAtItsTime reports whether a token is valid at its own iat. A token with an iat
// in the future is invalid now and becomes valid later.
func validAtItsTime(keys *keys.Ring, kind tokenKind, token string) bool {
	var claims tokenClaims
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil || json.Unmarshal(payload, &claims) != nil {
		return false
	}
	_, err = tokensAt(keys, time.Unix(claims.IssuedAt, 0)).parse(kind, token)
	return err == nil
}

// After a rotation of the master secret, a token that a configured previous secret signed
// remains valid. Only the current secret signs new tokens.
func TestTokenSecretRotation(t *testing.T) {
	t.Parallel()
	forEachTokenKind(t, func(t *testing.T, kind tokenKind) {
		const second, third = tokenTestSecret + " 2", tokenTestSecret + " 3"
		claims := tokenTestClaims(kind)
		at := func(now time.Time, master string, previous ...string) *tokens {
			return tokensAt(tokenTestKeys(t, master, previous...), now)
		}
		token := at(tokenTestTime, tokenTestSecret).mint(kind, claims)
		rotated := at(tokenTestTime, third, second, tokenTestSecret)
		if _, err := rotated.parse(kind, token); err != nil {
			t.Errorf("a token of a previous secret: %v", err)
		}
		if rotated.mint(kind, claims) == token {
			t.Error("mint still signs with the previous secret")
		}

		if _, err := at(tokenTestTime, third, second).parse(kind, token); !errors.Is(err, errTokenInvalid) {
			t.Errorf("a token of an unknown secret: %v", err)
		}

		expired := tokenTestTime.Add(kind.lifetime)
		if _, err := at(expired, third, tokenTestSecret).parse(kind, token); !errors.Is(err, errTokenExpired) {
			t.Errorf("an expired token of a previous secret: %v", err)
		}
		if _, err := at(expired, third, second).parse(kind, token); !errors.Is(err, errTokenInvalid) {
			t.Errorf("an expired token of an unknown secret: %v", err)
		}
	})
}

// An unknown kind is a programming error.
func TestUnknownTokenKindPanics(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(*tokens){
		"mint":  func(tokens *tokens) { tokens.mint(tokenKind{}, tokenClaims{}) },
		"parse": func(tokens *tokens) { _, _ = tokens.parse(tokenKind{typ: "at+jwt"}, "") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call(tokensAt(tokenTestKeys(t, tokenTestSecret), tokenTestTime))
		}()
	}
}

// tokenForge builds variants of a valid token. It has the signing key.
type tokenForge struct {
	t         testing.TB
	masters   *keys.Ring
	kind      tokenKind
	values    tokenClaims
	key       []byte
	token     string // the valid token
	header    string // its parts, encoded
	payload   string
	signature string
	members   [][2]string // the claims as names and JSON values, in order
}

// newForge returns a forge for the valid token for claims.
func newForge(t testing.TB, keys *keys.Ring, kind tokenKind, claims tokenClaims) *tokenForge {
	t.Helper()
	token := newTokens(keys, nil).mint(kind, claims)
	parts := strings.Split(token, ".")
	forge := &tokenForge{
		t: t, masters: keys, kind: kind, key: keys.Signing(kind.purpose),
		token: token, header: parts[0], payload: parts[1], signature: parts[2],
	}
	decoded, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(decoded, &forge.values); err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(decoded))

	for _, err = decoder.Token(); decoder.More(); {
		name, _ := decoder.Token()
		var value json.RawMessage
		err = decoder.Decode(&value)
		forge.members = append(forge.members, [2]string{fmt.Sprint(name), string(value)})
	}

	if err != nil || forge.object() != string(decoded) || forge.sign(forge.headerText(), forge.object()) != token {
		t.Fatalf("the forge does not reproduce the valid token (%v)", err)
	}
	return forge
}

func (f *tokenForge) headerText() string {
	return fmt.Sprintf(`{"alg":"HS256","typ":%q}`, f.kind.typ)
}

// object returns the claims as JSON with changes, which are pairs of a name and a JSON
// value. A change replaces or adds a claim. An empty value removes it.
func (f *tokenForge) object(changes ...[2]string) string {
	members := append([][2]string(nil), f.members...)
	for _, change := range changes {
		found := false
		for i, member := range members {
			if member[0] == change[0] {
				members[i][1], found = change[1], true
			}
		}

		if !found {
			members = append(members, change)
		}
	}

	var texts []string
	for _, member := range members {
		if member[1] != "" {
			texts = append(texts, `"`+member[0]+`":`+member[1])
		}
	}

	return "{" + strings.Join(texts, ",") + "}"
}

func (f *tokenForge) sign(header, payload string) string {
	return f.signWith(sha256.New, f.key, header, payload)
}

func (f *tokenForge) signWith(hash func() hash.Hash, key []byte, header, payload string) string {
	text := encodeSegment([]byte(header)) + "." + encodeSegment([]byte(payload))
	return text + "." + encodeSegment(hmacOf(hash, key, text))
}

func hmacOf(hash func() hash.Hash, key []byte, text string) []byte {
	mac := hmac.New(hash, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
