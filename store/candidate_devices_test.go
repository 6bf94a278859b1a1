package store

import (
	"os"
	"strings"
	"testing"
)

// The names are those that the dashboard shows for sign-ins.
func TestDeviceNames(t *testing.T) {
	t.Parallel()
	const webkit = " AppleWebKit/605.1.15 (KHTML, like Gecko) "
	for _, test := range []struct{ want, userAgent string }{
		{"Safari iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)" + webkit +
			"Version/18.0 Mobile/15E148 Safari/604.1"},
		{"Chrome iPad", "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)" + webkit +
			"CriOS/142.0 Mobile/15E148 Safari/604.1"},
		{"Safari macOS", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" + webkit +
			"Version/18.0 Safari/605.1.15"},
		{"Edge Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64)" + webkit +
			"Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0"},
		{"Opera Windows", "Mozilla/5.0 (Windows NT 10.0)" + webkit +
			"Chrome/142.0.0.0 Safari/537.36 OPR/120.0"},
		{"Samsung Internet Android", "Mozilla/5.0 (Linux; Android 15)" + webkit +
			"SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36"},
		{"Chrome ChromeOS", "Mozilla/5.0 (X11; CrOS x86_64 15633.0.0)" + webkit +
			"Chrome/142.0.0.0 Safari/537.36"},
		{"Firefox Android", "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"},
		{" ", "curl/8.5.0"},
		{" ", ""},
	} {
		if got := deviceOf(Origin{UserAgent: test.userAgent}, ""); got.Browser+" "+got.System != test.want {
			t.Errorf("%s: %q on %q, want %q", test.userAgent, got.Browser, got.System, test.want)
		}
	}
	dashboard, err := os.ReadFile("../server/web/src/app/profile/user_agent.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range [][]named{browserNames, systemNames} {
		for _, row := range table {
			if !strings.Contains(string(dashboard), "'"+row.name+"'") {
				t.Errorf("the dashboard does not know %q", row.name)
			}
		}
	}
}
