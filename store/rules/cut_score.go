package rules

import "math"

// Judge are the ratings of one person: the share of the points, in percent, by question.
type Judge map[string]float64

// CutScore is the sum of the judge's ratings in percent of all points. It is nil unless each question with points is
// rated. A question of a pool counts by how often candidates get it.
func (j Judge) CutScore(d Definition) *float64 {
	points, sum := 0.0, 0.0
	for _, stage := range d.Stages {
		drawn := map[string]float64{}
		for _, pool := range stage.Pools {
			if size := stage.PoolSize(pool.ID); size > 0 {
				drawn[pool.ID] = min(1, float64(pool.Count)/float64(size))
			}
		}
		for _, question := range stage.Questions {
			if question.Points <= 0 {
				continue
			}
			rating, rated := j[question.ID]
			if !rated {
				return nil
			}
			weight := question.Points
			if question.PoolID != "" {
				weight *= drawn[question.PoolID]
			}
			points += weight
			sum += weight * rating
		}
	}
	if points == 0 {
		return nil
	}
	return new(sum / points)
}

// CutScore is what several judges suggest.
type CutScore struct {
	Value         *float64
	StandardError *float64 // nil below two judges
}

// NewCutScore is the mean of the judges who have rated every question (modified Angoff method).
func NewCutScore(d Definition, judges []Judge) CutScore {
	var cuts Moments
	for _, judge := range judges {
		if cut := judge.CutScore(d); cut != nil {
			cuts.count(*cut, 1)
		}
	}
	if cuts.N == 0 {
		return CutScore{}
	}
	c := CutScore{Value: &cuts.Mean}
	if deviation := cuts.StandardDeviation(); deviation != nil {
		c.StandardError = new(*deviation / math.Sqrt(float64(cuts.N)))
	}
	return c
}

// Consistency is how often candidates would be on the same side of a cut score twice.
type Consistency struct {
	Agreement float64
	Kappa     *float64 // nil if everybody is on one side
}

// NewConsistency computes it for a cut score, from the mean and the standard deviation of the scores and from their
// reliability (Peng and Subkoviak 1980). The scores of two tests have a bivariate normal distribution with the
// reliability as its correlation. There is no continuity correction, because scores are percentages
// and need not be whole numbers.
func NewConsistency(cut, mean, standardDeviation, reliability float64) Consistency {
	if standardDeviation <= 0 {
		return Consistency{Agreement: 1}
	}
	z := (cut - mean) / standardDeviation
	below := normal(z)
	bothBelow := bothNormal(z, min(max(reliability, 0), 1))
	agreement := min(1-2*below+2*bothBelow, 1)
	chance := below*below + (1-below)*(1-below)
	if chance > 1-1e-12 {
		return Consistency{Agreement: agreement}
	}
	return Consistency{Agreement: agreement, Kappa: new((agreement - chance) / (1 - chance))}
}

// normal is the standard normal distribution function.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// bothNormal is the probability that two standard normal numbers with a correlation are both at most z. It is
// Φ(z)² + 1/2π ∫ exp(-z²/(1+sin θ)) dθ from 0 to asin ρ, with Simpson's rule.
func bothNormal(z, correlation float64) float64 {
	const parts = 200 // the error is below 1e-12
	width, sum := math.Asin(correlation)/parts, 0.0
	for i := range parts + 1 {
		weight := 2.0
		switch {
		case i == 0 || i == parts:
			weight = 1
		case i%2 == 1:
			weight = 4
		}
		sum += weight * math.Exp(-z*z/(1+math.Sin(float64(i)*width)))
	}
	return normal(z)*normal(z) + sum*width/3/(2*math.Pi)
}
