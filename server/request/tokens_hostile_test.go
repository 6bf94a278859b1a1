package request

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"assay/store/keys"
)

// hostileTokens returns named tokens that the parser must reject. Each differs in one
// way from the valid token for claims, and most have a signature with the right key.
// claims must be those of a live session. Some tokens contain bytes that a header
// cannot carry (newlines, NUL, non-ASCII).
func hostileTokens(t testing.TB, keys *keys.Ring, kind tokenKind, claims tokenClaims) []struct{ name, token string } {
	t.Helper()
	forge := newForge(t, keys, kind, claims)
	var forms []struct{ name, token string }
	for _, group := range []func(add func(name, token string)){
		forge.algorithms, forge.keys, forge.signatures, forge.encodings, forge.structures,
		forge.headers, forge.times, forge.claims, forge.payloads, forge.otherKinds,
	} {
		group(func(name, token string) {
			forms = append(forms, struct{ name, token string }{name, token})
		})
	}

	return forms
}

func (f *tokenForge) algorithms(add func(name, token string)) {
	payload := f.object()
	header := func(alg string) string { return fmt.Sprintf(`{"alg":%s,"typ":%q}`, alg, f.kind.typ) }
	for _, alg := range []string{"none", "None", "NONE", "nOnE", "none ", ""} {
		text := encodeSegment([]byte(header(`"`+alg+`"`))) + "." + f.payload + "."
		add("alg "+alg+" without signature", text)
		add("alg "+alg+" with the old signature", text+f.signature)
		add("alg "+alg+" signed", f.sign(header(`"`+alg+`"`), payload))
	}

	for _, alg := range []string{
		"hs256", "HS256 ", "RS256", "ES256", "PS256", "EdDSA", "HS384", "HS512", "A128KW", "dir",
	} {
		add("alg "+alg+" signed as HS256", f.sign(header(`"`+alg+`"`), payload))
	}

	for _, alg := range []string{"null", "256", "true", `["HS256"]`, `{"alg":"HS256"}`} {
		add("alg is "+alg, f.sign(header(alg), payload))
	}
	add("alg missing", f.sign(fmt.Sprintf(`{"typ":%q}`, f.kind.typ), payload))
	add("alg escaped", f.sign(header(`"\u0048S256"`), payload))
	add("HS384", f.signWith(sha512.New384, f.key, header(`"HS384"`), payload))
	add("HS512", f.signWith(sha512.New, f.key, header(`"HS512"`), payload))
	add("HS256 signed with SHA-512", f.signWith(sha512.New, f.key, f.headerText(), payload))

	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		f.t.Fatal(err)
	}
	text := encodeSegment([]byte(header(`"ES256"`))) + "." + f.payload
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, ecKey, digest[:])
	if err != nil {
		f.t.Fatal(err)
	}
	add("ES256 with another key", text+"."+encodeSegment(s.FillBytes(r.FillBytes(make([]byte, 64))[32:])))
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		f.t.Fatal(err)
	}
	text = encodeSegment([]byte(header(`"EdDSA"`))) + "." + f.payload
	signature, err := edKey.Sign(rand.Reader, []byte(text), crypto.Hash(0))
	if err != nil {
		f.t.Fatal(err)
	}
	add("EdDSA with another key", text+"."+encodeSegment(signature))
}

func (f *tokenForge) keys(add func(name, token string)) {
	other, err := keys.New("some other master secret, also long enough")
	if err != nil {
		f.t.Fatal(err)
	}
	for name, key := range map[string][]byte{
		"empty key":                    {},
		"key of zeros":                 make([]byte, 32),
		"guessed key":                  []byte("secret"),
		"key is the header":            []byte(f.header),
		"key is the issuer":            []byte(tokenIssuer),
		"key in hexadecimal":           fmt.Appendf(nil, "%x", f.key),
		"key of another master secret": other.Signing(f.kind.purpose),
		"key of the invites":           f.masters.Signing(keys.PurposeInviteToken),
		"key of the webhook secrets":   f.masters.Signing(keys.PurposeWebhookSecret),
		"key with one more byte":       append(bytes.Clone(f.key), 1),
		"key without its last byte":    f.key[:31],
	} {
		add(name, f.signWith(sha256.New, key, f.headerText(), f.object()))
	}
}

func (f *tokenForge) signatures(add func(name, token string)) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	text := f.header + "." + f.payload + "."
	add("signature empty", text)
	add("signature of zeros", text+strings.Repeat("A", len(f.signature)))
	add("signature twice", text+f.signature+f.signature)
	add("signature longer", text+f.signature+"A")
	add("signature padded", text+f.signature+"=")
	add("signature in hexadecimal", fmt.Sprintf("%s%x", text, hmacOf(sha256.New, f.key, text[:len(text)-1])))
	add("signature of the payload alone", text+encodeSegment(hmacOf(sha256.New, f.key, f.payload)))
	add("signature of the text with its dot", text+encodeSegment(hmacOf(sha256.New, f.key, text)))
	for i := range len(f.signature) {
		add(fmt.Sprintf("signature cut to %d", i), text+f.signature[:i])
		flipped := alphabet[strings.IndexByte(alphabet, f.signature[i])^0b100000]
		add(fmt.Sprintf("signature flipped at %d", i), text+f.signature[:i]+string(flipped)+f.signature[i+1:])
	}

	// 43 characters have two bits more than 32 bytes. A lenient decoder therefore
	// decodes three other last characters to the right signature.
	last := len(f.signature) - 1
	for _, c := range alphabet {
		if byte(c) != f.signature[last] {
			add("signature ends in "+string(c), text+f.signature[:last]+string(c))
		}
	}
}

func (f *tokenForge) encodings(add func(name, token string)) {
	padded := func(segment string) string { return segment + strings.Repeat("=", (4-len(segment)%4)%4) }
	add("all segments padded", padded(f.header)+"=."+padded(f.payload)+"=."+padded(f.signature))
	if standard := strings.NewReplacer("-", "+", "_", "/").Replace(f.token); standard != f.token {
		add("standard base64 alphabet", standard)
	}
	for name, text := range map[string]string{
		"newline": "\n", "carriage return": "\r", "CRLF": "\r\n", "space": " ", "tab": "\t", "NUL": "\x00", "equals": "=",
		"zero-width space": "\u200b", "BOM": "\ufeff", "no-break space": "\u00a0", "invalid UTF-8": "\xff", "comma": ",",
		"percent": "%20",
	} {
		add(name+" before", text+f.token)
		add(name+" after", f.token+text)
		add(name+" in the header", f.header[:4]+text+f.token[4:])
		add(name+" in the payload", f.header+"."+f.payload[:4]+text+f.payload[4:]+"."+f.signature)
		add(name+" in the signature", f.token[:len(f.token)-4]+text+f.token[len(f.token)-4:])
		add(name+" for the last character", f.token[:len(f.token)-1]+text)
	}

	var little, big []byte
	for _, unit := range utf16.Encode([]rune(f.token)) {
		little = append(little, byte(unit), byte(unit>>8))
		big = append(big, byte(unit>>8), byte(unit))
	}
	add("UTF-16 little-endian", string(little))
	add("UTF-16 big-endian with BOM", "\xfe\xff"+string(big))
	add("full-width letters and digits", strings.Map(func(r rune) rune {
		if r == '.' {
			return r
		}
		return r - '!' + '！'
	}, f.token))
	add("full-width last character", f.token[:len(f.token)-1]+"Ａ")
	add("full-width dots", strings.ReplaceAll(f.token, ".", "．"))
	add("encoded dots", strings.ReplaceAll(f.token, ".", "%2E"))
	add("upper case", strings.ToUpper(f.token))
	add("lower case", strings.ToLower(f.token))
	add("base64 of the token", encodeSegment([]byte(f.token)))
	add("not encoded", f.headerText()+"."+f.object()+"."+f.signature)
}

func (f *tokenForge) structures(add func(name, token string)) {
	add("empty", "")
	for _, dots := range []string{".", "..", "...", "...."} {
		add(dots, dots)
	}
	add("header alone", f.header)
	add("two segments", f.header+"."+f.payload)
	add("payload and signature", f.payload+"."+f.signature)
	add("empty header", "."+f.payload+"."+f.signature)
	add("empty payload", f.header+".."+f.signature)
	add("empty payload, signed", f.sign(f.headerText(), ""))
	add("detached payload", f.header+".."+f.signature+"."+f.payload)
	add("leading dot", "."+f.token)
	add("trailing dot", f.token+".")
	add("four segments", f.token+"."+f.signature)
	add("four segments, payload twice", f.header+"."+f.payload+"."+f.payload+"."+f.signature)
	add("five segments", f.token+".e30.e30")
	add("JWE", encodeSegment([]byte(`{"alg":"dir","enc":"A256GCM"}`))+"..AAAAAAAAAAAAAAAA."+
		f.payload+".AAAAAAAAAAAAAAAAAAAAAA")
	add("flattened JSON", fmt.Sprintf(`{"protected":%q,"payload":%q,"signature":%q}`, f.header, f.payload, f.signature))
	add("general JSON", fmt.Sprintf(`{"payload":%q,"signatures":[{"protected":%q,"signature":%q}]}`, f.payload, f.header,
		f.signature))
	add("quoted", `"`+f.token+`"`)
	add("with scheme", "Bearer "+f.token)
	add("scheme alone", "Bearer")
	add("twice", f.token+f.token)
	add("list", f.token+", "+f.token)
	add("segments swapped", f.payload+"."+f.header+"."+f.signature)
	add("10 KiB", strings.Repeat("A", 10<<10))
	add("10 KiB of dots", strings.Repeat(".", 10<<10))
	add("10 KiB payload", f.header+"."+strings.Repeat("A", 10<<10)+"."+f.signature)
	add("10 KiB signature", f.header+"."+f.payload+"."+strings.Repeat("A", 10<<10))
	add("10 KiB signed", f.sign(f.headerText(), f.object([2]string{"sub", `"` + strings.Repeat("a", 10<<10) + `"`})))
}

func (f *tokenForge) headers(add func(name, token string)) {
	payload := f.object()
	for _, typ := range []string{
		`"JWT"`, `"jwt"`, `""`, `"application/` + f.kind.typ + `"`, `"` + strings.ToUpper(f.kind.typ) + `"`,
		`"` + f.kind.typ + ` "`, `null`, `1`, `["` + f.kind.typ + `"]`,
	} {
		add("typ is "+typ, f.sign(`{"alg":"HS256","typ":`+typ+`}`, payload))
	}

	add("typ missing", f.sign(`{"alg":"HS256"}`, payload))
	for _, member := range []string{
		`"crit":["exp"]`, `"crit":[]`, `"crit":["b64"],"b64":false`, `"b64":false`, `"zip":"DEF"`, `"cty":"JWT"`,
		`"kid":"1"`, `"kid":"../../../../dev/null"`, `"kid":"' UNION SELECT 'x"`, `"jku":"https://evil.example/jwks.json"`,
		`"jwk":{"kty":"oct","k":"AA"}`, `"x5u":"https://evil.example/x5u.pem"`, `"x5c":["AA"]`, `"x5t":"AA"`,
		`"enc":"A256GCM"`, `"alg":"none"`, `"alg":"HS256"`, `"ALG":"none"`, `"typ":"JWT"`, `"exp":9999999999`,
		`"unknown":true`,
	} {
		add("header ends with "+member, f.sign(strings.TrimSuffix(f.headerText(), "}")+","+member+"}", payload))
		add("header begins with "+member, f.sign("{"+member+","+strings.TrimPrefix(f.headerText(), "{"), payload))
	}

	add("header in another order", f.sign(fmt.Sprintf(`{"typ":%q,"alg":"HS256"}`, f.kind.typ), payload))
	add("header with space", f.sign(strings.Replace(f.headerText(), ":", ": ", 1), payload))
	add("header with newline", f.sign(f.headerText()+"\n", payload))
	add("header with BOM", f.sign("\ufeff"+f.headerText(), payload))
	add("header with more after it", f.sign(f.headerText()+"{}", payload))
	for _, header := range []string{"", "{}", "null", "[]", `"HS256"`, "1", "{", "\xff", strings.Repeat("[", 300)} {
		add(fmt.Sprintf("header is %.10q", header), f.sign(header, payload))
	}
}

func (f *tokenForge) times(add func(name, token string)) {
	iat, exp := f.values.IssuedAt, f.values.ExpiresAt
	lifetime := int64(f.kind.lifetime.Seconds())
	number := func(n int64) string { return fmt.Sprint(n) }

	for _, value := range []string{
		"0", "-1", "-0", number(-exp), number(iat), number(iat - 1), number(iat + lifetime + 1), number(exp * 1000),
		number(math.MaxInt64), number(math.MinInt64), "9223372036854775808", "1e300", "1e400", "-1e300",
		number(exp) + ".0", number(exp) + ".5", number(exp) + "e0", fmt.Sprintf("%.9fe9", float64(exp)/1e9),
		`"` + number(exp) + `"`, `"never"`, "null", "true", "[]", "[" + number(exp) + "]", "{}",
		"0" + number(exp), "+" + number(exp), "NaN", "Infinity", "0x7fffffff",
	} {
		add("exp is "+value, f.sign(f.headerText(), f.object([2]string{"exp", value})))
	}

	for _, value := range []string{
		"0", "-1", number(iat + 3600), number(iat + 1000*lifetime), number(math.MaxInt64), number(math.MinInt64), "1e300",
		"-1e300", number(iat) + ".0", number(iat) + ".5", `"` + number(iat) + `"`, "null", "true", "[]",
	} {
		add("iat is "+value, f.sign(f.headerText(), f.object([2]string{"iat", value})))
	}

	ahead := [][2]string{{"iat", number(iat + 3600)}, {"exp", number(iat + 3600 + lifetime)}}
	add("iat and exp in the future", f.sign(f.headerText(), f.object(ahead...)))
	back := [][2]string{{"iat", number(-lifetime)}, {"exp", number(exp)}}
	add("iat before 1970", f.sign(f.headerText(), f.object(back...)))
	add("nbf in the future", f.sign(f.headerText(), f.object([2]string{"nbf", number(exp)})))
	add("nbf in the past", f.sign(f.headerText(), f.object([2]string{"nbf", number(iat)})))
}

func (f *tokenForge) claims(add func(name, token string)) {
	for _, member := range f.members {
		name, value := member[0], member[1]

		// gen and sid are optional, so a token without them is valid.
		if name != "gen" && name != "sid" {
			add(name+" missing", f.sign(f.headerText(), f.object([2]string{name, ""})))
		}
		for i, other := range []string{
			"null", `""`, "true", "{}", "[" + value + "]", `[` + value + `,"x"]`, `{"":` + value + `}`,
			`"\ud800"`, "\"\xff\"", "\"\x00\"",
		} {
			add(fmt.Sprintf("%s is, %d, %.12q", name, i, other), f.sign(f.headerText(), f.object([2]string{name, other})))
		}

		add(name+" twice, equal", f.sign(f.headerText(), strings.TrimSuffix(f.object(), "}")+`,"`+name+`":`+value+"}"))
		add(name+" twice, wrong first", f.sign(f.headerText(), `{"`+name+`":null,`+strings.TrimPrefix(f.object(), "{")))
		for _, spelling := range []string{
			strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:], fmt.Sprintf(`\u%04x`, name[0]) + name[1:],
		} {
			add(spelling+" beside "+name, f.sign(f.headerText(), f.object([2]string{spelling, value})))
			add(spelling+" for "+name, f.sign(f.headerText(), strings.Replace(f.object(), `"`+name+`"`, `"`+spelling+`"`, 1)))
		}
	}

	for _, aud := range []string{
		"assay", "assay/", f.kind.audience + "/", f.kind.audience + " ", strings.ToUpper(f.kind.audience),
		"https://evil.example", "*",
	} {
		add("aud is "+aud, f.sign(f.headerText(), f.object([2]string{"aud", `"` + aud + `"`})))
	}

	for _, iss := range []string{"Assay", "assay/", "assay ", "https://evil.example", "assаy"} {
		add("iss is "+iss, f.sign(f.headerText(), f.object([2]string{"iss", `"` + iss + `"`})))
	}
	for _, member := range [][2]string{
		{"jti", `"1"`}, {"role", `"OWNER"`}, {"scope", `"*"`}, {"admin", "true"}, {"", "1"}, {"gen ", "1"},
		{"a\\u0000", "1"}, {"__proto__", "{}"},
	} {
		add(fmt.Sprintf("unknown claim %q", member[0]), f.sign(f.headerText(), f.object(member)))
	}

	for _, gen := range []string{"0", "1.0", "1.5", "1e0", `"1"`, "9223372036854775808", "-0"} {
		add("gen is "+gen, f.sign(f.headerText(), f.object([2]string{"gen", gen})))
	}
}

func (f *tokenForge) payloads(add func(name, token string)) {
	object := f.object()
	for i, payload := range []string{
		"null", "true", "1", `"` + f.kind.audience + `"`, "[]", "[" + object + "]", "{}", "{", "}", "x", "\xff", "\x00",
		object + object, object + "\n", " " + object, "\ufeff" + object, object[:len(object)-1], object + "x",
		object + "\x00", strings.Replace(object, ",", ", ", 1), strings.Replace(object, `"sub"`, "\n\"sub\"", 1),
		strings.Repeat("[", 300), strings.Repeat("[", 300) + strings.Repeat("]", 300), strings.Repeat(`{"a":`, 100), f.token,
	} {
		add(fmt.Sprintf("payload is, %d, %.12q", i, payload), f.sign(f.headerText(), payload))
	}

	last := len(f.members) - 1
	reordered := append([][2]string{f.members[last]}, f.members[:last]...)
	add("claims in another order", f.sign(f.headerText(), (&tokenForge{members: reordered}).object()))
	nested := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	add("deep claim", f.sign(f.headerText(), f.object([2]string{"deep", nested})))
	add("payload changed, not signed again", f.header+"."+
		encodeSegment([]byte(f.object([2]string{"sub", `"usr_someone_else"`})))+"."+f.signature)
}

func (f *tokenForge) otherKinds(add func(name, token string)) {
	for _, other := range []tokenKind{accessKind, refreshKind, resultKind} {
		if other == f.kind {
			continue
		}
		claims := f.values
		claims.ExpiresAt = 0
		add("token of "+other.audience, newTokens(f.masters, nil).mint(other, claims))
		key, header := f.masters.Signing(other.purpose), fmt.Sprintf(`{"alg":"HS256","typ":%q}`, other.typ)
		add("key of "+other.audience, f.signWith(sha256.New, key, f.headerText(), f.object()))
		add("typ of "+other.audience, f.sign(header, f.object()))
		add("typ and key of "+other.audience, f.signWith(sha256.New, key, header, f.object()))
		add("aud of "+other.audience, f.sign(f.headerText(), f.object([2]string{"aud", `"` + other.audience + `"`})))
		add("aud and typ of "+other.audience, f.sign(header, f.object([2]string{"aud", `"` + other.audience + `"`})))
	}
}
