package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/store/rules"
)

// ComparedSessions is one side of a comparison.
type ComparedSessions struct {
	SegmentID, Name *string // nil for all other sessions
	Pass            rules.PassCount
	Scores          rules.Distribution
}

// SegmentComparison compares two parts of the finished sessions of an assessment.
type SegmentComparison struct {
	Assessment      *Assessment
	ComputedAt      time.Time
	Complete        bool
	First, Second   ComparedSessions
	PassRateRatio   *rules.ImpactRatio // the lower rate divided by the higher one; nil without a passing score
	ScoreDifference *rules.ScoreDifference
}

// RetrieveSegmentComparison compares a segment with another one, or with all other finished sessions if with is nil.
// Refusal: not_found.
func (s *Store) RetrieveSegmentComparison(
	ctx context.Context, scope Scope, assessmentID, id string, with *string,
) (SegmentComparison, error) {
	var compared SegmentComparison
	assessment, err := s.read().content(ctx, scope, assessmentID)
	if err != nil {
		return compared, err
	}
	other := id
	if with != nil {
		other = *with
	}
	read, err := s.stale().readSegments(ctx, scope, assessmentID, id, other)
	if err != nil {
		return compared, err
	}
	compared = SegmentComparison{Assessment: assessment, ComputedAt: read.computedAt, Complete: read.areComplete()}
	first, err := read.segments[0].side()
	if err != nil {
		return compared, err
	}
	second := read.whole.without(first)
	if with != nil {
		if second, err = read.segments[1].side(); err != nil {
			return compared, err
		}
	}
	compared.First, compared.Second = first.compared(), second.compared()
	compared.ScoreDifference = rules.NewScoreDifference(compared.First.Scores, compared.Second.Scores)
	if assessment.PassingScore != nil {
		lower, higher := compared.First.Pass, compared.Second.Pass
		// Both rates are compared without dividing, so that they can have no sessions.
		if lower.Passed*higher.Count > higher.Passed*lower.Count {
			lower, higher = higher, lower
		}
		compared.PassRateRatio = new(rules.NewImpactRatio(lower, higher))
	}
	return compared, nil
}

// side are the sums that a comparison needs.
type side struct {
	segmentID, name *string
	count, passed   int64
	scores          []rules.ScoreCount // in ascending order
}

func (s side) compared() ComparedSessions {
	return ComparedSessions{
		SegmentID: s.segmentID, Name: s.name, Pass: rules.PassCount{Passed: s.passed, Count: s.count},
		Scores: rules.NewDistribution(s.scores),
	}
}

// without returns the sessions that are not in part. While sessions are counted anew, a part can contain more than the
// whole.
func (s side) without(part side) side {
	rest := side{count: max(0, s.count-part.count), passed: max(0, s.passed-part.passed)}
	for _, score := range s.scores {
		i, found := slices.BinarySearchFunc(part.scores, score.Score, func(of rules.ScoreCount, with float64) int {
			return cmp.Compare(of.Score, with)
		})
		if found {
			score.Count -= part.scores[i].Count
		}
		if score.Count > 0 {
			rest.scores = append(rest.scores, score)
		}
	}
	return rest
}

// readSegments are two segments of an assessment, and what is known of all its sessions, at one time.
type readSegments struct {
	segments   [2]readSegment
	whole      side
	computedAt time.Time
	// isCurrent says that an earlier version has added no session without the segments.
	isCurrent bool
}

type readSegment struct {
	part
	Name string `db:"name"`

	Counts     SessionCounts `db:"session_counts"` // of all sessions, as the fields below
	Whole      *string       `db:"whole"`
	ComputedAt *Time         `db:"computed_at"`
	Scores     *string       `db:"scores"` // scores and their numbers
}

func (r readSegments) areComplete() bool {
	return r.isCurrent && r.segments[0].Complete && r.segments[1].Complete
}

// readSegments reads two segments, which can be the same. One statement reads all, because a fold that is between two
// of them would be in one side only.
func (c conn) readSegments(
	ctx context.Context, scope Scope, assessmentID, first, second string,
) (read readSegments, err error) {
	var rows []readSegment
	if err := c.List(ctx, &rows, `
		SELECT g.id, g.organization_id, g.assessment_id, g.filter, g.document, g.completed, g.disqualified, g.position,
			g.complete, g.name, t.session_counts, t.document AS whole, t.computed_at,
			(SELECT string_agg(s.score || ' ' || s.completions, ',') FROM assessment_scores s
				WHERE s.organization_id = g.organization_id AND s.assessment_id = g.assessment_id) AS scores
		FROM segments g LEFT JOIN assessment_statistics t ON t.assessment_id = g.assessment_id
		WHERE g.organization_id = ? AND g.assessment_id = ? AND g.id IN (?, ?) AND g.filter IS NOT NULL`,
		scope.OrganizationID, assessmentID, first, second); err != nil {
		return read, err
	}
	for i, id := range []string{first, second} {
		j := slices.IndexFunc(rows, func(row readSegment) bool { return row.ID == id })
		if j < 0 {
			return read, errNoSegment
		}
		read.segments[i] = rows[j]
	}
	return read, read.readWhole(rows[0], c.store.Now())
}

func (r *readSegments) readWhole(row readSegment, now time.Time) error {
	r.computedAt, r.isCurrent = now, true
	if row.Whole == nil { // it has no sessions
		return nil
	}
	var statistics struct {
		Version int   `json:"version"`
		Passed  int64 `json:"passed"`
	}
	if err := json.Unmarshal([]byte(*row.Whole), &statistics); err != nil {
		return err
	}
	r.computedAt, r.isCurrent = row.ComputedAt.Time, statistics.Version != 0
	r.whole = side{
		count: row.Counts[rules.SessionCompleted] + row.Counts[rules.SessionDisqualified], passed: statistics.Passed,
	}
	if row.Scores == nil {
		return nil
	}
	for text := range strings.SplitSeq(*row.Scores, ",") {
		score, count, _ := strings.Cut(text, " ")
		value, err := strconv.ParseFloat(score, 64)
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil {
			return err
		}
		r.whole.scores = append(r.whole.scores, rules.ScoreCount{Score: value, Count: n})
	}
	slices.SortFunc(r.whole.scores, func(a, b rules.ScoreCount) int { return cmp.Compare(a.Score, b.Score) })
	return nil
}

func (s readSegment) side() (side, error) {
	document, err := parsePart(s.DocumentJSON)
	if err != nil {
		return side{}, err
	}
	return side{
		segmentID: &s.ID, name: &s.Name, count: s.Completed + s.Disqualified, passed: document.Statistics.Passed,
		scores: document.Scores,
	}, nil
}
