package mail

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/feature/plural"

	"assay/store"
)

// Every language has the keys, parameters, and plural forms that English has.
func TestCatalogsAgree(t *testing.T) {
	t.Parallel()
	all, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]struct {
		found map[string]*catalog
		tags  []string
	}{"candidates": {all.candidates, candidateLanguages}, "members": {all.members, memberLanguages}} {
		if got := slices.Sorted(maps.Keys(want.found)); !slices.Equal(got, want.tags) {
			t.Errorf("%s: the languages are %v, not %v", set, got, want.tags)
		}
		english := want.found["en"]
		for lang, c := range want.found {
			for key := range c.messages {
				if english.messages[key] == nil {
					t.Errorf("%s: has %q, which English lacks", lang, key)
				}
			}
			for key, model := range english.messages {
				compare(t, c, lang+": "+key, model, c.messages[key])
			}
		}
	}
}

func compare(t *testing.T, c *catalog, place string, model, found message) {
	t.Helper()
	if found == nil {
		t.Errorf("%s is missing", place)
		return
	}
	wanted := parameters(model["other"])
	isCounted := len(model) > 1
	forms := map[string]int{"other": 1} // and how many of the numbers below have the form
	if isCounted {
		forms = pluralFormsOf(c)
	}
	if got, want := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(forms)); !slices.Equal(got, want) {
		t.Errorf("%s has the plural forms %v, not %v", place, got, want)
	}
	for form, text := range found {
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s is empty", place)
		}
		got := parameters(text)
		// A form for exactly one number can say it in words.
		isWord := isCounted && form != "other" && forms[form] == 1 && !slices.Contains(got, "count")
		if isWord {
			got = append(got, "count")
			slices.Sort(got)
		}
		if !slices.Equal(got, wanted) {
			t.Errorf("%s (%s) has the parameters %v, not %v", place, form, got, wanted)
		}
	}
}

func pluralFormsOf(c *catalog) map[string]int {
	forms := map[string]int{"other": 1} // also of fractions
	for n := range 1000 {
		forms[pluralForms[plural.Cardinal.MatchPlural(c.tag, n, 0, 0, 0, 0)]]++
	}
	return forms
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

func parameters(text string) []string {
	var names []string
	for _, found := range parameter.FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	slices.Sort(names)
	return names
}

// The code uses each text, and gives each parameter.
func TestEachTextIsUsed(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	files, err := filepath.Glob("render*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(data)
	}
	all, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	for key := range all.members["en"].messages {
		prefix := key[:strings.LastIndex(key, ".")+1]
		isNumbered := regexp.MustCompile(`^(month|weekday|role)\.([0-9]+|[A-Z]+)$`).MatchString(key)
		if key != "language.reviewed" && !strings.Contains(code.String(), `"`+key+`"`) &&
			(!isNumbered || !strings.Contains(code.String(), `"`+prefix+`"`)) {
			t.Errorf("no code uses %q", key)
		}
	}
	rendered(t, func(t *testing.T, _ string, _ *store.EmailContent, m Message) {
		if strings.ContainsAny(m.Subject+m.Text, "{}") || strings.Contains(m.Text, "  ") {
			t.Errorf("lacks a parameter:\n%s\n%s", m.Subject, m.Text)
		}
	})
}

func TestDates(t *testing.T) {
	t.Parallel()
	all, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct{ lang, at, zone, want string }{
		{"en", "2026-12-05T13:00:00Z", "Europe/Berlin", "Saturday, 5 December 2026, 14:00 (UTC+1, Europe/Berlin)"},
		{"en", "2026-07-05T13:00:00Z", "America/New_York", "Sunday, 5 July 2026, 09:00 (UTC−4, America/New York)"},
		{"en", "2026-07-05T13:00:00Z", "", "Sunday, 5 July 2026, 13:00 (UTC)"},
		{"en", "2026-07-05T13:00:00Z", "Mars/Olympus", "Sunday, 5 July 2026, 13:00 (UTC)"},
		{
			"de", "2026-12-01T03:30:00Z", "Asia/Kathmandu",
			"Dienstag, 1. Dezember 2026, 09:15 Uhr (UTC+5:45, Asia/Kathmandu)",
		},
		{"es", "2026-12-05T13:00:00Z", "UTC", "sábado, 5 de diciembre de 2026, 13:00 (UTC)"},
		{"fr", "2026-12-01T13:00:00Z", "UTC", "mardi 1er décembre 2026 à 13:00 (UTC)"},
		{"ja", "2026-12-05T13:00:00Z", "Asia/Tokyo", "2026年12月5日（土曜日）22:00（UTC+9, Asia/Tokyo）"},
		{"pl", "2026-10-05T13:00:00Z", "UTC", "poniedziałek, 5 października 2026, godz. 13:00 (UTC)"},
		{"pt-BR", "2026-12-01T13:00:00Z", "UTC", "terça-feira, 1º de dezembro de 2026, 13:00 (UTC)"},
		{"zh-Hans", "2026-12-05T13:00:00Z", "Asia/Shanghai", "2026年12月5日星期六 21:00（UTC+8, Asia/Shanghai）"},
		{
			"ar", "2026-12-05T13:00:00Z", "Africa/Cairo",
			"\u2068السبت، 5 ديسمبر 2026، الساعة 15:00 (\u2068UTC+2, Africa/Cairo\u2069)\u2069",
		},
	} {
		got := textsFor(all.candidates, one.lang).date(at(one.at), one.zone)
		if got = strings.ReplaceAll(got, "\u00a0", " "); got != one.want {
			t.Errorf("%s: %q, not %q", one.lang, got, one.want)
		}
	}
	english := textsFor(all.candidates, "en")
	// The candidate page writes the same: server/web/test/02-dates.test.ts reads this file, too.
	data, err := os.ReadFile("testdata/english_dates.json")
	if err != nil {
		t.Fatal(err)
	}
	var shared []struct{ At, Zone, Want string }
	if err := json.Unmarshal(data, &shared); err != nil || len(shared) < 12 {
		t.Fatal(err, len(shared))
	}
	for _, one := range shared {
		if got := english.date(at(one.At), one.Zone); got != one.Want {
			t.Errorf("%s in %s is %q, not %q", one.At, one.Zone, got, one.Want)
		}
	}
	for end, want := range map[string]string{
		"2027-01-01T00:00:00Z": "31 December", "2027-01-01T00:01:00Z": "1 January", "2026-12-05T13:00:00Z": "5 December",
	} {
		if got := english.lastDay(at(end), ""); got != want {
			t.Errorf("the last day before %s is %s, not %s", end, got, want)
		}
	}
}

// A limit of 30 minutes with 25 percent more time is 37.5 minutes.
func TestDurations(t *testing.T) {
	t.Parallel()
	all, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	half, one, few := 37*time.Minute+30*time.Second, time.Minute+time.Second, 112*time.Minute+22*time.Second
	for lang, want := range map[string][3]string{
		"en":      {"37 minutes 30 seconds", "1 minute 1 second", "112 minutes 22 seconds"},
		"de":      {"37 Minuten 30 Sekunden", "1 Minute 1 Sekunde", "112 Minuten 22 Sekunden"},
		"fr":      {"37 minutes 30 secondes", "1 minute 1 seconde", "112 minutes 22 secondes"},
		"es":      {"37 minutos y 30 segundos", "1 minuto y 1 segundo", "112 minutos y 22 segundos"},
		"pt-BR":   {"37 minutos e 30 segundos", "1 minuto e 1 segundo", "112 minutos e 22 segundos"},
		"pl":      {"37 minut 30 sekund", "1 minuta 1 sekunda", "112 minut 22 sekundy"},
		"ar":      {"37 دقيقة و30 ثانية", "دقيقة واحدة وثانية واحدة", "112 دقيقة و22 ثانية"},
		"ja":      {"37分30秒", "1分1秒", "112分22秒"},
		"zh-Hans": {"37 分钟 30 秒", "1 分钟 1 秒", "112 分钟 22 秒"},
	} {
		for i, limit := range []time.Duration{half, one, few} {
			if got := textsFor(all.candidates, lang).duration(limit); got != want[i] {
				t.Errorf("%v in %s is %q, not %q", limit, lang, got, want[i])
			}
		}
	}
	english := textsFor(all.candidates, "en")
	for limit, want := range map[time.Duration]string{
		45 * time.Minute: "45 minutes", 30 * time.Second: "30 seconds", 90 * time.Minute: "90 minutes",
		9*time.Minute + 18600*time.Millisecond: "9 minutes 19 seconds", 10*time.Minute - time.Millisecond: "10 minutes",
	} {
		if got := english.duration(limit); got != want {
			t.Errorf("%v is %q, not %q", limit, got, want)
		}
	}
}

func TestScores(t *testing.T) {
	t.Parallel()
	all, err := catalogs()
	if err != nil {
		t.Fatal(err)
	}
	for score, want := range map[float64][2]string{
		0: {"0%", "0\u00a0%"}, 100: {"100%", "100\u00a0%"}, 87.5: {"87.5%", "87,5\u00a0%"},
		99.96: {"99.96%", "99,96\u00a0%"}, 66.666666: {"66.67%", "66,67\u00a0%"},
	} {
		for i, lang := range []string{"en", "de"} {
			if got := textsFor(all.members, lang).percent(score); got != want[i] {
				t.Errorf("%v in %s is %q, not %q", score, lang, got, want[i])
			}
		}
	}
}
