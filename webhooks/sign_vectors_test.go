package webhooks_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/webhooks"
)

// TestVectors checks that each valid case of the vectors, which the clients are
// tested with, has the signatures that this package computes.
func TestVectors(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name, Secret, Body                           string
		Headers                                      map[string]string
		ServiceSignatureValid, StandardWebhooksValid bool
	}
	file, err := os.ReadFile("../gen/clients/webhook-vectors.json")
	if err == nil {
		err = json.Unmarshal(file, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	valid := 0
	for _, c := range cases {
		got := webhooks.Signature(c.Secret, []byte(c.Body))
		if (got == c.Headers[webhooks.HeaderSignature]) != c.ServiceSignatureValid {
			t.Errorf("%s: X-Service-Signature is %s here", c.Name, got)
		}

		seconds, _ := strconv.ParseInt(c.Headers[webhooks.HeaderStandardTimestamp], 10, 64)
		id, sent := c.Headers[webhooks.HeaderStandardID], strings.Fields(c.Headers[webhooks.HeaderStandardSignature])
		got = webhooks.StandardSignature(c.Secret, id, time.Unix(seconds, 0), []byte(c.Body))
		if c.StandardWebhooksValid && !slices.Contains(sent, got) {
			t.Errorf("%s: webhook-signature is %s here", c.Name, got)
		}
		if c.ServiceSignatureValid && c.StandardWebhooksValid {
			valid++
		}
	}
	if valid < 3 {
		t.Errorf("%d valid cases, want at least 3", valid)
	}
}
