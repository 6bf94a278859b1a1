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

// What the clients' verifications are held against is what is sent: each
// genuine case of the vectors has the signatures that are made here.
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
	genuine := 0
	for _, c := range cases {
		if got := webhooks.Signature(c.Secret, []byte(c.Body)); (got == c.Headers[webhooks.HeaderSignature]) != c.ServiceSignatureValid {
			t.Errorf("%s: X-Service-Signature would be %s", c.Name, got)
		}
		seconds, _ := strconv.ParseInt(c.Headers[webhooks.HeaderStandardTimestamp], 10, 64)
		got := webhooks.StandardSignature(c.Secret, c.Headers[webhooks.HeaderStandardID], time.Unix(seconds, 0), []byte(c.Body))
		if made := slices.Contains(strings.Fields(c.Headers[webhooks.HeaderStandardSignature]), got); c.StandardWebhooksValid && !made {
			t.Errorf("%s: webhook-signature would be %s", c.Name, got)
		}
		if c.ServiceSignatureValid && c.StandardWebhooksValid {
			genuine++
		}
	}
	if genuine < 3 {
		t.Errorf("%d genuine cases", genuine)
	}
}
