package contract

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/store/storetest"
)

// Each change of a resource names the fields that differ, with the values of settings.
func TestAuditedChanges(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201)
		endpoint := a.do("POST", "/v1/webhooks", o.owner, object{"url": hookURL, "events": []string{"candidate.invited"}}).
			want(201).text("data.id")
		published := o.publish(oneQuestion())
		session := o.invite(published)
		later, latest := wire(a.clock.Now().Add(time.Hour)), wire(a.clock.Now().Add(48*time.Hour))
		a.clock.Advance(time.Minute)
		stages := twoStages()["stages"]
		for _, edit := range []struct {
			path string
			body object
			want changeSource
		}{
			{"/v1/organization", object{
				"name": "N", "redirectUrl": "https://a.example/x?y=z", "inviteExpiryDays": 7, "supportEmail": "a@b.example",
				"privacyUrl": "https://a.example/privacy", "privacyNotice": "P", "acknowledgementRequired": true,
				"accentColor": "#123456", "locale": "de", "timeZone": "Europe/Berlin",
			}, changed("name", nil, nil, "redirectUrl", nil, "https://a.example", "inviteExpiryDays", "14", "7",
				"supportEmail", nil, nil, "privacyUrl", nil, "https://a.example", "privacyNotice", nil, nil,
				"acknowledgementRequired", "false", "true", "accentColor", nil, "#123456", "locale", nil, "de",
				"timeZone", nil, "Europe/Berlin")},
			{"/v1/organization", object{"redirectUrl": nil, "inviteExpiryDays": 7, "locale": "fr"},
				changed("redirectUrl", "https://a.example", nil, "locale", "de", "fr")},
			{"/v1/assessments/" + draft.text("data.id"), object{
				"title": "T", "description": "D", "passingScore": 12.5, "timeLimitMinutes": 30, "inviteExpiryDays": 5,
				"redirectUrl": "https://a.example/x", "instructions": "I", "closingMessage": "C", "locale": "de",
				"shuffleQuestions": true, "shuffleOptions": true, "opensAt": later, "closesAt": latest, "stages": stages,
			}, changed("title", nil, nil, "description", nil, nil, "passingScore", nil, "12.5", "timeLimitMinutes", nil, "30",
				"inviteExpiryDays", "14", "5", "redirectUrl", nil, "https://a.example", "instructions", nil, nil,
				"closingMessage", nil, nil, "locale", nil, "de", "shuffleQuestions", "false", "true",
				"shuffleOptions", "false", "true", "opensAt", nil, later, "closesAt", nil, latest, "stages", nil, nil)},
			{"/v1/webhooks/" + endpoint, object{
				"url": "https://b.example/other?token=x", "events": []string{"candidate.completed", "candidate.invited"},
				"description": "D", "enabled": false,
			}, changed("url", "https://ats.example", "https://b.example", "events", "candidate.invited",
				"candidate.completed candidate.invited", "description", nil, nil, "enabled", "true", "false")},
			{"/v1/candidate-sessions/" + session.text("data.id"), object{
				"expiresAt": latest, "extraTimePercent": 25, "note": "Quiet room",
			}, changed("extraTimePercent", "0", "25", "expiresAt", session.at("data.expiresAt"), latest, "note", nil, nil)},
			{"/v1/candidate-sessions/" + session.text("data.id"), object{"note": "Quiet room"}, nil},
		} {
			a.do("PATCH", edit.path, o.owner, edit.body).want(200)
			want := []any{}
			if edit.want != nil {
				want = edit.want(response{})
			}
			o.audit(1).wantFields(object{"data.0.changes": want})
			a.clock.Advance(11 * time.Minute)
			o.signIn()
			a.clock.Advance(time.Millisecond)
		}

		// An invite that updates a live session names what it has changed.
		body := object{"assessmentId": published, "candidateName": "Grace M. Hopper",
			"candidateEmail": session.text("data.candidateEmail"), "onExisting": "UPDATE", "externalId": "E",
			"metadata": object{"a": "b"}, "redirectUrl": "https://a.example/x", "extraTimePercent": 50}
		a.do("POST", "/v1/candidate-sessions", o.owner, body).want(200)
		o.audit(1).wantFields(object{"data.0.action": "SESSION_UPDATED", "data.0.changes": changed("candidateName", nil, nil,
			"externalId", nil, nil, "metadata", nil, nil, "redirectUrl", nil, nil, "extraTimePercent", "25", "50")(response{})})

		expiresAt := wire(a.clock.Now().Add(time.Hour))
		a.do("POST", "/v1/api-keys", o.owner,
			object{"name": "N", "scopes": []string{"results:read"}, "expiresAt": expiresAt}).want(201)
		o.audit(1).wantFields(object{"data.0.changes": changed("scopes", nil, "results:read", "expiresAt", nil,
			expiresAt)(response{})})
		rows := a.do("GET", "/v1/audit-log/export?action=API_KEY_CREATED", o.owner, nil).want(200).csv()
		if got, want := rows[1][slices.Index(rows[0], "changes")], `[{"field":"scopes","from":null,"to":"results:read"},`+
			`{"field":"expiresAt","from":null,"to":"`+expiresAt+`"}]`; got != want {
			t.Errorf("the export has the changes %s, want %s", got, want)
		}
	})
}

const marker = "zqmarked"

// mark replaces each text in a value that is not a setting with one that contains the marker.
func mark(field string, value any, n *int) any {
	switch v := value.(type) {
	case object:
		marked := object{}
		for name, inner := range v {
			if field == "metadata" {
				name = marker + name
			}
			marked[name] = mark(name, inner, n)
		}
		return marked
	case []any:
		marked := make([]any, len(v))
		for i := range v {
			marked[i] = mark(field, v[i], n)
		}
		return marked
	case string:
		*n++
		switch {
		case field == "candidateEmail" || field == "email" || field == "supportEmail":
			return fmt.Sprintf("%s%d@example.com", marker, *n)
		case strings.HasSuffix(strings.ToLower(field), "url"):
			return fmt.Sprintf("https://example.com/%s%d?%s", marker, *n, marker)
		case field == "secret":
			return "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat(marker, 4)))
		case strings.HasSuffix(strings.ToLower(field), "password"):
			return testPassword
		case slices.Contains([]string{"type", "role", "scopes", "events", "locale", "timeZone", "accentColor", "onExisting",
			"status", "eventType", "setupToken", "token", "refreshToken"}, field), strings.HasSuffix(field, "At"),
			field == "since" || field == "until", field != "externalId" && strings.HasSuffix(field, "Id"),
			strings.HasSuffix(field, "Ids"):
			return v
		}
		return fmt.Sprintf("%s%d", marker, *n)
	}
	return value
}

// No operation writes a text of its request into the audit log, nor a secret of its
// response.
func TestAuditLogContainsNoTexts(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		c := a.cast()
		published := c.publish(oneQuestion(object{"timeLimitMinutes": 60}))
		running := c.tenant.invite(published)
		a.do("POST", "/v1/candidate/session/start", running.candidate(), nil).want(200)
		n := 0
		accepted := map[string]bool{}
		for _, o := range everyOperation(t) {
			if o.body == nil || o.id == "changePassword" { // it would end the login of the test
				continue
			}
			ids := map[string]string{
				"api-keys": c.keyID, "webhooks": c.hookID(), "members": c.add("MEMBER").text("data.id"),
				"assessments":        a.do("POST", "/v1/assessments", c.owner, oneQuestion()).want(201).text("data.id"),
				"candidate-sessions": c.tenant.invite(published).text("data.id"),
			}
			if o.id == "extendCandidateSession" {
				ids["candidate-sessions"] = running.text("data.id")
			}
			path := o.address(func(collection string) string {
				if id := ids[collection]; id != "" {
					return id
				}
				return a.unknownID(collection)
			})
			body := mark("", asJSON(t, o.body.Example), &n).(object)
			if _, has := body["assessmentId"]; has {
				body["assessmentId"] = published
			}
			if rows, has := body["rows"].([]any); has {
				for _, row := range rows {
					row.(object)["assessmentId"] = published
				}
			}
			for field := range body { // times in the examples can have passed
				if _, isText := body[field].(string); isText && strings.HasSuffix(field, "At") {
					body[field] = wire(a.clock.Now().Add(time.Hour + time.Duration(len(field))*time.Minute))
				}
			}
			answer := a.do(o.method, path, c.right(o), body)
			if answer.status >= 500 {
				t.Errorf("%s: %d\n%s", o.id, answer.status, answer.body)
			}
			accepted[o.id] = answer.status < 300
			a.clock.Advance(time.Second)
		}
		for _, id := range []string{"register", "updateMe", "updateOrganization", "createMember", "updateMember",
			"createApiKey", "createWebhook", "updateWebhook", "rotateWebhookSecret", "createAssessment", "updateAssessment",
			"createCandidateSession", "bulkCreateCandidateSessions", "updateCandidateSession", "extendCandidateSession",
			"createPublicCandidateSession"} {
			if !accepted[id] {
				t.Errorf("%s was not accepted, so the search proves nothing", id)
			}
		}
		if stored := storetest.Contents(t, a.database, "assessments", "users", "organizations", "candidate_sessions",
			"api_keys", "webhook_endpoints"); strings.Count(stored, marker) < 20 {
			t.Errorf("the marker is only %d times in the database", strings.Count(stored, marker))
		}

		c.audit(1) // writes what is pending
		log := storetest.Contents(t, a.database, "audit_log")
		unwanted := append(c.secrets(), marker, base64.StdEncoding.EncodeToString([]byte(marker))[:10], "@", "mbr_",
			"pk_live", "whsec_", "eyJ", "Ada Lovelace", "Grace Hopper", "Analytical Engines", "What flow")
		for _, text := range unwanted {
			if strings.Contains(log, text) {
				at := strings.Index(log, text)
				t.Errorf("the audit log contains %s: …%s…", text, log[max(0, at-200):min(len(log), at+100)])
			}
		}
		if encoded, _ := json.Marshal(accepted); len(log) < 5000 {
			t.Errorf("the audit log has only %d bytes: %s", len(log), encoded)
		}
	})
}
