package exchange

import "testing"

func TestGIFT(t *testing.T) { check(t, GIFT, giftCases) }
