package queue_test

import (
	"slices"
	"testing"

	"assay/store/storetest"
)

// The ids of the deliveries of one statement are in order and differ, however many there
// are, and none is the id of a delivery of another statement of the same moment.
func TestDeliveryIDs(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		s := storetest.Open(t, database, storetest.NewClock().Now)
		seen := map[string]bool{}
		for range 50 {
			ids, err := s.Queue().DeliveryIDs(t.Context(), 1, 2, 31, 32, 33, 1023, 1024, 1025, 32767, 32768, 32769, 65536, 65537,
				1048575, 1048576, 1048577, 2097152, 33554431)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSorted(ids) {
				t.Fatalf("not in order: %q", ids)
			}
			for _, id := range ids {
				if len(id) != len("dlv_")+26 || seen[id] {
					t.Fatalf("%s is no ulid, or not the only one", id)
				}
				seen[id] = true
			}
		}
	})
}
