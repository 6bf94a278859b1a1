package exchange

// Report says what was understood of a source, and everything that was not.
type Report struct {
	Format     Format
	Recognised []Format // all formats that the source can have, the most probable one first
	Columns    []Column // of a table
	Questions  []Item   // in the order of the source, also those that were not imported
	Notes      []Note   // about the source as a whole, or about lines that belong to no question
}

// Item is a question of the source.
type Item struct {
	Place Place
	// Stage and Question are its position in the draft, from 0. Both are -1 if it was not imported.
	Stage, Question int
	Excerpt         string // the beginning of its text in the source, at most 200 characters
	Notes           []Note
}

// Place is where something stands in a source.
type Place struct {
	Line, LastLine int    // from 1; 0 in a source without lines. In a table, the row of the file
	ID             string // the id of an item, or the name of its file in a package
}

// Note is one fact about a question that a person should know.
type Note struct {
	Code NoteCode
	Line int    // from 1; 0 in a source without lines
	Text string // the part of the source that the note is about, at most 200 characters; can be empty
}

// Severity says what a note means for the result.
type Severity string

// The severities.
const (
	NotImported Severity = "NOT_IMPORTED" // the question or the line is not in the draft
	Incomplete  Severity = "INCOMPLETE"   // the question is in the draft, and its author must complete it
	Changed     Severity = "CHANGED"      // something was dropped or changed
	Info        Severity = "INFO"         // how something was understood
)

// NoteCode is the kind of a note. The contract lists the codes.
type NoteCode string

// noteKind is what a code means. Detail is a sentence in English.
type noteKind struct {
	severity Severity
	detail   string
}

// Severity returns what the code means for the result.
func (c NoteCode) Severity() Severity { return noteKinds[c].severity }

// Detail returns the meaning of the code in English.
func (c NoteCode) Detail() string { return noteKinds[c].detail }

// The codes.
const (
	NotUnderstood         NoteCode = "not_understood"
	HeadingIgnored        NoteCode = "heading_ignored"
	PromptMissing         NoteCode = "prompt_missing"
	AnswerMissing         NoteCode = "answer_missing"
	QuestionWithoutAnswer NoteCode = "question_without_answer"
	AnswerUnknown         NoteCode = "answer_unknown"
	KeyMissing            NoteCode = "key_missing"
	KeysDisagree          NoteCode = "keys_disagree"
	OptionWithoutQuestion NoteCode = "option_without_question"
	OptionsRepeated       NoteCode = "options_repeated"
	TooFewOptions         NoteCode = "too_few_options"
	TypeUnsupported       NoteCode = "type_unsupported"
	TypeUnknown           NoteCode = "type_unknown"
	PointsInvalid         NoteCode = "points_invalid"
	ToleranceInvalid      NoteCode = "tolerance_invalid"
	NumberAmbiguous       NoteCode = "number_ambiguous"
	NumberOutOfRange      NoteCode = "number_out_of_range"
	WeightsChanged        NoteCode = "weights_changed"
	PenaltyDropped        NoteCode = "penalty_dropped"
	WildcardUnsupported   NoteCode = "wildcard_unsupported"
	SeveralGaps           NoteCode = "several_gaps"
	FeedbackDropped       NoteCode = "feedback_dropped"
	PictureDropped        NoteCode = "picture_dropped"
	MarkupChanged         NoteCode = "markup_changed"
	FormatMarkerDropped   NoteCode = "format_marker_dropped"
	NotClosed             NoteCode = "not_closed"
	SeveralCorrect        NoteCode = "several_correct"
	TitleShortened        NoteCode = "title_shortened"
	PartialDropped        NoteCode = "partial_dropped"
	FurtherAnswersDropped NoteCode = "further_answers_dropped"
	PenaltyAdded          NoteCode = "penalty_added"
	FeedbackMoved         NoteCode = "feedback_moved"
	GapShown              NoteCode = "gap_shown"
	UnitDropped           NoteCode = "unit_dropped"
	ScoringChanged        NoteCode = "scoring_changed"
	SettingDropped        NoteCode = "setting_dropped"
	ColumnUnknown         NoteCode = "column_unknown"
	ColumnAmbiguous       NoteCode = "column_ambiguous"
	ColumnMissing         NoteCode = "column_missing"
	RowTooLong            NoteCode = "row_too_long"
	HeadingMissing        NoteCode = "heading_missing"
	CountedFromZero       NoteCode = "counted_from_zero"
	CellReformatted       NoteCode = "cell_reformatted"
	SheetIgnored          NoteCode = "sheet_ignored"
	TimeLimitDropped      NoteCode = "time_limit_dropped"
	FieldUnknown          NoteCode = "field_unknown"
	FieldInvalid          NoteCode = "field_invalid"
	BankReferenceDropped  NoteCode = "bank_reference_dropped"
	TextTooLong           NoteCode = "text_too_long"
	TooManyOptions        NoteCode = "too_many_options"
	TooManyAnswers        NoteCode = "too_many_answers"
	TooManyQuestions      NoteCode = "too_many_questions"
	RestNotRead           NoteCode = "rest_not_read"
	TooManyStages         NoteCode = "too_many_stages"
)

var noteKinds = map[NoteCode]noteKind{
	NotUnderstood:         {NotImported, "This part was not understood."},
	HeadingIgnored:        {NotImported, "This is a heading."},
	PromptMissing:         {NotImported, "The text of the question is missing."},
	AnswerMissing:         {Incomplete, "The answer is missing."},
	QuestionWithoutAnswer: {NotImported, "The text has neither options nor an answer."},
	AnswerUnknown:         {Incomplete, "The answer is not one of the options, or not a number."},
	KeyMissing:            {Incomplete, "No option is marked as correct."},
	KeysDisagree:          {Incomplete, "Two statements of the correct answer disagree. The question has no key."},
	OptionWithoutQuestion: {NotImported, "This option has no question above it."},
	OptionsRepeated:       {NotImported, "The options begin again without a question."},
	TooFewOptions:         {Incomplete, "A choice needs at least two options."},
	TypeUnsupported:       {NotImported, "Assay does not have this type of question."},
	TypeUnknown:           {Info, "The type is not known. The answer decides which type it is."},
	PointsInvalid:         {Changed, "The points are not a number from 0 to 1,000. The question gives 1 point."},
	ToleranceInvalid:      {Changed, "The tolerance is not a number. The question has none."},
	NumberAmbiguous:       {Incomplete, "The number has two meanings: a decimal, or thousands."},
	NumberOutOfRange:      {Incomplete, "The number is outside the range of the question or of the service."},
	WeightsChanged:        {Changed, "Answers with different shares of the points all count as correct."},
	PenaltyDropped:        {Changed, "The penalty for a wrong answer is not imported."},
	WildcardUnsupported:   {Changed, "A wildcard in an answer is not imported."},
	SeveralGaps:           {NotImported, "A question has one gap. This one has several."},
	FeedbackDropped:       {Changed, "The feedback to a single answer is not imported."},
	PictureDropped:        {Changed, "A picture is missing or cannot be read."},
	MarkupChanged:         {Changed, "Formatting that Markdown does not have is not imported."},
	FormatMarkerDropped:   {Info, "The marker of the text format is not part of the text."},
	NotClosed:             {NotImported, "A brace or an element is not closed."},
	SeveralCorrect: {Changed, "Several options are correct, and one was enough. In Assay, candidates choose " +
		"all of them."},
	UnitDropped:           {Changed, "The unit of a number is not imported. Candidates enter the number alone."},
	ScoringChanged:        {Changed, "The scoring of the source is not imported. The correct answer gives all points."},
	SettingDropped:        {Changed, "A setting that Assay does not have is not imported."},
	TitleShortened:        {Changed, "The title is longer than 200 characters and is shortened."},
	PartialDropped:        {Changed, "An answer that gives a part of the points counts as wrong."},
	FurtherAnswersDropped: {Changed, "A question has one number as its answer. The further numbers are not imported."},
	PenaltyAdded:          {Changed, "In Assay, each wrong choice cancels a correct one. In the source, it did not."},
	FeedbackMoved:         {Info, "The feedback to single answers is in the explanation."},
	GapShown:              {Info, "The gap is written as _____ in the text of the question."},
	ColumnUnknown:         {Changed, "The name of the column is not known. The column is not imported."},
	ColumnAmbiguous:       {Incomplete, "The column can be read in two ways. Choose what it contains."},
	ColumnMissing:         {NotImported, "No column contains the questions."},
	HeadingMissing:        {Info, "The table has no headings. Its values decide what the columns contain."},
	CountedFromZero:       {Info, "The numbers of the options begin with 0."},
	CellReformatted:       {Changed, "The cell has a date, a currency, or a fraction. It is imported as this text."},
	SheetIgnored:          {Changed, "The sheet has no column with questions. It is not imported."},
	TimeLimitDropped:      {Changed, "A question has no time limit of its own. The limit is not imported."},
	FieldUnknown:          {Changed, "The field is not known. It is not imported."},
	FieldInvalid:          {Incomplete, "The value of the field is not permitted. It is not imported."},
	BankReferenceDropped: {Changed, "The link to a question bank is not imported. The questions are questions of this " +
		"assessment alone."},
	RowTooLong: {Changed, "The row has more cells than there are columns. The further cells are not " +
		"imported."},
	TextTooLong: {NotImported, "A text is too long: a question has at most 10,000 characters, an option " +
		"2,000."},
	TooManyOptions:   {NotImported, "A question has at most 20 options."},
	TooManyAnswers:   {NotImported, "A question has at most 50 accepted answers."},
	TooManyQuestions: {NotImported, "An assessment has at most 500 questions."},
	RestNotRead:      {NotImported, "The source or the question is too long. From here on, it was not read."},
	TooManyStages:    {NotImported, "An assessment has at most 50 stages."},
}

// Role is what a column of a table contains.
type Role string

// The roles. CorrectNumber, CorrectLetter, and CorrectText are the three ways to name an option.
const (
	RoleQuestion      Role = "QUESTION"
	RoleOption        Role = "OPTION"
	RoleOptions       Role = "OPTIONS" // all options in one cell
	RoleCorrect       Role = "CORRECT" // in the way that the whole column shows
	RoleCorrectNumber Role = "CORRECT_NUMBER"
	RoleCorrectLetter Role = "CORRECT_LETTER"
	RoleCorrectText   Role = "CORRECT_TEXT"
	RolePoints        Role = "POINTS"
	RoleType          Role = "TYPE"
	RoleStage         Role = "STAGE"
	RoleExplanation   Role = "EXPLANATION"
	RoleTolerance     Role = "TOLERANCE"
	RoleMaxWords      Role = "MAX_WORDS"
	RoleRubric        Role = "RUBRIC"
	RoleIgnored       Role = "IGNORED"
)

// Column is a column of a table.
type Column struct {
	Name    string // its heading; empty if it has none
	Role    Role   // as it was read
	Example string // the first value, at most 200 characters
	// Choices are the roles that are possible, if a person must decide. Empty otherwise.
	Choices []Role
}
