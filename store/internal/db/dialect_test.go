package db

import (
	"fmt"
	"testing"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// IsUnavailable must be true for errors after which the same request can succeed, and
// false for errors that are faults of Assay.
func TestIsUnavailable(t *testing.T) {
	t.Parallel()
	for code, want := range map[pqerror.Code]bool{
		"08006": true, "40001": true, "40P01": true, "53300": true, "57P01": true, "25006": true,
		"22P05": false, "23505": false, "25P02": false, "42601": false, "P0001": false, "XX000": false,
	} {
		if got := IsUnavailable(fmt.Errorf("wrapped: %w", &pq.Error{Code: code})); got != want {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}
