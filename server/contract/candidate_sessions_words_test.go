package contract

import (
	"net/url"
	"slices"
	"testing"
	"time"
)

// A search finds a candidate however the name was typed, also a name that is found before
// its words are written.
func TestSearchFindsNamesHoweverTheyAreTyped(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		for name, searches := range map[string][]string{
			"Grete Weiß":           {"Weiß", "weiss", "WEISS grete", "WEIẞ"},
			"Mei O’Neill":          {"o'neill", "O’Neill", "neill"},
			"Ana Mül\u00adler":     {"müller", "Muller", "mu\u0308ller", "mül\u00adler"},
			"Nguyễn Việt":          {"viet", "Vie\u0323\u0302t", "nguye\u0302\u0303n"},
			"علی رضایی":            {"علی", "علي"},
			"\u200eYusuf\u200f":    {"yusuf", "\u200eyusuf"},
			"İpek Sınır":           {"ipek", "IPEK", "sınır", "sinir"},
			"Room ٤٢":              {"٤٢", "42"},
			"ＳＡＴＯ Ken":             {"sato", "ＳＡＴＯ"},
			"Ola\u3000Nordmann":    {"ola nordmann", "nordmann\u00a0ola"},
			"Jean‑Luc Le\u00a0Roy": {"jean-luc", "jean luc le roy"},
		} {
			session := o.invite(id, object{"candidateName": name}).text("data.id")
			check := func(when string) {
				for _, search := range searches {
					got, _ := a.pages("/v1/candidate-sessions?q="+url.QueryEscape(search), o.owner, "id")
					if !slices.Contains(got, session) {
						t.Errorf("%+q is not found by %+q %s", name, search, when)
					}
				}
			}
			check("before its words are written")
			a.clock.Advance(2 * time.Minute)
			for more := true; more; {
				var err error
				if more, err = a.store.UnscopedIndexWords(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			o.signIn()
			check("by its words")
		}
	})
}
