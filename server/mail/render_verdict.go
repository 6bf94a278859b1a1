package mail

import (
	"math"
	"strconv"
	"strings"

	"assay/store"
)

// outcome is the result of a candidate in one line. The words follow what the server has
// decided, and the score has the two decimals with which it was compared.
func (l *letter) outcome(s store.FinishedSession) string {
	switch {
	case s.Disqualified:
		return l.texts.text("finished.disqualified", nil)
	case s.Score == nil:
		return l.texts.text("finished.noScore", nil)
	}
	key := "finished.score"
	if s.Passed != nil {
		key = "finished.failed"
		if *s.Passed {
			key = "finished.passed"
		}
	}
	return l.texts.text(key, params{"score": verbatim(l.texts.percent(*s.Score))})
}

// percent is a score with at most two decimals, as in the API.
func (t *texts) percent(score float64) string {
	number := strconv.FormatFloat(math.Round(score*100)/100, 'f', -1, 64)
	return t.text("percent", params{"number": verbatim(strings.Replace(number, ".", t.text("decimal", nil), 1))})
}
