package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/webhooks"
)

const eventBody = `{"id":"evt_1","type":"candidate.invited","data":{"candidateName":"Zoë"}}`

// delivery is a request as Assay sends it, signed at the given time.
func delivery(secret, body string, at time.Time) *http.Request {
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	for name, value := range map[string]string{
		"Content-Type":                   "application/json",
		webhooks.HeaderEvent:             "candidate.invited",
		webhooks.HeaderDelivery:          "dlv_1",
		webhooks.HeaderSignature:         webhooks.Signature(secret, []byte(body)),
		webhooks.HeaderStandardID:        "evt_1",
		webhooks.HeaderStandardTimestamp: strconv.FormatInt(at.Unix(), 10),
		webhooks.HeaderStandardSignature: webhooks.StandardSignature(secret, "evt_1", at, []byte(body)),
	} {
		request.Header.Set(name, value)
	}
	return request
}

// receive passes a request to the receiver and returns its response and its output.
func receive(c listenCommand, request *http.Request) (*httptest.ResponseRecorder, string) {
	var stdout bytes.Buffer
	recorder := httptest.NewRecorder()
	c.receiver(&stdout).ServeHTTP(recorder, request)
	return recorder, stdout.String()
}

func TestListenVerifies(t *testing.T) {
	for _, secret := range []string{demoSecret, "a secret of the endpoint's own"} {
		for _, off := range []time.Duration{0, -4 * time.Minute, 4 * time.Minute} { // clocks differ
			answered, printed := receive(listenCommand{Secret: secret}, delivery(secret, eventBody, time.Now().Add(off)))
			if answered.Code != http.StatusNoContent ||
				!strings.Contains(printed, " verified candidate.invited evt_1 delivery dlv_1\n") ||
				!strings.Contains(printed, "\n    \"type\": \"candidate.invited\",\n") || !strings.Contains(printed, "Zoë") {
				t.Errorf("%s: %d %s", off, answered.Code, printed)
			}
			if strings.Contains(printed, secret) {
				t.Errorf("the secret was printed: %s", printed)
			}
		}
	}
}

// An event that fails verification is rejected, printed, and not forwarded.
func TestListenRejects(t *testing.T) {
	forwardedTo := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request) {
		t.Error("a refused event was forwarded")
	}))
	defer forwardedTo.Close()
	c := listenCommand{Secret: demoSecret, ForwardTo: forwardedTo.URL}
	now := time.Now()
	changed := func(name, value string) *http.Request {
		request := delivery(demoSecret, eventBody, now)
		request.Header.Set(name, value)
		return request
	}
	otherBody := delivery(demoSecret, eventBody, now)
	otherBody.Body = io.NopCloser(strings.NewReader(eventBody + " "))
	unprefixed := strings.TrimPrefix(webhooks.Signature(demoSecret, []byte(eventBody)), "sha256=")
	unsigned := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(eventBody))
	earlier := strconv.FormatInt(now.Unix()-1, 10)
	for name, test := range map[string]struct {
		request *http.Request
		why     string
	}{
		"wrong secret":        {delivery("whsec_d3Jvbmc=", eventBody, now), "X-Service-Signature"},
		"another body":        {otherBody, "X-Service-Signature"},
		"unsigned":            {unsigned, "X-Service-Signature"},
		"the first one only":  {changed(webhooks.HeaderStandardSignature, ""), "webhook-signature"},
		"the second one only": {changed(webhooks.HeaderSignature, ""), "X-Service-Signature"},
		"no prefix":           {changed(webhooks.HeaderSignature, unprefixed), "X-Service-Signature"},
		"another id":          {changed(webhooks.HeaderStandardID, "evt_2"), "webhook-signature"},
		"another time":        {changed(webhooks.HeaderStandardTimestamp, earlier), "webhook-signature"},
		"no time":             {changed(webhooks.HeaderStandardTimestamp, ""), "webhook-timestamp"},
		"time as text": {changed(webhooks.HeaderStandardTimestamp, now.Format(time.RFC3339)),
			"webhook-timestamp"},
		"replayed later":  {delivery(demoSecret, eventBody, now.Add(-6*time.Minute)), "webhook-timestamp"},
		"from the future": {delivery(demoSecret, eventBody, now.Add(6*time.Minute)), "webhook-timestamp"},
		"largest time":    {changed(webhooks.HeaderStandardTimestamp, "9223372036854775807"), "webhook-timestamp"},
		"smallest time":   {changed(webhooks.HeaderStandardTimestamp, "-9223372036854775808"), "webhook-timestamp"},
	} {
		answered, printed := receive(c, test.request)
		if answered.Code != http.StatusUnauthorized || !strings.Contains(printed, " REFUSED: "+test.why) ||
			strings.Contains(printed, "verified") {
			t.Errorf("%s: %d %s", name, answered.Code, printed)
		}
		if shown := printed + answered.Body.String(); strings.Contains(shown, demoSecret) || strings.Contains(shown, "Zoë") {
			t.Errorf("%s: the output is %q", name, shown)
		}
	}
	large := strings.Repeat(" ", maxListenBody+1)
	if answered, _ := receive(c, delivery(demoSecret, large, now)); answered.Code != http.StatusBadRequest {
		t.Errorf("a body over the bound: %d", answered.Code)
	}
}

func TestListenForwards(t *testing.T) {
	for _, status := range []int{200, 204, 410, 500} {
		var got http.Header
		var body []byte
		target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got = r.Header.Clone()
			body, _ = io.ReadAll(r.Body)
			w.WriteHeader(status)
			if status != http.StatusNoContent {
				_, _ = io.WriteString(w, "from the target")
			}
		}))
		request := delivery(demoSecret, eventBody, time.Now())
		answered, printed := receive(listenCommand{Secret: demoSecret, ForwardTo: target.URL + "/hook"}, request)
		target.Close()
		if answered.Code != status || (status != http.StatusNoContent && answered.Body.String() != "from the target") {
			t.Errorf("%d was returned as %d %q", status, answered.Code, answered.Body)
		}
		if string(body) != eventBody {
			t.Errorf("the body arrived as %q", body)
		}
		for name := range request.Header {
			if got.Get(name) != request.Header.Get(name) {
				t.Errorf("%s arrived as %q, want %q", name, got.Get(name), request.Header.Get(name))
			}
		}
		if !strings.Contains(printed, "forwarded: "+strconv.Itoa(status)) || strings.Contains(printed, demoSecret) {
			t.Errorf("printed %s", printed)
		}
	}
	// If the target is unreachable, Assay must try again.
	answered, printed := receive(listenCommand{Secret: demoSecret, ForwardTo: "http://" + freeAddr(t)},
		delivery(demoSecret, eventBody, time.Now()))
	if answered.Code != http.StatusBadGateway || !strings.Contains(printed, "not forwarded: ") {
		t.Errorf("no target: %d %s", answered.Code, printed)
	}
}
