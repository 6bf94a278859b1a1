package rules

// MinGroup is the fewest candidates of a group that is shown, and the fewest sessions that must have changed before the
// figures of groups are published anew. With fewer, a figure could show how one candidate answered.
const MinGroup = 10

// GroupTally counts the finished sessions of the candidates who chose one answer to a voluntary question.
type GroupTally struct {
	Count    int64   `json:"count"`
	Passed   int64   `json:"passed"`
	Scores   int64   `json:"scores"`   // the number of COMPLETED sessions
	ScoreSum float64 `json:"scoreSum"` // percent
}

// Add adds a session. It reports whether the session has finished, because no other session is counted.
func (g *GroupTally) Add(status SessionStatus, passed *bool, score *float64) bool {
	if status != SessionCompleted && status != SessionDisqualified {
		return false
	}
	g.Count++
	if passed != nil && *passed {
		g.Passed++
	}
	if status == SessionCompleted && score != nil {
		g.Scores++
		g.ScoreSum += *score
	}
	return true
}

// Outcome is the pass rate of the group.
func (g GroupTally) Outcome() PassCount { return PassCount{Passed: g.Passed, Count: g.Count} }

// Mean is the mean score in percent. It is nil below MinGroup scores, which DISQUALIFIED sessions do not have.
func (g GroupTally) Mean() *float64 {
	if g.Scores < MinGroup {
		return nil
	}
	return new(g.ScoreSum / float64(g.Scores))
}

// ShownGroups returns the groups of one question that may be shown, by the id of the answer. finished is the number of
// finished sessions of the assessment, whose figures the organization knows.
func ShownGroups(groups map[string]GroupTally, finished int64) map[string]GroupTally {
	shown, smallest, hidden := map[string]GroupTally{}, "", false
	others := finished // sessions in hidden groups, and without an answer
	for id, group := range groups {
		switch {
		case group.Count >= MinGroup:
			shown[id] = group
			others -= group.Count
			if best, exists := shown[smallest]; !exists || isSmaller(id, group, smallest, best) {
				smallest = id
			}
		case group.Count > 0:
			hidden = true
		}
	}
	// Complementary suppression: the organization can subtract the groups that are shown from all finished sessions.
	// The rest must not be a small group, or almost only one. A further group makes the rest large enough.
	if hidden && others < MinGroup {
		delete(shown, smallest)
	}
	for id, group := range shown {
		if group.Scores < MinGroup {
			group.Scores, group.ScoreSum = 0, 0
			shown[id] = group
		}
	}
	return shown
}

// isSmaller orders groups of the same size by id, so that the same groups are always shown.
func isSmaller(id string, group GroupTally, otherID string, other GroupTally) bool {
	return group.Count < other.Count || group.Count == other.Count && id < otherID
}

// ImpactRatios compares each group with the group of the highest pass rate.
func ImpactRatios(groups map[string]GroupTally) map[string]ImpactRatio {
	highest, found := PassCount{}, false
	for _, group := range groups {
		if outcome := group.Outcome(); !found || isHigher(outcome, highest) {
			highest, found = outcome, true
		}
	}
	ratios := map[string]ImpactRatio{}
	for id, group := range groups {
		ratio := NewImpactRatio(group.Outcome(), highest)
		if group.Outcome() == highest { // or one that is equal to it
			ratio.Interval, ratio.Finding = nil, HighestRate
		}
		ratios[id] = ratio
	}
	return ratios
}

// isHigher compares the rates of two groups, and prefers the larger group of the same rate.
func isHigher(a, b PassCount) bool {
	if left, right := a.Passed*b.Count, b.Passed*a.Count; left != right {
		return left > right
	}
	return a.Count > b.Count
}
