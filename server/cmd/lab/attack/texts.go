package attack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"assay/server/cmd/lab/rig"
)

const (
	textBytes    = 400 * kibibyte // of an assessment
	promptLength = 10_000         // characters, the longest prompt of the contract
	textTimes    = 3              // that each request is sent
)

// hostileTexts are texts that make a Markdown parser slow, unless its time is linear. Each is at most as long as a
// prompt.
func hostileTexts() []hostileText {
	repeated := func(word string) string { return strings.Repeat(word, promptLength/len(word)) }
	var ticks, table strings.Builder
	for n := 1; ticks.Len()+n+2 < promptLength; n++ {
		ticks.WriteString("e" + strings.Repeat("`", n))
	}
	for table.WriteString("|a|b|\n|-|-|\n"); table.Len() < promptLength-8; {
		table.WriteString("|`\\|`|\n")
	}
	return []hostileText{
		{"words", repeated("the usual words ")}, // for comparison
		{"mixed marks: _*a", repeated("_*a")},
		{"emphasis: *a **a", repeated("*a **a ")},
		{"open brackets: [", repeated("[")},
		{"open images: ![", repeated("![")},
		{"links: [a](", repeated("[a](")},
		{"growing runs of `", ticks.String()},
		{"open tags: <a", repeated("<a ")},
		{"entities: &#", repeated("&#")},
		{"quotations: >", repeated("> ")},
		{"lists: -", repeated("- ")},
		{"tables: |", table.String()},
		{"addresses: <http://a>", repeated("<http://a>")},
	}
}

type hostileText struct{ name, text string }

// assessment is the body of an assessment whose prompts are the text, each with numbers that make it another one: equal
// texts are rendered once.
func (h hostileText) assessment(n int) (rig.Raw, error) {
	var out bytes.Buffer
	out.WriteString(`{"title":"T","stages":[{"title":"S","questions":[`)
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // an escaped < would take six bytes
	const margin = 16
	for question := range textBytes / len(h.text) {
		if question > 0 {
			out.WriteByte(',')
		}
		prompt := fmt.Sprintf("%d.%d %s", n, question, h.text[:len(h.text)-margin])
		if err := encoder.Encode(rig.Object{
			"type": "SHORT_TEXT", "points": 1, "acceptedAnswers": []string{"because"}, "prompt": prompt,
		}); err != nil {
			return nil, err
		}
	}
	out.WriteString(`]}]}`)
	return out.Bytes(), nil
}

// texts measures what an assessment of hostile texts costs when it is created, read, and renamed as a draft.
func texts(ctx context.Context, a *attack) error {
	t, err := a.serve(ctx, unlimited)
	if err != nil {
		return err
	}
	defer t.Stop()
	org, err := rig.NewOrganization(ctx, t.api, "texts")
	if err != nil {
		return t.Explain(err)
	}
	a.tried("drafts of %d KiB: CPU of creating, of reading, and of a new title", textBytes/kibibyte)
	var slowest, repeated textCost
	for _, h := range hostileTexts() {
		one, err := a.textCost(ctx, t, org, h)
		if err != nil {
			return t.Explain(err)
		}
		a.got("%-24s create %4.0f ms, read %4.0f ms, rename %4.0f ms", h.name,
			one.create.Seconds()*1e3, one.read.Seconds()*1e3, one.rename.Seconds()*1e3)
		if one.create > slowest.create {
			slowest = one
		}
		if max(one.read, one.rename) > max(repeated.read, repeated.rename) {
			repeated = one
		}
	}
	a.check(slowest.create <= textCPU, ruleTextCPU, "%s: %.0f ms", slowest.name, slowest.create.Seconds()*1e3)
	again := max(repeated.read, repeated.rename)
	a.check(again <= textOnce, ruleTextOnce, "%s: %.0f ms", repeated.name, again.Seconds()*1e3)
	return nil
}

// textCost is the processor time of each request.
type textCost struct {
	name                 string
	create, read, rename time.Duration
}

func (a *attack) textCost(ctx context.Context, t *target, org *rig.Organization, h hostileText) (textCost, error) {
	cost := textCost{name: h.name}
	var created struct{ ID string }
	measure := func(into *time.Duration, method, path string, body func(n int) any) error {
		var used time.Duration
		for n := range textTimes {
			content := body(n)
			began := t.CPU()
			answer, err := t.api.Send(ctx, method, path, org.Owner, content)
			used += t.CPU() - began
			if err != nil || !answer.OK() {
				return unexpected(method, answer, err)
			}
			if method == http.MethodPost {
				if err := answer.Decode(&created); err != nil {
					return err
				}
			}
		}
		*into = used / textTimes
		return nil
	}
	var drafts [textTimes]rig.Raw
	for n := range drafts {
		var err error
		if drafts[n], err = h.assessment(n); err != nil {
			return cost, err
		}
	}
	draft := func(n int) any { return drafts[n] }
	if err := measure(&cost.create, http.MethodPost, "/v1/assessments", draft); err != nil {
		return cost, fmt.Errorf("%s: %w", h.name, err)
	}
	path := "/v1/assessments/" + created.ID
	if err := measure(&cost.read, http.MethodGet, path, func(int) any { return nil }); err != nil {
		return cost, err
	}
	err := measure(&cost.rename, http.MethodPatch, path, func(n int) any {
		return rig.Object{"title": fmt.Sprint("T", n)}
	})
	return cost, err
}
