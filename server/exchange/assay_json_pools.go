package exchange

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay/store/rules"
)

// Limits of the contract.
const (
	maxPools   = 20 // of a stage
	maxTags    = 20 // of a pool
	maxTagName = 40
)

// pools adds the pools of a stage. A pool that publishing has filled is left out, because its questions are imported:
// the bank that they come from can be that of another organization.
func (r *jsonReader) pools(stage *rules.Stage, questions []json.RawMessage) {
	filled := map[string]bool{}
	for _, raw := range questions {
		var question struct {
			PoolID string `json:"poolId"`
		}
		if json.Unmarshal(raw, &question) == nil {
			filled[question.PoolID] = true
		}
	}
	for i, raw := range r.list("pools", maxPools) {
		field := fmt.Sprintf("pools/%d", i)
		in, isObject := newJSONReader(r.at+"/"+field, raw)
		if !isObject || i == maxPools {
			r.note(FieldInvalid, field, nil)
			continue
		}
		if id := value(in.text("id", 255)); id != "" && filled[id] {
			r.note(BankReferenceDropped, field, nil)
			continue
		}
		pool := rules.Pool{
			Title: in.line("title", 200), Count: value(in.whole("count", 1, rules.MaxQuestions)), Tags: in.tags(),
			Points: value(in.number("points", 0, maxPoints)),
		}
		in.take("questionCount")
		in.finish()
		r.notes = append(r.notes, in.notes...)
		if pool.Count == 0 {
			r.note(FieldInvalid, field+"/count", nil)
			continue
		}
		stage.Pools = append(stage.Pools, pool)
	}
}

// tags reads the tags of a pool. A pool without one of its tags would select other questions, so it then has none, and
// cannot be published.
func (r *jsonReader) tags() []string {
	tags := r.texts("tags", maxTags, math.MaxInt, FieldInvalid)
	isWrong := func(tag string) bool {
		return strings.TrimSpace(tag) == "" || strings.ContainsAny(tag, ",\n\r\u2028\u2029") || len([]rune(tag)) > maxTagName
	}
	if len(tags) > maxTags || slices.ContainsFunc(tags, isWrong) {
		r.note(FieldInvalid, "tags", nil)
		return []string{}
	}
	return append([]string{}, tags...)
}
