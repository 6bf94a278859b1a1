package keys

import (
	"regexp"
	"testing"
)

// ParseInviteToken must accept only results of InviteToken, and return the session
// and generation of the token. It must refuse a token of another secret, and a
// token in which a character was changed, added, or removed. A token remains valid
// when its secret becomes a previous one.
func FuzzParseInviteToken(f *testing.F) {
	const later = "a later master secret, long enough as well"

	var all []*Ring
	for _, secrets := range [][]string{{keysTestSecret}, {later, keysTestSecret}, {later}} {
		keys, err := New(secrets[0], secrets[1:]...)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, keys)
	}
	keys, rotated, foreign := all[0], all[1], all[2]

	token := keys.InviteToken(keysTestSessionID, 12)
	f.Add(token, keysTestSessionID, 12, uint8(30))
	f.Add(foreign.InviteToken(keysTestSessionID, 0), "ses_00000000000000000000000000", 999_999_999, uint8(200))
	f.Add(token+"\n", "ses_01hzzzzzzzzzzzzzzzzzzzzzzzz", 1_000_000_000, uint8(0))
	f.Add("inv_01hzzzzzzzzzzzzzzzzzzzzzzz_-0_"+token[len(token)-43:], "01hzzzzzzzzzzzzzzzzzzzzzzz", -1, uint8(3))
	f.Add("", "ses_01hzzzzzzzzzzzzzzzzzzzzz_1", 1, uint8(31))

	wellFormed := regexp.MustCompile(`^ses_[0-9a-hjkmnp-tv-z]{26}$`)
	f.Fuzz(func(t *testing.T, text, sessionID string, generation int, at uint8) {
		if id, number, ok := keys.ParseInviteToken(text); ok && keys.InviteToken(id, number) != text {
			t.Errorf("%q is accepted for %s, %d", text, id, number)
		} else if !ok && (id != "" || number != 0) {
			t.Errorf("%q is refused with %q, %d", text, id, number)
		}

		made := keys.InviteToken(sessionID, generation)
		valid := wellFormed.MatchString(sessionID) && generation >= 0 && generation < 1_000_000_000
		for _, ring := range []*Ring{keys, rotated} {
			if id, number, ok := ring.ParseInviteToken(made); ok != valid || (ok && (id != sessionID || number != generation)) {
				t.Fatalf("%q, made for %q and %d, is parsed as %q, %d, %t", made, sessionID, generation, id, number, ok)
			}
		}
		if _, _, ok := foreign.ParseInviteToken(made); ok {
			t.Errorf("%q is accepted under another secret", made)
		}

		i := int(at) % len(made)
		for _, changed := range []string{
			made[:i], made[:i] + made[i+1:], made[:i] + made[i:i+1] + made[i:], made[:i] + string(made[i]^1) + made[i+1:],
			made[:i] + text + made[i:],
		} {
			if _, _, ok := keys.ParseInviteToken(changed); ok && changed != made {
				t.Errorf("%q is accepted, a changed form of %q", changed, made)
			}
		}
	})
}
