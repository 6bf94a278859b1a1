package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

const (
	firefoxOnLinux  = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
	newerFirefox    = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0"
	chromeOnAndroid = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36"
)

// candidateOrigin is where a request of a candidate comes from.
type candidateOrigin struct{ network, userAgent, clientID string }

func (p candidateOrigin) call(a *api, b startedSession, operation string) response {
	a.t.Helper()
	send := func(method, path string, body any) response {
		a.t.Helper()
		return a.from(p.network, method, "/v1/candidate/session"+path, b.who, body, "User-Agent", p.userAgent).want(200)
	}
	switch operation {
	case "start":
		return send("POST", "/start", object{"clientId": p.clientID})
	case "see":
		return send("GET", "/stage", nil)
	case "save":
		return send("PUT", "/answers", object{"stageId": b.stageID, "clientId": p.clientID, "answers": []any{}})
	case "save one":
		return send("PUT", "/answers/"+b.questionID, object{"number": 175})
	case "submit":
		return send("POST", "/stage/submit", object{"stageId": b.stageID, "clientId": p.clientID, "answers": []any{}})
	}
	a.t.Fatalf("unknown operation %q", operation)
	return response{}
}

// devicesOf are the entries of the timeline with a device or a network.
func (o *tenant) devicesOf(sessionID string) []string {
	o.api.t.Helper()
	entries := o.api.do("GET", "/v1/candidate-sessions/"+sessionID+"/timeline", o.owner, nil).want(200).list("data")
	var shown []string
	for _, entry := range entries {
		if entry := entry.(object); entry["ip"] != nil || entry["type"] == "DEVICE_CHANGED" {
			shown = append(shown, fmt.Sprint(entry["type"], " ", entry["browser"], " ", entry["system"], " ", entry["ip"]))
		}
	}
	return shown
}

// A candidate who continues elsewhere leaves one entry, whichever operation shows it first.
// What is the same page, a newer version of it, or a page that has been seen, leaves none.
func TestDevicesOfACandidate(t *testing.T) {
	home := candidateOrigin{"203.0.113.50", firefoxOnLinux, "laptop"}
	began := "STARTED Firefox Linux 203.0.113.50"
	tests := map[string]struct {
		place      candidateOrigin
		operations []string
		want       string // the entry beside the first one
	}{
		"the same page":            {home, []string{"see", "save", "save one", "submit"}, ""},
		"an update of the browser": {candidateOrigin{home.network, newerFirefox, "laptop"}, []string{"see", "save"}, ""},
		"another network, read": {candidateOrigin{"198.51.100.77", firefoxOnLinux, "laptop"}, []string{"see", "save"},
			"DEVICE_CHANGED Firefox Linux 198.51.100.77"},
		"another network, saved": {candidateOrigin{"198.51.100.77", firefoxOnLinux, "laptop"}, []string{"save", "see"},
			"DEVICE_CHANGED Firefox Linux 198.51.100.77"},
		"another device, read": {candidateOrigin{home.network, chromeOnAndroid, "phone"}, []string{"see", "save", "submit"},
			"DEVICE_CHANGED Chrome Android 203.0.113.50"},
		"another device, submitted": {candidateOrigin{home.network, chromeOnAndroid, "phone"}, []string{"submit"},
			"DEVICE_CHANGED Chrome Android 203.0.113.50"},
		"another device, one answer": {candidateOrigin{home.network, chromeOnAndroid, ""}, []string{"save one", "save one"},
			"DEVICE_CHANGED Chrome Android 203.0.113.50"},
		"the same kind of device": {candidateOrigin{home.network, firefoxOnLinux, "laptop 2"}, []string{"see", "save",
			"save"},
			"DEVICE_CHANGED Firefox Linux 203.0.113.50"},
		"an unknown program": {candidateOrigin{home.network, "curl/8.5", "x"}, []string{"save"},
			"DEVICE_CHANGED <nil> <nil> 203.0.113.50"},
		"IPv6": {candidateOrigin{"2001:db8:1:2:3:4:5:6", firefoxOnLinux, "laptop"}, []string{"see"},
			"DEVICE_CHANGED Firefox Linux 2001:db8:1:2::/64"},
	}
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		for name, test := range tests {
			invite := o.invite(assessmentID)
			b := startedSession{id: invite.text("data.id"), who: invite.candidate()}
			home.call(a, b, "start")
			stage := home.call(a, b, "see")
			b.stageID, b.questionID = stage.text("data.id"), stage.text("data.questions.0.id")
			home.call(a, b, "save")
			for _, operation := range test.operations {
				a.clock.Advance(time.Second)
				test.place.call(a, b, operation)
				if operation != "submit" {
					home.call(a, b, "save") // returning to a known place is no change
				}
			}
			want := []string{began}
			if test.want != "" {
				want = append(want, test.want)
			}
			if got := o.devicesOf(b.id); !slices.Equal(got, want) {
				t.Errorf("%s: the timeline has %q, want %q", name, got, want)
			}
		}
	})
}

// A phone that changes its network with each request fills at most twenty rows, and a
// known place writes nothing. An erasure leaves no address.
func TestDevicesAreBoundedAndErased(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		b := o.begin(o.publish(oneQuestion()))
		var networks []string
		for i := range 40 {
			a.clock.Advance(time.Second)
			networks = append(networks, fmt.Sprintf("198.51.100.1%02d", i))
			candidateOrigin{networks[i], chromeOnAndroid, "phone"}.call(a, b, "save")
		}
		if rows := storetest.Count(t, a.database, "candidate_session_devices"); rows != 20 {
			t.Errorf("%d rows, want 20", rows)
		}
		for i := range 40 {
			candidateOrigin{networks[i], chromeOnAndroid, "phone"}.call(a, b, "see")
		}
		got := o.devicesOf(b.id)
		if len(got) != 20 || !strings.HasSuffix(got[19], networks[18]) {
			t.Errorf("%d entries, the last one %q", len(got), got[len(got)-1])
		}
		if found := storetest.Search(t, a.database, networks[0]); len(found.Texts) != 1 {
			t.Fatal("the search does not find an address that is stored")
		}

		a.erase(o.owner, b.id).want(204)
		if got := o.devicesOf(b.id); len(got) > 0 {
			t.Errorf("after the erasure the timeline has %q", got)
		}
		if found := storetest.Search(t, a.database, networks...); len(found.Texts) > 0 {
			t.Errorf("after the erasure %v is still stored", found.Texts)
		}
	})
}
