package store

import (
	"context"
	"slices"

	"assay/store/rules"
)

// ranks are the scores of an assessment's completed sessions. They stay in memory,
// because there can be ten thousand different scores.
type ranks struct {
	counted scoreCount // when the scores were read
	scores  []float64  // ascending
	upTo    []int      // completions with this score or a lower one
}

const (
	rankBytes      = 16      // of a score with its completions
	rankCacheBytes = 8 << 20 // enough for 500,000 scores
)

// scoreCount is how many completed sessions the statistics contain, and how many earlier results
// they no longer contain. Every change of the scores changes one of the two.
type scoreCount struct {
	completed, removed int64
}

// ranks returns the scores of an assessment of which the statistics have counted this
// many completed sessions. The statistics and the scores change in one transaction, so
// scores that were read after the count contain at least these sessions.
func (c conn) ranks(ctx context.Context, scope Scope, assessmentID string, count scoreCount) (ranks, error) {
	if kept, ok := c.store.ranks.Get(assessmentID); ok && kept.counted == count {
		return kept, nil
	}
	var counts []rules.ScoreCount
	if err := c.List(ctx, &counts, `
		SELECT score, completions AS count FROM assessment_scores WHERE organization_id = ? AND assessment_id = ?
		ORDER BY score`, scope.OrganizationID, assessmentID); err != nil {
		return ranks{}, err
	}
	read := ranks{counted: count, scores: make([]float64, len(counts)), upTo: make([]int, len(counts))}
	sum := 0
	for i, count := range counts {
		sum += int(count.Count)
		read.scores[i], read.upTo[i] = count.Score, sum
	}
	c.store.ranks.Add(assessmentID, read, rankBytes*len(counts)+rankBytes)
	return read, nil
}

func (r ranks) completions() int {
	if len(r.upTo) == 0 {
		return 0
	}
	return r.upTo[len(r.upTo)-1]
}

// percentile is the share of completions below the score, plus half of the completions with the score.
func (r ranks) percentile(score float64) float64 {
	i, found := slices.BinarySearch(r.scores, score)
	below := 0
	if i > 0 {
		below = r.upTo[i-1]
	}
	same := 0
	if found {
		same = r.upTo[i] - below
	}
	return rules.Percent(float64(below)+float64(same)/2, float64(r.completions()))
}
