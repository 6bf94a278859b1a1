package rules

import (
	"testing"
)

func TestWhenFailed(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		gate Gate
		want OnFail
	}{
		{Gate{}, OnFailContinue}, {Gate{Required: true}, OnFailDisqualify},
		{Gate{Required: true, OnFail: OnFailReview}, OnFailReview},
		{Gate{Required: true, OnFail: OnFailContinue}, OnFailContinue},
		{Gate{OnFail: OnFailDisqualify}, OnFailDisqualify},
	} {
		if got := row.gate.WhenFailed(); got != row.want {
			t.Errorf("%+v: %s, want %s", row.gate, got, row.want)
		}
	}
}

// A stored gate has onFail only for a review, so that a client that knows only required can
// send back each gate that it has read.
func TestGateOfARequest(t *testing.T) {
	t.Parallel()
	review := &Gate{Required: true, MinScore: 60, OnFail: OnFailReview}
	for _, row := range []struct {
		name   string
		stored *Gate
		sent   Gate
		want   string // as it is stored
	}{
		{"required", nil, Gate{Required: true, MinScore: 60}, `{"required":true,"minScore":60}`},
		{"reported", nil, Gate{MinScore: 60}, `{"required":false,"minScore":60}`},
		{"onFail decides about required", nil, Gate{MinScore: 60, OnFail: OnFailReview},
			`{"required":true,"minScore":60,"onFail":"REVIEW"}`},
		{"disqualify", review, Gate{MinScore: 60, OnFail: OnFailDisqualify}, `{"required":true,"minScore":60}`},
		{"continue", review, Gate{Required: true, MinScore: 60, OnFail: OnFailContinue}, `{"required":false,"minScore":60}`},
		{"an omitted review is kept", review, Gate{Required: true, MinScore: 70},
			`{"required":true,"minScore":70,"onFail":"REVIEW"}`},
		{"a gate that is not required has no review", review, Gate{MinScore: 60}, `{"required":false,"minScore":60}`},
		{"only a review is kept", &Gate{MinScore: 60}, Gate{Required: true, MinScore: 60}, `{"required":true,"minScore":60}`},
	} {
		stored, sent := pharmacist(), pharmacist()
		stored.Stages[0].Gate, sent.Stages[0].Gate = row.stored, &row.sent
		if faults := CompleteIDs(&sent, stored, nil); len(faults) > 0 {
			t.Fatal(faults)
		}
		alone := Definition{Stages: []Stage{{ID: "s", Gate: sent.Stages[0].Gate}}}
		encoded, err := alone.Encode()
		want := `{"stages":[{"id":"s","title":"","description":null,"timeLimitMinutes":null,"gate":` + row.want +
			`,"questions":null}]}`
		if err != nil || encoded != want {
			t.Errorf("%s: %s, want %s (%v)", row.name, encoded, want, err)
		}
	}
	// A new stage has no stored gate, also if its id is empty like that of another new stage.
	sent := Definition{Stages: []Stage{{Gate: &Gate{Required: true}}}}
	if CompleteIDs(&sent, Definition{}, func(string) string { return "new" }); sent.Stages[0].Gate.OnFail != "" {
		t.Errorf("a new gate has the outcome %s", sent.Stages[0].Gate.OnFail)
	}
}
