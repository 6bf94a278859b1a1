package contract

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// pages follows the Link header from the first page to the last one, and returns the
// values at the path of each item.
func (o *tenant) pages(path, field string) (values []string) {
	o.api.t.Helper()
	for range 100 {
		page := o.api.do("GET", path, o.owner, nil).want(200)
		for i := range page.list("data") {
			values = append(values, page.text(fmt.Sprintf("data.%d.%s", i, field)))
		}
		next, found := strings.CutPrefix(page.header.Get("Link"), "<"+o.api.base)
		if !found {
			return values
		}
		path, _, _ = strings.Cut(next, ">")
	}
	o.api.t.Fatalf("%s has more than 100 pages", path)
	return nil
}

// Every order must list each assessment once, whatever the size of the pages, also
// when several have the same value.
func TestAssessmentsAreSorted(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.do("POST", "/v1/assessments", a.register().owner, object{"title": "another organization's"}).want(201)
		titles := []string{"beta", "Alpha", "gamma", "Beta", "alpha", strings.Repeat("ö", 200)}
		var ids []string
		for _, title := range titles {
			ids = append(ids, a.do("POST", "/v1/assessments", o.owner, object{"title": title}).want(201).text("data.id"))
			a.clock.Advance(time.Second)
		}
		a.do("PATCH", "/v1/assessments/"+ids[1], o.owner, object{"description": "changed"}).want(200)
		order := func(positions ...int) (want []string) {
			for _, i := range positions {
				want = append(want, ids[i])
			}
			return want
		}
		for sort, want := range map[string][]string{
			"createdAt": order(0, 1, 2, 3, 4, 5), "updatedAt": order(0, 2, 3, 4, 5, 1), "title": order(1, 4, 0, 3, 2, 5),
		} {
			for _, limit := range []int{1, 2, 5, 6, 100} {
				if got := o.pages(fmt.Sprintf("/v1/assessments?limit=%d&sort=%s", limit, sort), "id"); !slices.Equal(got, want) {
					t.Errorf("%s, %d on a page: %v, want %v", sort, limit, got, want)
				}
				reversed := slices.Clone(want)
				slices.Reverse(reversed)
				got := o.pages(fmt.Sprintf("/v1/assessments?limit=%d&sort=-%s", limit, sort), "id")
				if !slices.Equal(got, reversed) {
					t.Errorf("-%s, %d on a page: %v, want %v", sort, limit, got, reversed)
				}
			}
		}
		if got := o.pages("/v1/assessments?limit=2", "id"); !slices.Equal(got, order(5, 4, 3, 2, 1, 0)) {
			t.Errorf("without sort: %v, want the newest first", got)
		}
		if got := o.pages("/v1/assessments?limit=1&sort=title&q=alp&status=DRAFT", "title"); !slices.Equal(got,
			[]string{"Alpha", "alpha"}) {
			t.Errorf("with filters: %v", got)
		}
	})
}

// A title is found however it is typed, on pages of any size.
func TestAssessmentsAreFoundByTheirTitles(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		titles := []string{"Chef’s test", "Chef's \u200btest 2", "CHEF´S\u00a0TEST ３", "Caf\u00e9 100%_a", "Straße"}
		for _, title := range titles {
			a.do("POST", "/v1/assessments", o.owner, object{"title": title}).want(201)
		}
		for q, want := range map[string][]string{
			"chef's test": titles[:3], "CHEF’S": titles[:3], "test 3": titles[2:3], "cafe\u0301": titles[3:4],
			"strasse": titles[4:], "0%_A": titles[3:4],
			"cafe": nil, "%": titles[3:4], "s\u2003T": titles[:3], "chefs": nil,
		} {
			for _, limit := range []int{1, 2, 3, 100} {
				got := o.pages(fmt.Sprintf("/v1/assessments?limit=%d&sort=createdAt&q=%s", limit, url.QueryEscape(q)), "title")
				if !slices.Equal(got, want) {
					t.Errorf("%+q, %d on a page: %+q, want %+q", q, limit, got, want)
				}
			}
		}
	})
}

func TestAssessmentCursorsOfOtherLists(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
		for _, cursor := range []string{
			"asm_01kae3v5zg8r6w2c4n7q9t1x3y", "x", encode(`["-title","a","asm_1"]`), encode(`["title",1,"asm_1"]`),
			encode(`["title","a"]`), encode(`["title","a\u0000","asm_1"]`), encode(`{}`), encode(`["updatedAt","a","asm_1"]`),
		} {
			a.do("GET", "/v1/assessments?sort=title&after="+cursor, o.owner, nil).want(400).
				wantFields(object{"code": "cursor_invalid", "errors.0.in": "query", "errors.0.pointer": "after"})
		}
		// Cursors of release 1.0.
		if !strings.HasPrefix(contract().document.Info.Version, "1.") {
			t.Error("decodeCursor can reject cursors without a checksum")
		}
		const id = `"asm_01kae3v5zg8r6w2c4n7q9t1x3y"]`
		for order, value := range map[string]string{"title": "a", "updatedAt": "0001-01-01T00:00:00Z"} {
			cursor := encode(`["` + order + `","` + value + `",` + id)
			a.do("GET", "/v1/assessments?sort="+order+"&after="+cursor, o.owner, nil).want(200)
		}
		a.do("GET", "/v1/assessments?sort=name", o.owner, nil).want(400)
	})
}

func TestAssessmentsShowTheCountsOfTheirSessions(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(twoStages())
		o.invite(id)
		a.finish(o.invite(id).candidate(), true)
		a.fold()
		want := object{"invited": 1, "inProgress": 0, "inReview": 0, "completed": 1, "disqualified": 0,
			"expired": 0, "cancelled": 0}
		a.do("GET", "/v1/assessments", o.owner, nil).want(200).wantFields(object{"data.0.sessionCounts": want})
		a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).wantFields(object{"data.sessionCounts": want})
		a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"title": "Renamed"}).want(200).
			wantFields(object{"data.sessionCounts": want})
		a.do("POST", "/v1/assessments/"+id+"/archive", o.owner, nil).want(200).wantFields(object{"data.sessionCounts": want})
		a.do("POST", "/v1/assessments/"+id+"/duplicate", o.owner, nil).want(201).
			wantFields(object{"data.sessionCounts.completed": 0})
	})
}
