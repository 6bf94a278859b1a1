package server

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"assay/gen"
)

// The rule that integrators put into their secret scanner finds keys as they are
// made, and nothing that only looks like one.
func TestGitleaksRule(t *testing.T) {
	config, err := os.ReadFile("../gen/gitleaks.toml")
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
	onEach(t, func(t *testing.T, a *api) {
		for range 20 {
			key := a.register().key().value
			for _, line := range []string{key, "ASSAY_API_KEY=" + key, `{"key":"` + key + `"}`, "-H 'X-API-Key: " + key + "'", key + "\n"} {
				found := rule.FindStringSubmatch(line)
				if found == nil || found[1] != key {
					t.Errorf("%q: found %q", line, found)
				}
			}
			if keyword == nil || !strings.Contains(key, string(keyword[1])) {
				t.Errorf("gitleaks does not look at lines with %s", key)
			}
			for name, other := range map[string]string{
				"too short": key[:len(key)-1], "too long": key + "0", "upper case": strings.ToUpper(key), "no hexadecimal": key[:len(key)-1] + "g",
				"part of a word": "x" + key, "another's": strings.Replace(key, "live", "test", 1), "listed": key[:12] + "…" + key[len(key)-4:],
			} {
				if found := rule.FindString(other); found != "" {
					t.Errorf("%s: %q is found in %q", name, found, other)
				}
			}
		}
	})
	if found := rule.Find(gen.Guide); found != nil {
		t.Errorf("the guide has a key: %s", found)
	}
}
