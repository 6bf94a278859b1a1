package contract

import (
	"strings"
	"testing"
	"time"
)

// While a member must add a second factor, every operation outside of the member's account is refused, before anything
// of the request is looked at.
func TestEveryOperationWaitsForSecondFactor(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.addAuthenticator(o.owner)
		colleague := o.member("OWNER")
		a.do("PATCH", "/v1/organization", o.owner, object{"secondFactorRequired": true}).want(200)
		a.clock.Advance(2 * time.Second)
		refused := 0
		for _, operation := range everyOperation(t) {
			if operation.scheme != "bearerAuth" || strings.HasPrefix(operation.path, "/v1/me") {
				continue
			}
			a.do(operation.method, operation.address(a.unknownID), colleague.who, nil).want(403, "second_factor_setup_required")
			refused++
		}
		if refused < 100 {
			t.Errorf("tested only %d operations", refused)
		}
		a.addAuthenticator(colleague.who)
		a.do("GET", "/v1/assessments", colleague.who, nil).want(200)
	})
}
