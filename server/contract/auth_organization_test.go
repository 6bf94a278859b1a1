package contract

import (
	"maps"
	"strings"
	"testing"
)

// settings are the settings of an organization that candidates see.
var settings = object{
	"supportEmail": "jobs@example.com", "privacyUrl": "https://jobs.example/privacy",
	"privacyNotice": "We keep your answers for **six months**.", "acknowledgementRequired": true,
	"accentColor": "#1D4ed8", "locale": "pt-BR", "timeZone": "America/Sao_Paulo",
}

// under returns the values with the prefix before each name.
func under(prefix string, values object) object {
	prefixed := object{}
	for name, value := range values {
		prefixed[prefix+name] = value
	}
	return prefixed
}

// A PATCH changes only the fields in its body, null clears a field, and candidates see
// the settings at once.
func TestOrganizationSettings(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		without := object{"acknowledgementRequired": false, "logoUrl": nil, "privacyNoticeHtml": nil}
		for name := range settings {
			if name != "acknowledgementRequired" {
				without[name] = nil
			}
		}
		a.do("GET", "/v1/organization", o.owner, nil).want(200).wantFields(under("data.", without))
		candidate := o.invite(o.publish(oneQuestion())).candidate()
		taking := under("data.organization.", without)
		taking["data.organization.name"] = "Analytical Engines"
		a.do("GET", "/v1/candidate/session", candidate, nil).want(200).wantFields(taking)

		before := o.audited()
		changed := maps.Clone(settings)
		changed["privacyNoticeHtml"] = "<p>We keep your answers for <strong>six months</strong>.</p>"
		a.do("PATCH", "/v1/organization", o.owner, settings).want(200).wantFields(under("data.", changed))
		a.do("GET", "/v1/candidate/session", candidate, nil).want(200).wantFields(under("data.organization.", changed))
		a.do("GET", "/v1/me", o.owner, nil).want(200).wantFields(under("data.organization.", changed))
		if got := o.audited(); got != before+1 {
			t.Errorf("the audit log has %d more entries, want 1", got-before)
		}

		a.do("PATCH", "/v1/organization", o.owner, object{"name": "Difference Engines"}).want(200).
			wantFields(under("data.", changed))
		for name := range settings {
			if name == "acknowledgementRequired" {
				continue
			}
			changed[name] = nil
			changed["privacyNoticeHtml"] = a.do("PATCH", "/v1/organization", o.owner, object{name: nil}).want(200).
				wantFields(under("data.", object{name: nil})).at("data.privacyNoticeHtml")
		}
		a.do("GET", "/v1/organization", o.owner, nil).want(200).wantFields(under("data.", changed))
	})
}

// Unknown languages and time zones are rejected with the field, and change nothing.
func TestOrganizationSettingsRejected(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, wrong := range []struct {
			body  object
			fault string
		}{
			{object{"locale": "xx"}, "body /locale invalid_value"},
			{object{"locale": "en_US"}, "body /locale invalid_format"},
			{object{"timeZone": "Local"}, "body /timeZone invalid_value"},
			{object{"timeZone": "../UTC"}, "body /timeZone invalid_format"},
			{object{"timeZone": "Europe/Atlantis"}, "body /timeZone invalid_value"},
			{object{"accentColor": "red"}, "body /accentColor too_short"},
			{object{"accentColor": "#12345g"}, "body /accentColor invalid_format"},
			{object{"supportEmail": "jobs"}, "body /supportEmail invalid_format"},
			{object{"privacyUrl": "javascript:alert(1)"}, "body /privacyUrl invalid_format"},
			{object{"privacyNotice": strings.Repeat("x", 10001)}, "body /privacyNotice too_long"},
			{object{"acknowledgementRequired": nil}, "body /acknowledgementRequired invalid_type"},
		} {
			wrong.body["name"] = "Never"
			a.do("PATCH", "/v1/organization", o.owner, wrong.body).blames(wrong.fault)
		}
		a.do("GET", "/v1/organization", o.owner, nil).want(200).wantFields(object{"data.name": "Analytical Engines"})
		member := o.member("MEMBER")
		a.do("PATCH", "/v1/organization", member.who, settings).want(403, "insufficient_role")
	})
}
