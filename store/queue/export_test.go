package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"assay/store/internal/db"
)

// DeliveryIDs returns the ids of the rows with these numbers, of one statement that inserts deliveries.
func (q *Queue) DeliveryIDs(ctx context.Context, numbers ...int) (ids []string, err error) {
	rows, err := encoded(numbers)
	if err != nil {
		return nil, err
	}
	err = q.DB.Read().List(ctx, &ids, `SELECT `+deliveryID+` FROM (
		SELECT CAST(value `+q.DB.TextOf+` AS INTEGER) AS n FROM `+q.DB.JSONRows+`) w ORDER BY w.n`,
		q.NewID("dlv", q.Now()), rows)
	return ids, err
}

var errExplained = errors.New("explained")

// ExplainClaim returns PostgreSQL's plan of the claim as JSON, after SET LOCAL statements. The claim is a prepared
// statement, as in the dispatcher, and is rolled back.
func (q *Queue) ExplainClaim(
	ctx context.Context, explain string, capacities []Capacity, settings ...string,
) (plan string, err error) {
	rows, err := encoded(capacities)
	if err != nil {
		return "", err
	}
	err = q.DB.WriteDispatcher(ctx, func(c db.Conn) error {
		for _, statement := range append(settings, `PREPARE claim AS `+sqlx.Rebind(sqlx.DOLLAR, claimStatement)) {
			if _, err := c.Exec(ctx, statement); err != nil {
				return err
			}
		}
		if err := c.Get(ctx, &plan, fmt.Sprintf(explain+` EXECUTE claim('%s', %d, %d, 'lease')`,
			rows, int64(1)<<60, int64(1)<<61)); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `DEALLOCATE claim`); err != nil {
			return err
		}
		return errExplained
	})
	if errors.Is(err, errExplained) {
		err = nil
	}
	return plan, err
}
