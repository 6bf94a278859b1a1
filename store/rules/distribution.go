package rules

import "math"

// ScoreCount is the number of completed sessions with a score.
type ScoreCount struct {
	Score float64
	Count int64
}

// ScoreBins is the number of parts of equal width into which Distribution divides
// the scores. A score on a border belongs to the upper part, and 100 to the last one.
const ScoreBins = 20

// ScoreBin is the position of the part to which a score belongs.
func ScoreBin(score float64) int { return min(int(score*ScoreBins/100), ScoreBins-1) }

// Distribution describes scores. Mean and quartiles are rounded to two decimals, and nil without scores.
type Distribution struct {
	Count                      int64
	Mean, Lower, Median, Upper *float64 // Lower and Upper are quartiles (type 7 of Hyndman and Fan 1996)
	Bins                       [ScoreBins]int64
	StandardDeviation          *float64 // with n - 1; nil below two scores
	Skewness                   *float64 // b1 of Joanes and Gill 1998; nil below three scores, and if all are the same

	mean float64 // not rounded
}

// NewDistribution describes the scores, which must be in ascending order.
func NewDistribution(scores []ScoreCount) Distribution {
	var d Distribution
	sum := 0.0
	for _, score := range scores {
		d.Count += score.Count
		sum += score.Score * float64(score.Count)
		d.Bins[ScoreBin(score.Score)] += score.Count
	}
	if d.Count == 0 {
		return d
	}
	d.mean = sum / float64(d.Count)
	d.Mean = new(RoundPoints(d.mean))
	d.Lower, d.Median, d.Upper = scoreAt(scores, 0.25, d.Count), scoreAt(scores, 0.5, d.Count),
		scoreAt(scores, 0.75, d.Count)
	d.describeSpread(scores)
	return d
}

func (d *Distribution) describeSpread(scores []ScoreCount) {
	n, squares, cubes := float64(d.Count), 0.0, 0.0
	for _, score := range scores {
		difference := score.Score - d.mean
		squares += float64(score.Count) * difference * difference
		cubes += float64(score.Count) * difference * difference * difference
	}
	if d.Count >= 2 {
		d.StandardDeviation = new(math.Sqrt(squares / (n - 1)))
	}
	if d.Count >= 3 && !same(d.Count, squares) {
		deviation := *d.StandardDeviation
		d.Skewness = new(cubes / n / (deviation * deviation * deviation))
	}
}

// scoreAt is the quantile q of n scores. It lies between two scores if no score has its rank.
func scoreAt(scores []ScoreCount, q float64, n int64) *float64 {
	rank := q * float64(n-1) // from 0
	below := int64(rank)
	low, high := scoreOfRank(scores, below), scoreOfRank(scores, min(below+1, n-1))
	return new(RoundPoints(low + (rank-float64(below))*(high-low)))
}

// scoreOfRank is the score at the position, from 0, among all scores in order.
func scoreOfRank(scores []ScoreCount, rank int64) float64 {
	for _, score := range scores {
		if rank -= score.Count; rank < 0 {
			return score.Score
		}
	}
	return 0
}

// PassingBand are the scores that the measurement cannot tell apart from the passing score.
type PassingBand struct {
	From, To float64
	Count    int64
}

// NewPassingBand counts the scores in the band. Both ends belong to it, rounded as a person reads them.
func NewPassingBand(scores []ScoreCount, passing, standardError float64) PassingBand {
	band := PassingBand{From: RoundPoints(max(0, passing-standardError)), To: RoundPoints(min(100, passing+standardError))}
	for _, score := range scores {
		if score.Score >= band.From && score.Score <= band.To {
			band.Count += score.Count
		}
	}
	return band
}
