package rules

import "slices"

// Scoring is everything on which the scores of a session depend. A result is a function
// of it: what people decide is an input, and there is no other way to compute a score.
type Scoring struct {
	Definition   Definition
	PassingScore *float64          // percent of the whole assessment
	Corrections  []Correction      // of the assessment, in their order
	Answers      map[string]Answer // by question id
	Grades       map[string]Grade  // by question id
	Rulings      []Ruling          // of gates

	// Unattended is set in a preview, which no person grades: answers that need a grade give 0
	// points, and nothing waits. A gate that a person might let pass does not stop the
	// preview, so that its author sees every stage.
	Unattended bool
}

// Grade is a person's decision about one answer: its points, or the answer that is scored
// instead of the saved one. With both, the points are those of that answer.
type Grade struct {
	Points *float64
	Answer *Answer
}

// ScoredBy says what decided about the points of an answer.
type ScoredBy string

// What can decide about the points of an answer.
const (
	ByKey        ScoredBy = "KEY"
	ByCorrection ScoredBy = "CORRECTION"
	ByPerson     ScoredBy = "PERSON"
	ByExclusion  ScoredBy = "EXCLUSION" // a correction has excluded the question
	ByNobody     ScoredBy = "PENDING"   // the answer needs a grade
)

// Stage scores the stage at position i. It adds the points in the same order as MaxPoints, so
// that a stage without a wrong answer is exactly 100. Points that remain of excluded
// questions can exceed MaxPoints; a score cannot exceed 100.
func (s Scoring) Stage(i int) StageScore {
	stage := s.Definition.Stages[i]
	graded := StageScore{Questions: make([]QuestionScore, 0, len(stage.Questions))}
	for _, question := range stage.Questions {
		score := s.question(question)
		graded.Points += score.Points
		graded.MaxPoints += score.MaxPoints
		graded.Questions = append(graded.Questions, score)
	}
	graded.Score = cappedPercent(graded.Points, graded.MaxPoints)
	return graded
}

func (s Scoring) question(q Question) QuestionScore {
	var answer *Answer
	if saved := s.Answers[q.ID]; !saved.empty() {
		answer = &saved
	}
	grade, graded := s.Grades[q.ID]
	if graded && grade.Answer != nil {
		answer = grade.Answer
	}
	if q.NeedsGrader() {
		return gradedByPerson(q, answer, grade.Points, s.Corrections)
	}
	score := gradeCorrected(q, answer, s.Corrections)
	if graded && score.ScoredBy != ByExclusion {
		score.ScoredBy = ByPerson
		if grade.Points != nil {
			score.Points, score.Correct = *grade.Points, *grade.Points >= q.Points
		}
	}
	return score
}

// maxPoints is the sum of the points of all questions that count.
func (s Scoring) maxPoints() float64 {
	sum := 0.0
	for i := range s.Definition.Stages {
		sum += s.stageMaxPoints(i)
	}
	return sum
}

func (s Scoring) stageMaxPoints(i int) float64 {
	sum := 0.0
	for _, question := range s.Definition.Stages[i].Questions {
		sum += gradeCorrected(question, nil, s.Corrections).MaxPoints
	}
	return sum
}

// leastMaxPoints is stageMaxPoints of the candidate for whom the fewest points are drawn.
func (s Scoring) leastMaxPoints(i int) float64 {
	stage := s.Definition.Stages[i]
	points := func(questions []Question) []float64 {
		of := make([]float64, len(questions))
		for i, question := range questions {
			of[i] = gradeCorrected(question, nil, s.Corrections).MaxPoints
		}
		slices.Sort(of)
		return of
	}
	sum := 0.0
	for _, p := range points(stage.withoutPooled().Questions) {
		sum += p
	}
	for _, pool := range stage.Pools {
		of := points(stage.poolQuestions(pool.ID))
		for _, p := range of[:min(pool.Count, len(of))] {
			sum += p
		}
	}
	return sum
}

// cappedPercent is Percent of points that can exceed max.
func cappedPercent(points, max float64) float64 { return Percent(min(points, max), max) }
