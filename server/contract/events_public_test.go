package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// A key sees the events that its scopes permit, in the list, by id, and with each filter.
func TestPublicEventsByScope(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		assessment := o.publish(twoStages())
		path, sessionID := o.reviewOf(assessment)
		a.do("PUT", path+"/state", o.owner, object{"stateId": "shortlisted"}).want(200)
		a.finish(o.invite(assessment).candidate(), true)
		a.finish(o.invite(assessment).candidate(), false)
		a.erase(o.owner, o.invite(assessment).text("data.id")).want(204)
		a.do("POST", "/v1/assessments/"+assessment+"/archive", o.owner, nil).want(200)
		a.clock.Advance(time.Minute)
		all := o.events("", 100)
		is := func(prefix string) func(string) bool {
			return func(kind string) bool { return strings.HasPrefix(kind, prefix) }
		}
		stateless := func(kind string) bool { return is("candidate.")(kind) && kind != "candidate.state_changed" }
		for _, test := range []struct {
			scopes []string
			sees   func(kind string) bool
		}{
			{[]string{"candidates:read"}, stateless},
			{[]string{"candidates:read", "reviews:read"}, is("candidate.")},
			{[]string{"assessments:read"}, is("assessment.")},
			{[]string{"assessments:read", "reviews:read", "results:read"}, is("assessment.")},
			{[]string{"assessments:read", "candidates:read"},
				func(kind string) bool { return stateless(kind) || is("assessment.")(kind) }},
			{[]string{"assessments:read", "candidates:read", "reviews:read"}, is("")},
		} {
			key := o.key(test.scopes...)
			want := []string{}
			for _, event := range all {
				id, kind := event["id"].(string), event["type"].(string)
				list := a.do("GET", "/v1/public/events?type="+kind, key, nil)
				if !test.sees(kind) {
					a.do("GET", "/v1/public/events/"+id, key, nil).want(404, "not_found")
					list.want(403, "insufficient_scope")
					continue
				}
				list.want(200)
				want = append(want, id)
				byID := a.do("GET", "/v1/public/events/"+id, key, nil).want(200)
				byID.wantFields(object{"data.id": id, "data.type": kind, "data.timestamp": event["timestamp"],
					"data.deliveries": nil})
			}
			for query, order := range map[string]func([]string){
				"": func([]string) {}, "&order=asc": slices.Reverse[[]string],
				"&since=2020-01-01T00:00:00Z&until=2100-01-01T00:00:00Z": func([]string) {},
			} {
				expected := slices.Clone(want)
				order(expected)
				if got, _ := a.pages("/v1/public/events?limit=2"+query, key, "id"); !slices.Equal(got, expected) {
					t.Errorf("with %v%s the list has %v, want %v", test.scopes, query, got, expected)
				}
			}
			var about []string
			for _, event := range all {
				if event["data"].(object)["sessionId"] == sessionID && test.sees(event["type"].(string)) {
					about = append(about, event["id"].(string))
				}
			}
			if got, _ := a.pages("/v1/public/events?resourceId="+sessionID, key, "id"); !slices.Equal(got, about) {
				t.Errorf("with %v the session has the events %v, want %v", test.scopes, got, about)
			}
			stranger := other.key(test.scopes...)
			a.do("GET", "/v1/public/events/"+all[0]["id"].(string), stranger, nil).want(404, "not_found")
			if list := a.do("GET", "/v1/public/events", stranger, nil).want(200); list.items() != 0 {
				t.Errorf("another organization sees %s", list.body)
			}
		}
		without := o.key("candidates:write", "results:read", "reviews:read")
		a.do("GET", "/v1/public/events", without, nil).want(403, "insufficient_scope")
		a.do("GET", "/v1/public/events/"+all[0]["id"].(string), without, nil).want(403, "insufficient_scope")
	})
}

// An event shows a key no more than the other operations: no link without the right to invite, and no gate without the
// right to read results. Everything else is what webhooks deliver, also if the candidate's data look like these fields.
func TestPublicEventsHide(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment := o.publish(twoStages())
		invited := o.invite(assessment, object{
			"candidateName": `"inviteUrl":"x" <Ada> & \u2028 👩🏽‍🚀`, "metadata": object{
				"inviteUrl": "https://a.example/#1", "data": `{"inviteUrl":"y"}`, "stageId": "mine", "type": "candidate.invited",
			},
		})
		a.finish(invited.candidate(), false)
		link := invited.text("data.inviteUrl")
		for _, test := range []struct {
			scopes      []string
			seesLink    bool
			seesResults bool
		}{
			{[]string{"candidates:read"}, false, false},
			{[]string{"candidates:read", "results:read"}, false, true},
			{[]string{"candidates:read", "candidates:write"}, true, false},
			{allScopes, true, true},
		} {
			key := o.key(test.scopes...)
			for _, event := range o.eventsOf("", invited.text("data.id")) {
				want := event["data"].(object)
				if event["type"] == "candidate.invited" && !test.seesLink {
					want["inviteUrl"] = nil
				}
				if event["type"] == "candidate.disqualified" && !test.seesResults {
					for _, field := range []string{"stageId", "stageTitle", "stageScore", "minScore"} {
						if want[field] == nil {
							t.Errorf("the event of a person has no %s: %v", field, event)
						}
						want[field] = nil
					}
				}
				got := a.do("GET", "/v1/public/events/"+event["id"].(string), key, nil).want(200)
				if fmt.Sprint(got.at("data.data")) != fmt.Sprint(want) {
					t.Errorf("with %v the event has the data\n%v, want\n%v", test.scopes, got.at("data.data"), want)
				}
				list := a.do("GET", "/v1/public/events?type="+event["type"].(string), key, nil).want(200)
				if fmt.Sprint(list.at("data.0")) != fmt.Sprint(got.at("data")) {
					t.Errorf("in the list the event is\n%v, by id\n%v", list.at("data.0"), got.at("data"))
				}
				if !test.seesLink && strings.Contains(string(got.body)+string(list.body), strings.SplitAfter(link, "#")[1]) {
					t.Errorf("a key that may not invite sees the link: %s", got.body)
				}
			}
		}
		signed := a.do("GET", "/v1/public/events?type=candidate.invited", o.key(), nil).want(200)
		if got := signed.text("data.0.data.inviteUrl"); got != link {
			t.Errorf("the link is %s, want %s", got, link)
		}
	})
}

// A page about some types reads about as many events as it shows, however many events have other types.
func TestPublicEventsOfFewAmongMany(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessment := o.publish(oneQuestion())
		session := o.invite(assessment).text("data.id")
		event := o.events("candidate.invited", 1)[0]["id"].(string)
		storetest.CopyEvent(t, a.database, event, 20_000)
		storetest.Analyze(t, a.database)
		a.clock.Advance(time.Minute)
		path, key := "/v1/public/events?order=asc", o.key("assessments:read")
		for _, query := range []string{"", "&since=2020-01-01T00:00:00Z", "&limit=100"} {
			list := a.do("GET", path+query, key, nil).want(200)
			if list.items() != 1 || list.text("data.0.type") != "assessment.published" || list.header.Get("Link") != "" {
				t.Errorf("the page %s has %s, and the next page %q", query, list.body, list.header.Get("Link"))
			}
		}
		// The events of one session have one order, so that its pages are short and not the last.
		got, pages := a.pages("/v1/public/events?limit=100&resourceId="+session, key, "id")
		if len(got) != 0 || pages < 4 || pages > 6 {
			t.Errorf("the session has %d events on %d pages, want none on five", len(got), pages)
		}
	})
}
