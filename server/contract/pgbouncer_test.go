package contract

import (
	"fmt"
	"testing"

	"assay/store/storetest"
)

// The service works behind PgBouncer in session mode as it is, and in transaction mode with
// ASSAY_DATABASE_POOLING=transaction, where each transaction can have another connection.
func TestBehindPgBouncer(t *testing.T) {
	for _, mode := range storetest.Poolings {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			databaseURL, pooling := storetest.PgBouncer(t, mode, storetest.URL(t, "postgres"))
			clock := storetest.NewClock()
			replicas := []*api{
				serve(t, storetest.OpenURL(t, databaseURL, clock.Now, pooling), clock),
				serve(t, storetest.OpenURL(t, databaseURL, clock.Now, pooling), clock),
			}
			journeyCompleted(t, replicas[0])

			o := replicas[0].register()
			key, assessmentID := o.key(), o.publish(twoStages())
			for _, answer := range atOnce(40, func(i int) response {
				replica := replicas[i%2]
				replica.do("GET", "/v1/public/candidate-sessions", key, nil).want(200)
				return replica.do("POST", "/v1/public/candidate-sessions", key, object{
					"assessmentId": assessmentID, "candidateName": "Ada", "candidateEmail": fmt.Sprintf("ada%d@example.com", i/2),
				})
			}) {
				if answer.status != 200 && answer.status != 201 {
					t.Errorf("%d %s", answer.status, answer.body)
				}
			}
			if listed, _ := replicas[1].pages("/v1/public/candidate-sessions", key, "id"); len(listed) != 20 {
				t.Errorf("%d sessions, want one for each of 20 addresses", len(listed))
			}
			journeyDisqualified(t, replicas[1])
		})
	}
}
