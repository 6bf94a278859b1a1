package contract

import (
	"strings"
	"testing"

	"assay/store/storetest"
)

// An organization connects a system, replaces its key, and disconnects it. No response contains the key of callbacks,
// and others do not see the connection.
func TestIntegrations(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		if list := a.do("GET", "/v1/integrations", o.owner, nil).want(200).list("data"); len(list) != 0 {
			t.Errorf("connected without a connection: %v", list)
		}
		const secret = "a-secret-of-ashby-1234"
		first := a.do("PUT", "/v1/integrations", o.owner, object{"partner": "ashby", "callbackKey": secret}).want(200)
		first.wantFields(object{"data.partner": "ashby", "data.baseUrl": "https://assay.test/partners/ashby",
			"data.callbackKeyHint": "1234"})
		id := first.text("data.id")
		second := a.do("PUT", "/v1/integrations", o.owner, object{"partner": "ashby", "callbackKey": "short"}).want(200)
		second.wantFields(object{"data.id": id, "data.callbackKeyHint": "…"})
		a.do("PUT", "/v1/integrations", o.owner, object{"partner": "greenhouse", "callbackKey": "k"}).want(200)
		a.do("PUT", "/v1/integrations", stranger.owner, object{"partner": "ashby", "callbackKey": "k"}).want(200)
		list := a.do("GET", "/v1/integrations", o.owner, nil).want(200)
		if len(list.list("data")) != 2 || list.text("data.0.id") != id || list.text("data.1.partner") != "greenhouse" {
			t.Errorf("connected are %s", list.body)
		}
		audit := a.do("GET", "/v1/audit-log?action=INTEGRATION_CONNECTED", o.owner, nil).want(200)
		audit.wantFields(object{"data.0.action": "INTEGRATION_CONNECTED", "data.2.changes.0.to": "ashby"})
		for _, response := range []response{first, second, list, audit} {
			if strings.Contains(string(response.body), secret) {
				t.Errorf("%s contains the key: %s", response.name, response.body)
			}
		}
		if strings.Contains(a.log.String(), secret) {
			t.Error("the log contains the key")
		}

		for _, body := range []object{
			{"partner": "lever", "callbackKey": "k"}, {"partner": "ashby"}, {"partner": "ashby", "callbackKey": ""},
			{"partner": "ashby", "callbackKey": "with space"}, {"partner": "ashby", "callbackKey": "with:colon"},
			{"partner": "ashby", "callbackKey": "line\nbreak"}, {"partner": "ashby", "callbackKey": strings.Repeat("x", 501)},
		} {
			a.do("PUT", "/v1/integrations", o.owner, body).want(400, "invalid_request")
		}
		for _, role := range []string{"MEMBER", "EDITOR"} {
			who := o.member(role).who
			a.do("GET", "/v1/integrations", who, nil).want(403, "insufficient_role")
			a.do("PUT", "/v1/integrations", who, object{"partner": "ashby", "callbackKey": "k"}).want(403, "insufficient_role")
			a.do("DELETE", "/v1/integrations/"+id, who, nil).want(403, "insufficient_role")
			a.do("GET", "/v1/integrations/"+id+"/exchanges", who, nil).want(403, "insufficient_role")
		}
		a.do("DELETE", "/v1/integrations/"+id, stranger.owner, nil).want(404, "not_found")
		a.do("GET", "/v1/integrations/"+id+"/exchanges", stranger.owner, nil).want(404, "not_found")
		a.do("DELETE", "/v1/integrations/"+id, o.owner, nil).want(204)
		a.do("DELETE", "/v1/integrations/"+id, o.owner, nil).want(404, "not_found")
		a.do("GET", "/v1/integrations/"+id+"/exchanges", o.owner, nil).want(404, "not_found")
	})
}

// Exchanges are kept for 30 days, and the list has the latest hundred.
func TestIntegrationExchangesBounded(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		s := o.system("greenhouse", basicOf, "")
		for range 105 {
			s.call("GET", "/list_tests", nil).want(200)
		}
		if n := len(s.exchanges()); n != 100 {
			t.Errorf("%d exchanges in the list", n)
		}
		a.clock.Advance(31 * 24 * 3600e9)
		if err := storetest.Purge(t.Context(), a.store, 30*24*3600e9); err != nil {
			t.Fatal(err)
		}
		o.signIn()
		if n := len(s.exchanges()); n != 0 {
			t.Errorf("%d exchanges after 31 days", n)
		}
	})
}
