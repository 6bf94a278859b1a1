package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// wantTags fails the test unless the organization has the tags, each with its count, as in "night 2".
func (o *tenant) wantTags(want ...string) {
	o.api.t.Helper()
	list := o.api.do("GET", "/v1/review-tags", o.owner, nil).want(200)
	var got []string
	for i := range list.list("data") {
		at := fmt.Sprintf("data.%d.", i)
		got = append(got, fmt.Sprintf("%s %v", list.text(at+"name"), list.at(at+"count")))
	}
	if !slices.Equal(got, want) {
		o.api.t.Errorf("the tags are %q, want %q", got, want)
	}
}

// Two people's tags stand beside each other, a tag keeps its first spelling, and each change has its author.
func TestReviewTags(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		other := o.member("MEMBER")
		assessmentID := o.publish(oneQuestion())
		path, sessionID := o.reviewOf(assessmentID)
		second, _ := o.reviewOf(assessmentID)
		patch := func(who credential, path string, body object) response { return a.do("PATCH", path+"/tags", who, body) }
		patch(o.owner, path, object{"add": []any{" Night  shift ", "a\u0300 la carte"}}).want(200).
			wantFields(object{"data.tags": []any{"Night shift", "\u00e0 la carte"}})
		patch(other.who, path, object{"add": []any{"NIGHT SHIFT", "French"}, "remove": []any{"absent"}}).want(200).
			wantFields(object{"data.tags": []any{"French", "Night shift", "\u00e0 la carte"}})
		patch(other.who, second, object{"add": []any{"night shift"}}).want(200).
			wantFields(object{"data.tags": []any{"Night shift"}})
		o.wantTags("French 1", "Night shift 2", "\u00e0 la carte 1")
		patch(o.owner, path, object{"remove": []any{"french", "Night Shift"}, "add": []any{"night shift"}}).want(200).
			wantFields(object{"data.tags": []any{"Night shift", "\u00e0 la carte"}})
		before := a.do("GET", "/v1/candidate-sessions/"+sessionID, o.owner, nil).want(200).
			wantFields(object{"data.tags": []any{"Night shift", "\u00e0 la carte"}})
		for range 2 {
			patch(o.owner, path, object{"remove": []any{"French"}, "add": []any{"night shift"}}).want(200)
		}
		patch(o.owner, path, object{}).want(200)
		a.do("GET", "/v1/candidate-sessions/"+sessionID, o.owner, nil).want(200).
			wantFields(object{"data.updatedAt": before.at("data.updatedAt")})
		o.wantTags("Night shift 2", "\u00e0 la carte 1")
		stranger.wantTags()
		patch(stranger.owner, path, object{"add": []any{"mine"}}).want(404, "not_found")

		timeline := a.do("GET", "/v1/candidate-sessions/"+sessionID+"/timeline", o.owner, nil).want(200)
		var changes []string
		for _, entry := range timeline.list("data") {
			if entry := entry.(object); strings.HasPrefix(entry["type"].(string), "TAG_") {
				changes = append(changes, fmt.Sprint(entry["type"], " ", entry["tag"], " ", entry["actor"].(object)["id"]))
			}
		}
		want := []string{"TAG_ADDED Night shift " + a.userID(o.owner), "TAG_ADDED \u00e0 la carte " + a.userID(o.owner),
			"TAG_ADDED French " + other.id, "TAG_REMOVED French " + a.userID(o.owner)}
		if !slices.Equal(changes, want) {
			t.Errorf("the timeline has %q, want %q", changes, want)
		}
	})
}

func TestReviewTagsRefused(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		path, sessionID := o.reviewOf(assessmentID)
		public, writing := strings.Replace(path, "/v1/", "/v1/public/", 1), o.key("reviews:write")
		for pointer, body := range map[string]object{
			"/add/0": {"add": []any{"a,b"}}, "/remove/0": {"remove": []any{" "}}, "/add/1": {"add": []any{"a", "\u200b"}},
			"/remove/1": {"remove": []any{"a", "two\nlines"}}, "/add/2": {"add": []any{"a", "b", strings.Repeat("c", 41)}},
		} {
			a.do("PATCH", path+"/tags", o.owner, body).want(400, "invalid_request").
				wantFields(object{"errors.0.pointer": pointer})
		}
		tags := func(first, count int) (names []any) {
			for n := range count {
				names = append(names, fmt.Sprintf("tag %03d", first+n))
			}
			return names
		}
		for i := range 10 {
			of, _ := o.reviewOf(assessmentID)
			a.do("PATCH", of+"/tags", o.owner, object{"add": tags(20*i, 20)}).want(200)
		}
		fresh := object{"add": []any{"one more"}}
		a.do("PATCH", path+"/tags", o.owner, fresh).want(409, "too_many_organization_tags")
		a.do("PATCH", public+"/tags", writing, fresh).want(409, "too_many_organization_tags")
		a.do("PATCH", path+"/tags", o.owner, object{"add": tags(0, 20)}).want(200)
		a.do("PATCH", path+"/tags", o.owner, object{"add": tags(20, 1)}).want(409, "too_many_tags")
		a.do("PATCH", public+"/tags", writing, object{"add": tags(20, 1)}).want(409, "too_many_tags")
		replaced := a.do("PATCH", path+"/tags", o.owner, object{"add": tags(20, 1), "remove": tags(0, 1)}).want(200)
		if got := len(replaced.list("data.tags")); got != 20 {
			t.Errorf("there are %d tags, want 20", got)
		}
		if got := a.do("GET", "/v1/review-tags", o.owner, nil).want(200).items(); got != 200 {
			t.Errorf("the organization has %d tags, want 200", got)
		}
		a.erase(o.owner, sessionID).want(204)
		a.do("PATCH", path+"/tags", o.owner, fresh).want(409, "session_erased")
		a.do("PATCH", public+"/tags", writing, fresh).want(409, "session_erased")
	})
}

// A key needs the scopes of reviews, also for the filters.
func TestReviewTagsByKey(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		path, sessionID := o.reviewOf(assessmentID)
		o.invite(assessmentID)
		public := strings.Replace(path, "/v1/", "/v1/public/", 1)
		reading, writing := o.key("reviews:read", "candidates:read"), o.key("reviews:write", "candidates:read")
		a.do("PATCH", public+"/tags", reading, object{"add": []any{"night"}}).want(403, "insufficient_scope")
		a.do("PATCH", public+"/tags", writing, object{"add": []any{"night"}}).want(200).
			wantFields(object{"data.tags": []any{"night"}})
		a.do("GET", "/v1/public/review-tags", writing, nil).want(403, "insufficient_scope")
		a.do("GET", "/v1/public/review-tags", reading, nil).want(200).
			wantFields(object{"data": []any{object{"name": "night", "count": 1}}})
		a.do("PUT", public+"/state", writing, object{"stateId": "hired"}).want(200)
		list := "/v1/public/candidate-sessions"
		for _, filter := range []string{"?tag=NIGHT", "?state=hired", "?state=hired&tag=other,night"} {
			a.do("GET", list+filter, writing, nil).want(403, "insufficient_scope")
			found := a.do("GET", list+filter, reading, nil).want(200).
				wantFields(object{"data.0.id": sessionID, "data.0.tags": []any{"night"}, "data.0.stateId": "hired"})
			if found.items() != 1 {
				t.Errorf("%s finds %d sessions, want 1", filter, found.items())
			}
		}
		a.do("GET", list, writing, nil).want(200).wantFields(object{"data.0.tags": nil, "data.1.tags": nil})
	})
}

// Lists, counts, and exports can be narrowed to tags, and files have them.
func TestSessionsByTag(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		var ids []string
		for _, tags := range [][]any{{"night"}, {"night", "French"}, {"French"}} {
			path, sessionID := o.reviewOf(assessmentID)
			ids = append(ids, sessionID)
			a.do("PATCH", path+"/tags", o.owner, object{"add": tags}).want(200)
		}
		o.invite(assessmentID)
		for filter, want := range map[string][]string{
			"night": {ids[1], ids[0]}, "FRENCH,night": {ids[2], ids[1], ids[0]}, "unknown": {},
			"night&status=COMPLETED": {}, "night&sort=-updatedAt": {ids[1], ids[0]}, "night&state=new": {ids[1], ids[0]},
			"french&state=hired": {}, "night&q=grace": {ids[1], ids[0]}, "french&assessmentId=" + assessmentID: {ids[2], ids[1]},
			"night&sort=createdAt&limit=1": {ids[0]},
		} {
			list := a.do("GET", "/v1/candidate-sessions?tag="+filter, o.owner, nil).want(200)
			var found []string
			for i := range list.list("data") {
				found = append(found, list.text(fmt.Sprintf("data.%d.id", i)))
			}
			if !slices.Equal(found, want) {
				t.Errorf("%s: %v, want %v", filter, found, want)
			}
			if strings.Contains(filter, "sort=") {
				continue
			}
			a.do("GET", "/v1/candidate-sessions/summary?tag="+filter, o.owner, nil).want(200).
				wantFields(object{"data.total": len(want), "data.exact": true})
			export := a.do("GET", "/v1/candidate-sessions/export?tag="+filter, o.owner, nil).want(200)
			if export.items() != len(want) {
				t.Errorf("%s: the export has %d sessions, want %d", filter, export.items(), len(want))
			}
		}
		rows := o.spreadsheetOf("tag=night", ',')
		if len(rows) != 3 || cellOf(rows, 1, "Tags") != "French, night" || cellOf(rows, 2, "Tags") != "night" {
			t.Errorf("the spreadsheet is %q", rows)
		}
	})
}

// A tag can be a name, so an erasure removes it from the session and from the organization. So does the end of a
// preview.
func TestReviewTagsErased(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		draft := a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		assessmentID := o.publish(oneQuestion())
		path, sessionID := o.reviewOf(assessmentID)
		second, _ := o.reviewOf(assessmentID)
		preview := a.do("POST", "/v1/assessments/"+draft+"/preview", o.owner, nil).want(201).text("data.id")
		a.do("PATCH", path+"/tags", o.owner, object{"add": []any{"friend of Anna", "night"}}).want(200)
		a.do("PATCH", second+"/tags", o.owner, object{"add": []any{"night"}}).want(200)
		a.do("PATCH", "/v1/candidate-sessions/"+preview+"/review/tags", o.owner, object{"add": []any{"night", "draft"}}).
			want(200)
		o.wantTags("draft 1", "friend of Anna 1", "night 3")
		a.erase(o.owner, sessionID).want(204)
		erased := a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.tags": []any{}})
		timeline := a.do("GET", "/v1/candidate-sessions/"+sessionID+"/timeline", o.owner, nil).want(200)
		if strings.Contains(string(erased.body)+string(timeline.body), "Anna") {
			t.Errorf("the tag remains: %s %s", erased.body, timeline.body)
		}
		o.wantTags("draft 1", "night 2")
		a.do("DELETE", "/v1/assessments/"+draft, o.owner, nil).want(204)
		o.wantTags("night 1")
	})
}

// A limited member sees the tags of the own assessments, with counts and spellings that tell nothing of others.
func TestReviewTagsLimited(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		seen, hidden := o.publish(oneQuestion()), o.publish(oneQuestion())
		mine, mineID := o.reviewOf(seen)
		other, _ := o.reviewOf(hidden)
		for path, tags := range map[string][]any{mine: {"night"}, other: {"SECRET", "night"}} {
			a.do("PATCH", path+"/tags", o.owner, object{"add": tags}).want(200)
		}
		member := o.member("MEMBER")
		limit := object{"role": "MEMBER", "assessmentIds": []any{seen}}
		a.do("PATCH", "/v1/members/"+member.id, o.owner, limit).want(200)
		limited := *o
		limited.owner = member.who
		limited.wantTags("night 1")
		a.do("PATCH", mine+"/tags", member.who, object{"add": []any{"secret", "Night"}}).want(200).
			wantFields(object{"data.tags": []any{"night", "secret"}})
		a.do("PATCH", other+"/tags", member.who, object{"add": []any{"secret"}}).want(404, "not_found")
		limited.wantTags("night 1", "secret 1")
		o.wantTags("night 2", "SECRET 2")
		found := a.do("GET", "/v1/candidate-sessions?tag=secret", member.who, nil).want(200).
			wantFields(object{"data.0.id": mineID})
		if found.items() != 1 {
			t.Errorf("the filter finds %d sessions, want 1", found.items())
		}
		a.do("PATCH", mine+"/tags", member.who, object{"remove": []any{"secret", "night"}}).want(200)
		limited.wantTags()
		o.wantTags("night 1", "SECRET 1")
	})
}

// Changes at the same time count each tag once, and none is lost.
func TestReviewTagsTogether(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		var paths []string
		for range 4 {
			path, _ := o.reviewOf(assessmentID)
			paths = append(paths, path)
		}
		answers := make(chan response)
		for i := range 8 {
			go func() {
				answers <- a.do("PATCH", paths[i%4]+"/tags", o.owner,
					object{"add": []any{"shared", fmt.Sprintf("own %d", i)}})
			}()
		}
		for range 8 {
			(<-answers).want(200)
		}
		want := []string{}
		for i := range 8 {
			want = append(want, fmt.Sprintf("own %d 1", i))
		}
		o.wantTags(append(want, "shared 4")...)
	})
}
