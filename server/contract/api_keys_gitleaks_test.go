package contract

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"assay/gen"
)

// gen/gitleaks.toml is a rule for secret scanners. It must find every API key that
// the server creates, and no text that is only similar to a key.
func TestGitleaksRule(t *testing.T) {
	config, err := os.ReadFile("../../gen/gitleaks.toml")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`(?m)^regex = '''(.+)'''$`).FindSubmatch(config)
	if quoted == nil {
		t.Fatalf("no regex in\n%s", config)
	}
	rule, err := regexp.Compile(string(quoted[1])) // gitleaks is written in Go
	if err != nil {
		t.Fatal(err)
	}
	keyword := regexp.MustCompile(`(?m)^keywords = \["(.+)"\]$`).FindSubmatch(config)
	onAny(t, func(t *testing.T, a *api) {
		for range 20 {
			key := a.register().key().value
			for _, line := range []string{key, "ASSAY_API_KEY=" + key, `{"key":"` + key + `"}`, "-H 'X-API-Key: " + key + "'",
				key + "\n"} {
				found := rule.FindStringSubmatch(line)
				if found == nil || found[1] != key {
					t.Errorf("%q: the rule found %q, want the key", line, found)
				}
			}
			if keyword == nil || !strings.Contains(key, string(keyword[1])) {
				t.Errorf("the keyword of the rule is not in the key %s, so gitleaks skips it", key)
			}
			for name, other := range map[string]string{
				"too short": key[:len(key)-1], "too long": key + "0", "upper case": strings.ToUpper(key),
				"not hexadecimal": key[:len(key)-1] + "g",
				"part of a word":  "x" + key, "another prefix": strings.Replace(key, "live", "test", 1),
				"shortened for display": key[:12] + "…" + key[len(key)-4:],
			} {
				if found := rule.FindString(other); found != "" {
					t.Errorf("%s: the rule found %q in %q, want nothing", name, found, other)
				}
			}
		}
	})

	if found := rule.Find(gen.Guide); found != nil {
		t.Errorf("the guide contains a key: %s", found)
	}
}
