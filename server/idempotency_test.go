package server

import (
	"crypto/sha256"
	"encoding/json"
	"testing"
)

// The fingerprint is the hash of what encoding/json returns. A changed fingerprint would
// reject the requests that are sent again during an update of the service.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	body, malformed := decodeStrict([]byte(`{"b":"<&>\u2028é\ud83d\ude00\"\\/\u0001\u007f","a":[1,-0,1.5e3,
		1e21,1e-7,0.1,5e-324,123456789012345678,1e20,true,null,{},[],{"":{"z":1,"é":2,"\ud83d\ude00":3,"\uffff":4}}]}`))
	if malformed != nil {
		t.Fatal(malformed)
	}
	encoded, err := json.Marshal([]any{"/v1/<x>", body})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fingerprintOf("/v1/<x>", body); err != nil || got != sha256.Sum256(encoded) {
		t.Errorf("the fingerprint is not the hash of %s (%v)", encoded, err)
	}
}
