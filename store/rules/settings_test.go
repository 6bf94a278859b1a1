package rules

import (
	"testing"
	"time"
)

func TestWindowFaults(t *testing.T) {
	t.Parallel()
	opens := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	closes := opens.Add(time.Hour)
	for _, valid := range []Window{{}, {&opens, nil}, {nil, &opens}, {&opens, &closes}} {
		if faults := valid.Faults(); len(faults) > 0 {
			t.Errorf("%v has the faults %v", valid, faults)
		}
	}
	for _, empty := range []Window{{&opens, &opens}, {&closes, &opens}} {
		if faults := empty.Faults(); len(faults) != 1 || faults[0].Pointer != "/closesAt" {
			t.Errorf("%v has the faults %v", empty, faults)
		}
	}
}

func TestLocaleAndTimeZoneFaults(t *testing.T) {
	t.Parallel()
	for _, valid := range []string{"en", "pt-BR", "zh-Hans", "de-1996", "de-DE-u-co-phonebk", "sr-latn-rs"} {
		if faults := LocaleFaults(&valid); len(faults) > 0 {
			t.Errorf("the language %s has the faults %v", valid, faults)
		}
	}
	for _, invalid := range []string{"", "english", "e", "xx", "en-", "en US"} {
		if faults := LocaleFaults(&invalid); len(faults) != 1 || faults[0].Pointer != "/locale" {
			t.Errorf("the language %q has the faults %v", invalid, faults)
		}
	}
	for _, valid := range []string{"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"} {
		if faults := TimeZoneFaults(&valid); len(faults) > 0 {
			t.Errorf("the time zone %s has the faults %v", valid, faults)
		}
	}
	for _, invalid := range []string{
		"", "Local", "Berlin", "right/Europe/Berlin", "posix/UTC", "posixrules", "../UTC", "/etc",
	} {
		if faults := TimeZoneFaults(&invalid); len(faults) != 1 || faults[0].Pointer != "/timeZone" {
			t.Errorf("the time zone %q has the faults %v", invalid, faults)
		}
	}
	if faults := append(LocaleFaults(nil), TimeZoneFaults(nil)...); len(faults) > 0 {
		t.Errorf("no language and no time zone have the faults %v", faults)
	}
}
