package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"assay/store/rules"
)

// part is a document of statistics beside that of the assessment. It contains sessions that the document of the
// assessment contains, each with the same result: those that match the filter, and have been examined.
type part struct {
	ID             string  `db:"id"` // of the assessment for a rebuild
	OrganizationID string  `db:"organization_id"`
	AssessmentID   string  `db:"assessment_id"`
	FilterJSON     *string `db:"filter"` // nil for a rebuild, which contains all sessions
	DocumentJSON   string  `db:"document"`
	Completed      int64   `db:"completed"`
	Disqualified   int64   `db:"disqualified"`
	Position       string  `db:"position"` // sessions up to this id have been examined
	Complete       bool    `db:"complete"` // all sessions have been examined

	filter   SegmentFilter
	document *partDocument // nil until a session was counted
}

// partDocument is what a part stores of its sessions.
type partDocument struct {
	Statistics rules.Statistics   `json:"statistics"`
	Scores     []rules.ScoreCount `json:"scores"` // of completed sessions, in ascending order

	counts map[float64]int64 // Scores, while sessions are counted
}

// emptyPart is the document of a part without sessions.
const emptyPart = `{}`

const partColumns = `SELECT id, organization_id, assessment_id, filter, document, completed, disqualified, position,
	complete FROM segments`

// parts returns the parts of an assessment.
func (c conn) parts(ctx context.Context, scope Scope, assessmentID string) ([]*part, error) {
	var parts []*part
	err := c.List(ctx, &parts, partColumns+` WHERE organization_id = ? AND assessment_id = ? ORDER BY id LIMIT ?`,
		scope.OrganizationID, assessmentID, maxSegments+1)
	for _, p := range parts {
		if err == nil {
			err = p.parseFilter()
		}
	}
	return parts, err
}

func (p *part) parseFilter() error {
	if p.FilterJSON == nil {
		return nil
	}
	return json.Unmarshal([]byte(*p.FilterJSON), &p.filter)
}

// parsePart parses the document of a part.
func parsePart(text string) (*partDocument, error) {
	d := &partDocument{}
	d.Statistics.Version = rules.StatisticsVersion
	return d, json.Unmarshal([]byte(text), d)
}

// parse parses the document of the part, so that sessions can be counted.
func (p *part) parse() error {
	if p.document != nil {
		return nil
	}
	document, err := parsePart(p.DocumentJSON)
	if err != nil {
		return err
	}
	document.counts = map[float64]int64{}
	for _, score := range document.Scores {
		document.counts[score.Score] = score.Count
	}
	p.document = document
	return nil
}

// count adds a result that the filter selects, or removes it: n is 1 or -1.
func (p *part) count(d rules.Definition, result countedResult, n int64) error {
	if !p.filter.contains(result) {
		return nil
	}
	if err := p.parse(); err != nil {
		return err
	}
	if n > 0 {
		p.document.Statistics.Add(d, result.Finished)
	} else {
		p.document.Statistics.Remove(d, result.Finished)
	}
	if result.Status != rules.SessionCompleted {
		p.Disqualified += n
		return nil
	}
	p.Completed += n
	p.document.counts[result.Score] += n
	return nil
}

// savePart writes a part in which sessions were counted.
func (c conn) savePart(ctx context.Context, p *part) error {
	if p.document == nil {
		return nil
	}
	encoded, err := p.document.encode()
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		UPDATE segments SET document = ?, completed = ?, disqualified = ?, position = ?, complete = ?
		WHERE organization_id = ? AND id = ?`,
		encoded, p.Completed, p.Disqualified, p.Position, p.Complete, p.OrganizationID, p.ID)
	return err
}

func (d *partDocument) encode() (string, error) {
	d.Scores = []rules.ScoreCount{}
	for _, score := range slices.Sorted(maps.Keys(d.counts)) {
		if n := d.counts[score]; n != 0 {
			d.Scores = append(d.Scores, rules.ScoreCount{Score: score, Count: n})
		}
	}
	encoded, err := json.Marshal(d)
	return string(encoded), err
}
