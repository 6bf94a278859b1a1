package attack

import (
	"context"
	"net/http"

	"assay/server/cmd/lab/rig"
)

// memory signs in many times at once. Each sign-in takes the memory of a password hash.
func memory(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, unlimited)
	if err != nil {
		return err
	}
	defer t.Stop()
	if _, err := rig.NewOrganization(ctx, t.api, "memory"); err != nil {
		return t.Explain(err)
	}
	rounds := a.often(1, 5)
	for range rounds {
		idle, end := t.Usage().Resident, costs(t.Process)
		body := rig.Credentials(rig.Email("memory"))
		answers := storm(ctx, memorySignIns, memoryAtOnce, func(ctx context.Context, _, _ int) (rig.Answer, error) {
			return t.api.Send(ctx, http.MethodPost, "/v1/auth/login", nil, body)
		})
		used := end()
		a.tried("%d sign-ins, %d at once, %s", answers.sum(), memoryAtOnce, rig.Seconds(answers.took))
		a.got("%s; %s", answers, used)
		if !rig.Pause(ctx, memoryWait) {
			return ctx.Err()
		}
		after := t.Usage().Resident
		a.check(after <= memoryAfter && answers.not(200) == 0, ruleMemory, "%s before, %s at the peak, %s after %s",
			rig.Mebibytes(idle), rig.Mebibytes(used.peak), rig.Mebibytes(after), memoryWait)
	}
	return nil
}
