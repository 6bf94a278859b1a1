package contract

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store"
)

// Anybody who has a link reads the result, with answers only if its creator has chosen so. The timeline names each
// opening.
func TestResultLinks(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		invited, strange := o.invite(o.publish(twoStages())), stranger.key("results:share")
		sessionID := invited.text("data.id")
		path := "/v1/candidate-sessions/" + sessionID + "/result-links"
		a.do("POST", path, o.owner, object{}).want(409, "result_not_ready")
		a.finish(invited.candidate(), true)

		link := a.do("POST", path, o.owner, object{"label": "Ana Ruiz"}).want(201).wantFields(object{
			"data.label": "Ana Ruiz", "data.withAnswers": false, "data.createdBy.id": a.userID(o.owner),
			"data.expiresAt": a.after(30 * 24 * time.Hour),
			"data.revokedAt": nil, "data.openCount": 0, "data.lastOpenedAt": nil,
		})
		full := a.do("POST", path, o.owner, object{"withAnswers": true}).want(201)
		short := a.visit("192.0.2.1", link.text("data.url"), nil).want(200)
		short.says(invited.text("data.candidateName")).says("100%").says("are not shown")
		if strings.Contains(string(short.body), "Correct answer") {
			t.Errorf("the page shows correct answers: %s", short.body)
		}
		a.visit("192.0.2.1", full.text("data.url"), nil).want(200).says("Correct answer")
		a.visit("192.0.2.1", link.text("data.url"), nil, "Accept-Language", "de-AT, en;q=0.5").want(200).
			says(`lang="de"`).says("100 %")
		for _, locale := range enumOf(t, "EmailTextLocaleInput") {
			a.visit("192.0.2.1", link.text("data.url"), nil, "Accept-Language", locale).want(200).
				says(`<html lang="` + locale + `"`)
		}

		// Another page within the hour, and a program that shows a preview, do not count.
		a.visit("192.0.2.1", link.text("data.url"), nil, "User-Agent", "Slackbot-LinkExpanding 1.0").want(200)
		wantOpened := func(count int) {
			t.Helper()
			listed := a.do("GET", path, o.owner, nil).want(200)
			if got := listed.at("data.1.openCount"); got != float64(count) {
				t.Errorf("the link was opened %v times, want %d: %s", got, count, listed.body)
			}
		}
		wantOpened(1)
		a.clock.Advance(61 * time.Minute)
		o.owner = bearer(a.login(o.email).access)
		a.visit("192.0.2.1", link.text("data.url"), nil, "User-Agent", "Slackbot-LinkExpanding 1.0").want(200)
		wantOpened(1)
		a.visit("192.0.2.1", link.text("data.url"), nil).want(200)
		wantOpened(2)

		a.do("DELETE", path+"/"+link.text("data.id"), o.owner, nil).want(204)
		a.do("DELETE", path+"/"+link.text("data.id"), o.owner, nil).want(204)
		a.visit("192.0.2.1", link.text("data.url"), nil).want(404).says("does not work")
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.1.url": nil})
		timeline := a.do("GET", "/v1/candidate-sessions/"+sessionID+"/timeline", o.owner, nil).want(200)
		var entries []string
		for _, item := range timeline.list("data") {
			entry := item.(object)
			if kind := entry["type"].(string); strings.HasPrefix(kind, "RESULT_LINK") {
				label, _ := entry["resultLink"].(string)
				entries = append(entries, kind+" "+entry["actor"].(object)["type"].(string)+" "+label)
			}
		}
		want := []string{
			"RESULT_LINK_CREATED USER Ana Ruiz", "RESULT_LINK_CREATED USER ", "RESULT_LINK_OPENED ANONYMOUS Ana Ruiz",
			"RESULT_LINK_OPENED ANONYMOUS ", "RESULT_LINK_OPENED ANONYMOUS Ana Ruiz", "RESULT_LINK_REVOKED USER Ana Ruiz",
		}
		if !slices.Equal(entries, want) {
			t.Errorf("the timeline has %q, want %q", entries, want)
		}

		public := strings.Replace(path, "/v1/", "/v1/public/", 1)
		a.do("GET", public, strange, nil).want(404, "not_found")
		a.do("POST", public, strange, object{}).want(404, "not_found")
		a.do("DELETE", public+"/"+full.text("data.id"), strange, nil).want(404, "not_found")
		a.visit("192.0.2.1", "/result?token="+full.text("data.id")+"_"+strings.Repeat("A", 43), nil).want(404)
		a.clock.Advance(30 * 24 * time.Hour)
		a.visit("192.0.2.1", full.text("data.url"), nil).want(404)
	})
}

// An erasure deletes the links, and a page shows no result while the candidate goes on.
func TestResultLinksFollowTheSession(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		invited := o.invite(o.publish(twoStages()))
		sessionID, key := invited.text("data.id"), o.key("results:share")
		path := "/v1/public/candidate-sessions/" + sessionID + "/result-links"
		a.finish(invited.candidate(), false)
		link := a.do("POST", path, key, object{"expiresAt": a.after(24 * time.Hour)}).want(201).
			wantFields(object{"data.createdBy.type": "API_KEY"}).text("data.url")
		a.visit("192.0.2.1", link, nil).want(200).says("Ended after the stage")
		for _, at := range []string{a.after(-time.Second), a.after(367 * 24 * time.Hour)} {
			a.do("POST", path, key, object{"expiresAt": at}).want(400, "invalid_request").
				wantFields(object{"errors.0.pointer": "/expiresAt"})
		}
		for range 49 {
			a.do("POST", path, key, object{}).want(201)
		}
		own := strings.Replace(path, "/public", "", 1)
		a.do("POST", path, key, object{}).want(409, "too_many_result_links")
		a.do("POST", own, o.owner, object{}).want(409, "too_many_result_links")
		a.do("POST", "/v1/candidate-sessions/"+sessionID+"/reopen", o.owner, object{"minutes": 30, "reason": "A mistake"}).
			want(200)
		a.visit("192.0.2.1", link, nil).want(200).says("no result at the moment")
		a.do("POST", path, key, object{}).want(409, "result_not_ready")
		a.do("GET", path, o.key("results:read"), nil).want(403, "insufficient_scope")
		a.erase(o.owner, sessionID).want(204)
		a.visit("192.0.2.1", link, nil).want(404)
		if left := a.do("GET", path, key, nil).want(200).list("data"); len(left) != 0 {
			t.Errorf("after the erasure, there are %d links", len(left))
		}
		a.do("POST", path, key, object{}).want(409, "session_erased")
		a.do("POST", own, o.owner, object{}).want(409, "session_erased")
	})
}

// The events of finished sessions have a link if the organization wants it.
func TestResultURLInEvents(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(twoStages())
		finished := func(passes bool) (sessionID string, data object) {
			invited := o.invite(assessmentID)
			a.finish(invited.candidate(), passes)
			sessionID = invited.text("data.id")
			event := a.do("GET", "/v1/events?limit=1&resourceId="+sessionID, o.owner, nil).want(200)
			return sessionID, event.at("data.0.data").(object)
		}
		if _, data := finished(true); data["resultUrl"] != nil {
			t.Errorf("an event has the link %v", data["resultUrl"])
		}
		a.do("PATCH", "/v1/organization", o.owner, object{"resultLinkInEvents": true, "resultLinkDays": 7}).want(200).
			wantFields(object{"data.resultLinkInEvents": true, "data.resultLinkDays": 7})
		for _, passes := range []bool{true, false} {
			sessionID, data := finished(passes)
			a.visit("192.0.2.1", data["resultUrl"].(string), nil).want(200)
			path := "/v1/candidate-sessions/" + sessionID + "/result-links"
			a.do("GET", path, o.owner, nil).want(200).wantFields(object{
				"data.0.url": data["resultUrl"], "data.0.createdBy": nil, "data.0.withAnswers": false,
				"data.0.expiresAt": a.after(7 * 24 * time.Hour),
			})
			for scope, want := range map[string]any{"assessments:read": nil, "results:read": data["resultUrl"]} {
				key := o.key("candidates:read", scope)
				a.do("GET", "/v1/public/events?limit=1&resourceId="+sessionID, key, nil).want(200).
					wantFields(object{"data.0.data.resultUrl": want})
			}
			a.erase(o.owner, sessionID).want(204)
			a.visit("192.0.2.1", data["resultUrl"].(string), nil).want(404)
			a.do("GET", "/v1/events?limit=1&type=candidate."+map[bool]string{true: "completed", false: "disqualified"}[passes],
				o.owner, nil).want(200).wantFields(object{"data.0.data.resultUrl": nil})
		}
	})
}

// after is a time after the present one, as the contract writes it.
func (a *api) after(d time.Duration) string { return store.WireTime(a.clock.Now().Add(d)) }
