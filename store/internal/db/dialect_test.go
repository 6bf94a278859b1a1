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
		"28P01": true, "3D000": true, "53100": true, "58030": true, "58P01": true, "XX001": true, "XX002": true,
		"57014": true, "42501": false,
		"08006": true, "40001": true, "40P01": true, "53300": true, "57P01": true, "25006": true,
		"22P05": false, "23505": false, "25P02": false, "42601": false, "P0001": false, "XX000": false,
	} {
		if got := IsUnavailable(fmt.Errorf("wrapped: %w", &pq.Error{Code: code})); got != want {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}
