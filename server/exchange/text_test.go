package exchange

import "testing"

func TestPastedText(t *testing.T) { check(t, Text, textCases) }
