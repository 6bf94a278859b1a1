package request

import (
	"errors"
	"testing"
	"time"

	"assay/store/keys"
)

// parse accepts a token only if mint returns exactly these bytes for its claims. This
// holds for arbitrary tokens and for arbitrary payloads with a valid signature. An
// accepted token is rejected as another kind, under another secret, and after any
// change. A minted token is accepted until its expiry.
func FuzzParseToken(f *testing.F) {
	keys := tokenTestKeys(f, tokenTestSecret)
	stranger := tokenTestKeys(f, "some other master secret, also long enough")
	rotated := tokenTestKeys(f, "some other master secret, also long enough", tokenTestSecret)

	for _, kind := range []tokenKind{accessKind, refreshKind, resultKind} {
		forge := newForge(f, keys, kind, tokenTestClaims(kind))
		f.Add(forge.token, []byte(forge.object()), int64(0), uint16(0))
		f.Add(forge.token+"\n", []byte(forge.object([2]string{"iat", "1"}, [2]string{"exp", "2"})),
			int64(kind.lifetime/time.Second), uint16(40))
		f.Add(forge.sign(`{"alg":"none"}`, forge.object()), []byte(forge.object([2]string{"Iss", `"assay"`})), int64(-6),
			uint16(300))
	}

	f.Fuzz(func(t *testing.T, raw string, payload []byte, seconds int64, position uint16) {
		now := tokenTestTime.Add(time.Duration(seconds%(1<<22)) * time.Second)
		tokens := tokensAt(keys, now)
		for _, kind := range []tokenKind{accessKind, refreshKind, resultKind} {
			forge := tokenForge{key: keys.Signing(kind.purpose), kind: kind}
			minted := tokens.mint(kind, tokenTestClaims(kind))
			for _, token := range []string{raw, forge.sign(forge.headerText(), string(payload)), minted} {
				claims, err := tokens.parse(kind, token)
				if errors.Is(err, errTokenInvalid) {
					if claims != (tokenClaims{}) {
						t.Errorf("%s: an invalid token has claims", kind.typ)
					}
					continue
				}

				if err != nil && !errors.Is(err, errTokenExpired) {
					t.Fatalf("%s: unexpected error %v", kind.typ, err)
				}
				if tokens.mint(kind, claims) != token {
					t.Errorf("%s: parse accepts a token that mint does not return: %q", kind.typ, token)
				}
				if (err == nil) != (now.Unix() < claims.ExpiresAt) || claims.IssuedAt > now.Add(tokenClockSkew).Unix() {
					t.Errorf("%s: %v at %d for %+v", kind.typ, err, now.Unix(), claims)
				}
				if _, rotatedErr := tokensAt(rotated, now).parse(kind, token); !errors.Is(rotatedErr, err) {
					t.Errorf("%s: %v after the rotation of the secret, %v before", kind.typ, rotatedErr, err)
				}
				checkRejectedOtherwise(t, kind, token, position, now, keys, stranger)
			}

			tooEarly := seconds%(1<<22) < -int64(tokenClockSkew/time.Second)
			if _, err := tokens.parse(kind, minted); errors.Is(err, errTokenInvalid) != tooEarly {
				t.Errorf("%s: minted at %s, %v at %s", kind.typ, tokenTestTime, err, now)
			}
		}
	})
}

// checkRejectedOtherwise checks that an accepted token is rejected as another kind,
// under another secret, and with changed bytes.
func checkRejectedOtherwise(
	t *testing.T, kind tokenKind, token string, position uint16, now time.Time, keys, stranger *keys.Ring,
) {
	t.Helper()
	for _, other := range []tokenKind{accessKind, refreshKind, resultKind} {
		if _, err := tokensAt(keys, now).parse(other, token); other != kind && !errors.Is(err, errTokenInvalid) {
			t.Errorf("%s is accepted as %s: %v", kind.typ, other.typ, err)
		}
	}

	if _, err := tokensAt(stranger, now).parse(kind, token); !errors.Is(err, errTokenInvalid) {
		t.Errorf("%s is accepted under another secret: %v", kind.typ, err)
	}
	spoilt := []byte(token)
	at := int(position) % len(token)
	spoilt[at] ^= byte(1 + int(position)/len(token)%255)
	for _, changed := range []string{string(spoilt), token[:at], token + token[at:], token[:at] + token[at+1:]} {
		if _, err := tokensAt(keys, now).parse(kind, changed); !errors.Is(err, errTokenInvalid) {
			t.Errorf("%s is accepted when changed at %d to %q: %v", kind.typ, at, changed, err)
		}
	}
}
