package rules

import "encoding/json"

// Definition is the content of an assessment: its stages in order, each with
// its questions in order and their answer keys. It is stored as one JSON
// document and never changes after the assessment is published.
type Definition struct {
	Stages []Stage `json:"stages"`

	// Formulas is true if dollars in the texts of a published assessment can be formulas. Publishing writes it: in an
	// assessment that release 1.0 published, a dollar is a dollar, as its author saw it.
	Formulas bool `json:"formulas,omitempty"`
}

// Stage is one part of an assessment. A candidate submits it as a whole.
type Stage struct {
	ID               string     `json:"id"` // stg_…
	Title            string     `json:"title"`
	Description      *string    `json:"description"`
	TimeLimitMinutes *int       `json:"timeLimitMinutes"`
	Gate             *Gate      `json:"gate"`
	Questions        []Question `json:"questions"`

	// Pools draw some of the questions for each candidate. In a request, nil means the stored
	// pools (keepOmitted).
	Pools []Pool `json:"pools,omitempty"`
}

// QuestionType decides which fields of a Question contain its answer key.
type QuestionType string

// The question types of the contract.
const (
	SingleChoice   QuestionType = "SINGLE_CHOICE"
	MultipleChoice QuestionType = "MULTIPLE_CHOICE"
	Numeric        QuestionType = "NUMERIC"
	ShortText      QuestionType = "SHORT_TEXT"
	FreeText       QuestionType = "FREE_TEXT"
)

// Question is one question with its answer key. The key fields of other types stay zero.
type Question struct {
	ID          string       `json:"id"` // qst_…
	Type        QuestionType `json:"type"`
	Prompt      string       `json:"prompt"`
	Points      float64      `json:"points"`
	Explanation *string      `json:"explanation"`

	Options          []Option `json:"options,omitempty"`          // SINGLE_CHOICE, MULTIPLE_CHOICE
	CorrectOptionID  *string  `json:"correctOptionId,omitempty"`  // SINGLE_CHOICE
	CorrectOptionIDs []string `json:"correctOptionIds,omitempty"` // MULTIPLE_CHOICE
	PartialCredit    bool     `json:"partialCredit,omitempty"`    // MULTIPLE_CHOICE
	Answer           *float64 `json:"answer,omitempty"`           // NUMERIC
	Tolerance        float64  `json:"tolerance,omitempty"`        // NUMERIC: accepted distance, inclusive
	AcceptedAnswers  []string `json:"acceptedAnswers,omitempty"`  // SHORT_TEXT
	CaseSensitive    bool     `json:"caseSensitive,omitempty"`    // SHORT_TEXT

	// ExactMatch makes every character of a SHORT_TEXT count. In a request, nil means the
	// stored value (keepOmitted). Stored definitions contain true or nothing.
	ExactMatch *bool `json:"exactMatch,omitempty"`

	MaxWords *int        `json:"maxWords,omitempty"` // FREE_TEXT: advice; a longer answer is accepted
	Rubric   []Criterion `json:"rubric,omitempty"`   // FREE_TEXT

	// BankQuestionID is the question of the bank of which this is a copy. In a request, nil means the
	// stored value (keepOmitted), and "" none. Stored definitions contain an id or nothing.
	BankQuestionID *string `json:"bankQuestionId,omitempty"`
	BankVersion    int     `json:"bankVersion,omitempty"` // 0 without BankQuestionID
	PoolID         string  `json:"poolId,omitempty"`      // publishing has added the question to this pool
}

// Criterion is one part of a rubric, by which a person grades an answer. The author chooses
// its id. The points of all criteria are the points of the question.
type Criterion struct {
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Points      float64 `json:"points"`
	Description *string `json:"description"`
}

// Option is one choice of a choice question. The author chooses its id.
type Option struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Answer is a candidate's answer to one question. The question's type decides
// which one of the fields is set.
type Answer struct {
	OptionID  *string  `json:"optionId,omitempty"`
	OptionIDs []string `json:"optionIds,omitzero"` // an empty list is an answer, nil is none
	Number    *float64 `json:"number,omitempty"`
	Text      *string  `json:"text,omitempty"`
}

// QuestionCount is the number of questions that a candidate gets over all stages.
func (d Definition) QuestionCount() int {
	n := 0
	for _, stage := range d.Stages {
		n += len(stage.withoutPooled().Questions)
		for _, pool := range stage.Pools {
			n += pool.Count
		}
	}
	return n
}

// MaxPoints is the sum of the points of all questions that a candidate gets.
func (d Definition) MaxPoints() float64 {
	sum := 0.0
	for _, stage := range d.Stages {
		sum += stage.MaxPoints()
	}
	return sum
}

// MaxPoints is the sum of the points of the questions that a candidate gets in the stage.
func (s Stage) MaxPoints() float64 {
	sum := 0.0
	for _, question := range s.withoutPooled().Questions {
		sum += question.Points
	}
	for _, pool := range s.Pools {
		sum += float64(pool.Count) * pool.Points
	}
	return sum
}

// StageByID returns the stage with its position (0-based), or false.
func (d Definition) StageByID(id string) (Stage, int, bool) {
	for i, stage := range d.Stages {
		if stage.ID == id {
			return stage, i, true
		}
	}
	return Stage{}, 0, false
}

// QuestionByID returns a question of the stage, or false.
func (s Stage) QuestionByID(id string) (Question, bool) {
	for _, question := range s.Questions {
		if question.ID == id {
			return question, true
		}
	}
	return Question{}, false
}

// QuestionByID returns the question with the position (0-based) of its stage, or false.
func (d Definition) QuestionByID(id string) (Question, int, bool) {
	for i, stage := range d.Stages {
		if question, known := stage.QuestionByID(id); known {
			return question, i, true
		}
	}
	return Question{}, 0, false
}

// Encode returns the definition as it is stored.
func (d Definition) Encode() (string, error) {
	encoded, err := json.Marshal(d)
	return string(encoded), err
}

// DecodeDefinition reads a stored definition.
func DecodeDefinition(encoded string) (Definition, error) {
	var d Definition
	err := json.Unmarshal([]byte(encoded), &d)
	return d, err
}
