package exchange

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/store/rules"
)

// The limits of openapi.yaml. A test compares them.
const (
	maxTitle     = 200
	maxPrompt    = 10_000
	maxOption    = 2000
	maxOptions   = 20
	maxAccepted  = 50
	maxQuestions = rules.MaxQuestions
	maxStages    = 50
	maxPoints    = 1000
	maxNumber    = 1e15
	maxMaxWords  = 10_000 // that an author can ask for
	maxCriteria  = 20
	maxCriterion = 2000 // the description of a criterion
)

// parsed is what a reader has found in a source.
type parsed struct {
	title, description string // the title is made from the name of the file if it is empty
	stages             []rawStage
	questions          []rawQuestion
	notes              []Note // about the source as a whole, or about lines that belong to no question
	columns            []Column
	pictures           []Picture
	isFull             bool // reading has stopped, because nothing more can be imported or reported
	noted              int  // notes about the questions
}

// The bounds of a report. Only a source that is no file of questions has more of them: it is not read further.
const (
	maxReported      = 2000   // questions, and notes about the source
	maxNoted         = 10_000 // notes about all questions
	maxQuestionNotes = 200
	maxLines         = 200_000
)

// add adds a question. Beyond the bounds, reading stops.
func (p *parsed) add(q rawQuestion) {
	if len(p.questions) >= maxReported || p.noted >= maxNoted {
		p.stop(q.place.Line, q.excerpt)
	}
	if !p.isFull {
		p.noted += len(q.notes)
		p.questions = append(p.questions, q)
	}
}

// note adds a note about the source as a whole, or about a line that belongs to no question.
func (p *parsed) note(code NoteCode, line int, text string) { p.addNotes(newNote(code, line, text)) }

func (p *parsed) addNotes(notes ...Note) {
	for _, n := range notes {
		if len(p.notes) >= maxReported {
			p.stop(n.Line, n.Text)
		}
		if !p.isFull {
			p.notes = append(p.notes, n)
		}
	}
}

// stop says from which line on the source is not read. A reader looks at isFull after each question and each note.
func (p *parsed) stop(line int, text string) {
	if !p.isFull {
		p.isFull = true
		p.notes = append(p.notes, newNote(RestNotRead, line, text))
	}
}

// rawStage has what a source says about a stage besides its title. A stage without questions is not imported.
type rawStage struct {
	title       string
	description *string
	minutes     *int
	gate        *rules.Gate
}

// assemble decides the keys of the questions, puts them into stages within the limits of the contract, and reports each
// of them. The error is ErrEmpty if the source has no question and nothing to report.
func assemble(source Source, p parsed) (Imported, error) {
	if len(p.questions) == 0 && len(p.notes) == 0 {
		return Imported{}, ErrEmpty
	}
	b := build{language: source.Options.Language}
	b.marksCount = !slices.ContainsFunc(p.questions, func(q rawQuestion) bool { return q.explicitKey() })
	a := assembly{places: map[string]int{}, raw: p.stages, fallback: firstStage(source.Options.Language)}
	a.report = Report{Columns: p.columns, Notes: p.notes}
	for i := range p.questions {
		a.add(b, &p.questions[i])
	}

	title := oneLine(p.title)
	if title == "" {
		title = titleOf(source.FileName)
	}
	if short := shortened(title); short != title {
		a.report.Notes = append(a.report.Notes, newNote(TitleShortened, 0, title))
		title = short
	}
	slices.SortStableFunc(a.report.Notes, func(x, y Note) int { return x.Line - y.Line })
	draft := Draft{Title: title, Description: cleanText(p.description), Stages: a.stages}
	return Imported{Draft: draft, Pictures: p.pictures, Report: a.report}, nil
}

// assembly is a draft in the making.
type assembly struct {
	stages   []rules.Stage
	places   map[string]int // of stages, by their titles
	raw      []rawStage
	fallback string // the title of the stage of questions that name none
	count    int
	report   Report
}

func (a *assembly) add(b build, raw *rawQuestion) {
	if raw.excerpt == "" {
		raw.excerpt = raw.prompt
	}
	item := Item{Place: raw.place, Stage: -1, Question: -1, Excerpt: excerptOf(raw.excerpt)}
	if q, ok := b.question(raw); ok {
		item.Stage, item.Question = a.place(raw, q)
	}
	slices.SortStableFunc(raw.notes, func(x, y Note) int { return x.Line - y.Line })
	item.Notes = raw.notes
	a.report.Questions = append(a.report.Questions, item)
}

// place puts the question into its stage and returns its position, or -1 and -1 if a limit is reached.
func (a *assembly) place(raw *rawQuestion, q rules.Question) (stage, question int) {
	full := oneLine(raw.stage)
	title := shortened(full)
	if title == "" {
		title = a.fallback
	}
	if a.count >= maxQuestions {
		raw.note(TooManyQuestions, raw.place.Line, raw.prompt)
		return -1, -1
	}
	stage, known := a.places[title]
	if !known {
		if len(a.stages) >= maxStages {
			raw.note(TooManyStages, raw.place.Line, title)
			return -1, -1
		}
		if full != title && full != "" {
			raw.note(TitleShortened, raw.place.Line, full)
		}
		stage = len(a.stages)
		a.places[title] = stage
		a.stages = append(a.stages, a.stage(title))
	}
	a.count++
	a.stages[stage].Questions = append(a.stages[stage].Questions, q)
	return stage, len(a.stages[stage].Questions) - 1
}

func (a *assembly) stage(title string) rules.Stage {
	made := rules.Stage{Title: title}
	i := slices.IndexFunc(a.raw, func(s rawStage) bool { return shortened(oneLine(s.title)) == title })
	if i >= 0 {
		made.Description, made.TimeLimitMinutes, made.Gate = a.raw[i].description, a.raw[i].minutes, a.raw[i].gate
	}
	return made
}

// withinLimits reports whether a question is within the limits of the contract, and notes the limit that it exceeds.
func withinLimits(raw *rawQuestion, q rules.Question) bool {
	isLong := func(text string, limit int) bool { return len(text) > limit && utf8.RuneCountInString(text) > limit }
	refuse := func(code NoteCode, text string) bool {
		raw.refuse(code, raw.place.Line, text)
		return false
	}
	for _, text := range []string{q.Prompt, raw.explanation} {
		if isLong(text, maxPrompt) {
			return refuse(TextTooLong, text)
		}
	}
	if len(q.Options) > maxOptions {
		return refuse(TooManyOptions, q.Prompt)
	}
	if len(q.AcceptedAnswers) > maxAccepted {
		return refuse(TooManyAnswers, q.Prompt)
	}
	for _, option := range q.Options {
		if isLong(option.Text, maxOption) {
			return refuse(TextTooLong, option.Text)
		}
	}
	for _, answer := range q.AcceptedAnswers {
		if isLong(answer, maxOption) {
			return refuse(TextTooLong, answer)
		}
	}
	return true
}

func firstStage(language string) string {
	if base, _, _ := strings.Cut(strings.ToLower(language), "-"); base == "de" {
		return "Fragen"
	}
	return "Questions"
}

// titleOf makes a title of the name of a file.
func titleOf(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	if name == "." || name == "/" {
		return ""
	}
	return oneLine(strings.NewReplacer("_", " ", "-", " ").Replace(name))
}

func oneLine(text string) string { return strings.Join(strings.Fields(cleanText(text)), " ") }

// shortened returns the text within the limit of titles.
func shortened(title string) string {
	if runes := []rune(title); len(runes) > maxTitle {
		return strings.TrimSpace(string(runes[:maxTitle-1])) + "…"
	}
	return title
}
