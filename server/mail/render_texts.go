package mail

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"assay/store/encode"
)

//go:embed locales/*.json
var localeFiles embed.FS

// message is a text, or one text for each plural form (CLDR) of the parameter count.
type message map[string]string

// UnmarshalJSON reads a text as the form "other".
func (m *message) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*m = message{"other": one}
		return nil
	}
	return json.Unmarshal(data, (*map[string]string)(m))
}

// catalog is a language.
type catalog struct {
	tag      language.Tag
	messages map[string]message
}

// languages are the texts for candidates and for members, by the tags of their languages.
// Members' languages also have the texts for candidates.
type languages struct{ candidates, members map[string]*catalog }

var catalogs = sync.OnceValues(func() (languages, error) {
	all := languages{candidates: map[string]*catalog{}, members: map[string]*catalog{}}
	for _, set := range []struct {
		prefix string
		into   map[string]*catalog
	}{{"candidate.", all.candidates}, {"member.", all.members}} {
		paths, err := fs.Glob(localeFiles, "locales/"+set.prefix+"*.json")
		if err != nil {
			return all, err
		}
		for _, file := range paths {
			data, err := localeFiles.ReadFile(file)
			if err != nil {
				return all, err
			}
			name := strings.TrimSuffix(strings.TrimPrefix(path.Base(file), set.prefix), ".json")
			made := &catalog{tag: language.Make(name), messages: map[string]message{}}
			if base := all.candidates[name]; base != nil {
				for key, m := range base.messages {
					made.messages[key] = m
				}
			}
			if err := json.Unmarshal(data, &made.messages); err != nil {
				return all, fmt.Errorf("mail: %s: %w", file, err)
			}
			set.into[name] = made
		}
	}
	return all, nil
})

// texts are the texts of a letter.
type texts struct {
	*catalog
	tag     string
	missing string // a key that the language does not have
}

// textsFor chooses the language as the candidate page does: the first locale (BCP 47)
// whose language exists in the same script decides, and otherwise it is English.
func textsFor(all map[string]*catalog, locales ...string) *texts {
	for _, locale := range locales {
		if tag, ok := match(all, locale); ok {
			return &texts{catalog: all[tag], tag: tag}
		}
	}
	return &texts{catalog: all["en"], tag: "en"}
}

// match finds the same language in the same script. A region is no difference: pt-PT fits
// pt-BR. zh-TW does not fit zh-Hans.
func match(all map[string]*catalog, locale string) (string, bool) {
	wanted, err := language.Parse(locale)
	if err != nil {
		return "", false
	}
	base, _ := wanted.Base()
	script, _ := wanted.Script()
	for name, c := range all {
		ownBase, _ := c.tag.Base()
		ownScript, _ := c.tag.Script()
		if ownBase == base && ownScript == script {
			return name, true
		}
	}
	return "", false
}

func (t *texts) direction() string {
	if script, _ := t.catalog.tag.Script(); script.String() == "Arab" {
		return "rtl"
	}
	return "ltr"
}

// params are the parameters of a text: strings, numbers (int), and links (span).
type params map[string]any

// text returns a text with its parameters.
func (t *texts) text(key string, p params) string {
	var out strings.Builder
	for _, s := range t.spans(key, p) {
		out.WriteString(s.Text)
	}
	return out.String()
}

// spans is text with links as parameters.
func (t *texts) spans(key string, p params) []span {
	var all []span
	add := func(s span) {
		last := len(all) - 1
		switch {
		case s.Text == "":
		case last >= 0 && all[last].Href == "":
			all[last].Text += s.Text
		default:
			all = append(all, s)
		}
	}
	rest := t.template(key, p)
	for {
		before, after, found := strings.Cut(rest, "{")
		add(span{Text: before})
		if !found {
			return all
		}
		name, tail, _ := strings.Cut(after, "}")
		switch given := p[name].(type) {
		case span:
			all = append(all, given)
		case int:
			add(span{Text: strconv.Itoa(given)})
		case string:
			add(span{Text: t.isolated(given)})
		case verbatim:
			add(span{Text: string(given)})
		}
		rest = tail
	}
}

// verbatim is a parameter that is a text of the language itself.
type verbatim string

func (t *texts) template(key string, p params) string {
	m, ok := t.messages[key]
	if !ok {
		t.missing = key
		return ""
	}
	if count, ok := p["count"].(int); ok {
		form := plural.Cardinal.MatchPlural(t.catalog.tag, count, 0, 0, 0, 0)
		if one, ok := m[pluralForms[form]]; ok {
			return one
		}
	}
	return m["other"]
}

var pluralForms = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
	plural.Other: "other",
}

var rightToLeft = regexp.MustCompile(`[\x{0590}-\x{08ff}\x{fb1d}-\x{fefc}]`)

// isolated makes a name or a title a part of a line.
func (t *texts) isolated(s string) string { return t.isolate(oneLine(s)) }

// isolate keeps a text in the other direction from reordering the words around it: the
// text stands between the marks FSI and PDI.
func (t *texts) isolate(s string) string {
	if s != "" && (t.direction() == "rtl" || rightToLeft.MatchString(s)) {
		return "\u2068" + s + "\u2069"
	}
	return s
}

// mailLink is an email address as a link.
func mailLink(address string) span {
	address = oneLine(address)
	return span{Text: address, Href: encode.Mailto(address)}
}

// duration is a time limit. Extra time can make it a number of minutes that is not whole.
func (t *texts) duration(limit time.Duration) string {
	limit = limit.Round(time.Second)
	minutes, seconds := int(limit/time.Minute), int(limit%time.Minute/time.Second)
	whole := t.text("minutes", params{"count": minutes})
	switch {
	case seconds == 0:
		return whole
	case minutes == 0:
		return t.text("seconds", params{"count": seconds})
	}
	return t.text("minutes.seconds", params{
		"minutes": verbatim(whole), "seconds": verbatim(t.text("seconds", params{"count": seconds})),
	})
}

// date is a time in a zone (IANA; "" is UTC), with the zone.
func (t *texts) date(at time.Time, zone string) string {
	at = at.In(location(zone))
	return t.isolate(t.text("date", params{
		"weekday": t.word("weekday.", int(at.Weekday())), "day": t.dayOfMonth(at),
		"month": t.word("month.", int(at.Month())), "year": at.Year(),
		"time": verbatim(at.Format("15:04")), "zone": verbatim(t.isolate(zoneName(at, zone))),
	}))
}

// lastDay is the last day before a time, without the year. Midnight is the end of a day.
func (t *texts) lastDay(end time.Time, zone string) string {
	at := end.Add(-time.Minute).In(location(zone))
	return t.text("date.day", params{"day": t.dayOfMonth(at), "month": t.word("month.", int(at.Month()))})
}

func (t *texts) dayOfMonth(at time.Time) verbatim {
	if at.Day() == 1 {
		return verbatim(t.text("date.first", params{"day": 1}))
	}
	return verbatim(strconv.Itoa(at.Day()))
}

func (t *texts) word(prefix string, number int) verbatim {
	return verbatim(t.text(prefix+strconv.Itoa(number), nil))
}

// location is the zone, or UTC if this machine does not know it.
func location(zone string) *time.Location {
	if known, err := time.LoadLocation(zone); err == nil {
		return known
	}
	return time.UTC
}

// zoneName is, for example, "UTC+1, Europe/Berlin". It stays on one line, because two lines
// of Latin letters in an Arabic sentence are hard to read.
func zoneName(at time.Time, zone string) string {
	_, seconds := at.Zone()
	sign := "+"
	if seconds < 0 {
		sign, seconds = "\u2212", -seconds
	}
	name := "UTC"
	if seconds > 0 {
		name += sign + strconv.Itoa(seconds/3600)
		if minutes := seconds % 3600 / 60; minutes > 0 {
			name += fmt.Sprintf(":%02d", minutes)
		}
	}
	if strings.Contains(zone, "/") && at.Location() != time.UTC {
		name += ",\u00a0" + strings.ReplaceAll(zone, "_", " ")
	}
	return name
}
