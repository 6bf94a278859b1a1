package contract

import (
	"strings"
	"testing"
)

// Each person and each key has one rating of a candidate, and the session has the average.
func TestReviewRatings(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o, stranger := a.register(), a.register()
		other := o.member("MEMBER")
		path, sessionID := o.reviewOf(o.publish(oneQuestion()))
		public := strings.Replace(path, "/v1/", "/v1/public/", 1)
		key := o.key("reviews:write", "reviews:read", "candidates:read")
		rate := func(who credential, path string, rating int) response {
			return a.do("PUT", path+"/rating", who, object{"rating": rating})
		}
		remove := func(who credential, path string) response { return a.do("DELETE", path+"/rating", who, nil) }
		a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.rating": nil, "data.ratings": []any{}})
		rate(o.owner, path, 5).want(200).wantFields(object{"data.rating": 5, "data.ratings.0.rating": 5,
			"data.ratings.0.createdBy.id": a.userID(o.owner)})
		rate(other.who, path, 4).want(200).wantFields(object{"data.rating": 4.5})
		rate(key, public, 2).want(200).wantFields(object{"data.rating": 3.67, "data.ratings.0.createdBy.type": "API_KEY"})
		before := a.do("GET", "/v1/candidate-sessions/"+sessionID, o.owner, nil).want(200).
			wantFields(object{"data.rating": 3.67})
		rate(o.owner, path, 5).want(200) // no change
		a.do("GET", "/v1/candidate-sessions/"+sessionID, o.owner, nil).want(200).
			wantFields(object{"data.updatedAt": before.at("data.updatedAt")})
		again := rate(o.owner, path, 1).want(200).wantFields(object{"data.rating": 2.33})
		if len(again.list("data.ratings")) != 3 {
			t.Errorf("one person has several ratings: %s", again.body)
		}
		for range 2 {
			remove(key, public).want(204)
		}
		remove(other.who, path).want(204)
		left := a.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.rating": 1})
		if len(left.list("data.ratings")) != 1 {
			t.Errorf("a deleted rating is still there: %s", left.body)
		}
		rate(stranger.owner, path, 3).want(404, "not_found")
		remove(stranger.owner, path).want(404, "not_found")
		for _, rating := range []int{0, 6} {
			rate(o.owner, path, rating).want(400, "invalid_request").wantFields(object{"errors.0.pointer": "/rating"})
		}
		remove(o.owner, path).want(204)
		a.do("GET", "/v1/candidate-sessions/"+sessionID, o.owner, nil).want(200).wantFields(object{"data.rating": nil})
		rate(o.owner, path, 3).want(200)
		a.erase(o.owner, sessionID).want(204)
		rate(o.owner, path, 4).want(409, "session_erased")
		remove(o.owner, path).want(409, "session_erased")
		rate(key, public, 4).want(409, "session_erased")
		remove(key, public).want(409, "session_erased")
	})
}

// Lists, counts, and files have the rating, can be sorted by it, and can be narrowed to good ones.
func TestSessionsByRating(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		assessmentID := o.publish(oneQuestion())
		reading, other := o.key("candidates:read", "reviews:read"), o.key("candidates:read")
		ids := map[int]string{}
		for _, rating := range []int{2, 5, 4} {
			path, sessionID := o.reviewOf(assessmentID)
			ids[rating] = sessionID
			a.do("PUT", path+"/rating", o.owner, object{"rating": rating}).want(200)
		}
		o.invite(assessmentID)
		for query, want := range map[string][]int{
			"sort=-rating": {5, 4, 2}, "sort=rating": {2, 4, 5}, "minRating=4": {4, 5}, "minRating=4&sort=rating": {4, 5},
			"minRating=4.5": {5}, "minRating=1&state=hired": {},
		} {
			list := a.do("GET", "/v1/candidate-sessions?"+query, o.owner, nil).want(200)
			fields := object{}
			for i, rating := range want {
				at := "data." + string(rune('0'+i))
				fields[at+".id"], fields[at+".rating"] = ids[rating], rating
			}
			if list.wantFields(fields); list.items() != len(want) {
				t.Errorf("%s finds %d sessions, want %d", query, list.items(), len(want))
			}
			if !strings.Contains(query, "sort") {
				a.do("GET", "/v1/candidate-sessions/summary?"+query, o.owner, nil).want(200).
					wantFields(object{"data.total": len(want)})
				a.do("GET", "/v1/public/candidate-sessions?"+strings.Split(query, "&")[0], reading, nil).want(200)
			}
		}
		a.do("GET", "/v1/public/candidate-sessions?minRating=2", other, nil).want(403, "insufficient_scope")
		a.do("GET", "/v1/public/candidate-sessions", other, nil).want(200).
			wantFields(object{"data.1.rating": nil, "data.2.rating": nil})
		rows := o.spreadsheetOf("minRating=5", ',')
		if len(rows) != 2 || cellOf(rows, 1, "Rating") != "5" {
			t.Errorf("the spreadsheet is %q", rows)
		}
	})
}
