package contract

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

// onQuotas is onReplicas with quotas.
func onQuotas(t *testing.T, quotas store.Quotas, test func(t *testing.T, a, b *api)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, database string) {
		clock, address := storetest.NewClock(), storetest.URL(t, database)
		one := func() *api {
			s := storetest.OpenURL(t, address, clock.Now, func(opts *store.Options) { opts.Quotas = quotas })
			a := serve(t, s, clock)
			a.database = address
			return a
		}
		test(t, one(), one())
	})
}

// isFull fails the test unless a quota rejected the request. The problem names no field.
func (r response) isFull(status int, code string) response {
	r.t.Helper()
	if r.want(status, code); len(r.faults()) > 0 {
		r.t.Errorf("%s: field errors %q", r.name, r.faults())
	}
	return r
}

// wantUsage compares a quota in the responses of all operations that show it.
func (o *tenant) wantUsage(quota string, used, limit any) {
	o.api.t.Helper()
	want := object{"used": used, "limit": limit}
	o.api.do("GET", "/v1/organization", o.owner, nil).want(200).wantFields(object{"data.usage." + quota: want})
	o.api.do("PATCH", "/v1/organization", o.owner, object{"inviteExpiryDays": 7}).want(200).
		wantFields(object{"data.usage." + quota: want})
	o.api.do("GET", "/v1/me", o.owner, nil).want(200).wantFields(object{"data.organization.usage." + quota: want})
}

// smallQuota is a quota that is exact.
type smallQuota struct {
	name, code, path string
	body             func() any
	had              int                             // what a new organization has
	free             func(o *tenant, created string) // removes a thing
}

func smallQuotas() []smallQuota {
	remove := func(path string) func(o *tenant, id string) {
		return func(o *tenant, id string) { o.api.do("DELETE", path+id, o.owner, nil).want(204) }
	}
	return []smallQuota{
		{name: "webhooks", code: "webhook_quota_exceeded", path: "/v1/webhooks", free: remove("/v1/webhooks/"),
			body: func() any { return object{"url": hookURL, "events": []any{"candidate.invited"}} }},
		{name: "apiKeys", code: "api_key_quota_exceeded", path: "/v1/api-keys", free: remove("/v1/api-keys/"),
			body: func() any { return object{"name": "test", "scopes": []any{"results:read"}} }},
		{name: "members", code: "member_quota_exceeded", path: "/v1/members", free: remove("/v1/members/"), had: 1,
			body: func() any { return object{"name": "Ada", "email": newEmail(), "role": "MEMBER"} }},
		{name: "assessments", code: "assessment_quota_exceeded", path: "/v1/assessments", free: remove("/v1/assessments/"),
			body: func() any { return oneQuestion() }},
	}
}

// An organization gets as much as the quota permits, also with many requests at once on
// several replicas. Deleting makes room. Another organization is not affected.
func TestSmallQuotas(t *testing.T) {
	const limit = 4
	quotas := store.Quotas{Webhooks: limit, APIKeys: limit, Members: limit, Assessments: limit}
	onQuotas(t, quotas, func(t *testing.T, a, b *api) {
		o, other := a.register(), a.register()
		for _, quota := range smallQuotas() {
			create := func(on *api, o *tenant, key string) response {
				return on.postWithKey(quota.path, o.owner, key, quota.body())
			}
			o.wantUsage(quota.name, quota.had, limit)
			body := quota.body()
			first := a.postWithKey(quota.path, o.owner, quota.name+" first", body).want(201)
			created := []response{first}
			for _, r := range atOnce(12, func(i int) response {
				return create([]*api{a, b}[i%2], o, fmt.Sprint(quota.name, i))
			}) {
				if r.status == 201 {
					created = append(created, r)
				} else {
					r.isFull(409, quota.code)
				}
			}
			if want := limit - quota.had; len(created) != want {
				t.Errorf("%s: %d created, want %d", quota.name, len(created), want)
			}
			o.wantUsage(quota.name, limit, limit)
			create(b, o, quota.name+" full").isFull(409, quota.code)
			a.postWithKey(quota.path, o.owner, quota.name+" first", body).replays(first)

			create(a, other, quota.name).want(201)
			other.wantUsage(quota.name, quota.had+1, limit)

			quota.free(o, created[1].text("data.id"))
			o.wantUsage(quota.name, limit-1, limit)
			create(a, o, quota.name+" full").want(201) // a refusal is not stored
			create(a, o, quota.name+" again").isFull(409, quota.code)
		}
	})
}

// The tests of everything else run without quotas.
func TestWithoutQuotas(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, quota := range smallQuotas() {
			o.wantUsage(quota.name, quota.had, nil)
		}
		for _, name := range []string{"definitionBytes", "liveSessions", "queuedDeliveries"} {
			o.wantUsage(name, 0, nil)
		}
	})
}

// A key counts until it is revoked or has expired.
func TestExpiredKeysMakeRoom(t *testing.T) {
	onQuotas(t, store.Quotas{APIKeys: 2}, func(_ *testing.T, a, _ *api) {
		o := a.register()
		expires := a.clock.Now().Add(time.Minute).UTC().Format(time.RFC3339)
		key := object{"name": "test", "scopes": allScopes, "expiresAt": expires}
		for range 2 {
			a.do("POST", "/v1/api-keys", o.owner, key).want(201)
		}
		a.do("POST", "/v1/api-keys", o.owner, key).isFull(409, "api_key_quota_exceeded")
		o.wantUsage("apiKeys", 2, 2)
		a.clock.Advance(time.Minute)
		o.wantUsage("apiKeys", 0, 2)
		o.key()
	})
}

// sized is an assessment with about as many bytes.
func sized(bytes int) object {
	return object{"title": "Sized", "stages": []any{object{"title": "Only", "questions": []any{object{
		"type": "NUMERIC", "prompt": strings.Repeat("x", bytes), "points": 5, "answer": 175, "tolerance": 0.5,
	}}}}}
}

// The quota of definitions counts their bytes as they are stored. A change that makes no
// assessment larger is always accepted. Test sessions and checks do not count.
func TestDefinitionQuota(t *testing.T) {
	const limit = 10_000
	onQuotas(t, store.Quotas{DefinitionBytes: limit}, func(t *testing.T, a, _ *api) {
		o, other := a.register(), a.register()
		stored := func() (sum int) {
			for _, length := range storetest.Column(t, a.database, "assessments", "OCTET_LENGTH(definition)") {
				n, err := strconv.Atoi(length)
				if err != nil {
					t.Fatal(err)
				}
				sum += n
			}
			return sum
		}
		create := func(bytes int) response { return a.do("POST", "/v1/assessments", o.owner, sized(bytes)) }
		replace := func(id string, bytes int) response {
			return a.do("PATCH", "/v1/assessments/"+id, o.owner, object{"stages": sized(bytes)["stages"]})
		}

		first, second := create(4000).want(201).text("data.id"), create(4000).want(201).text("data.id")
		o.wantUsage("definitionBytes", stored(), limit)
		create(4000).isFull(409, "definition_quota_exceeded")
		a.do("POST", "/v1/assessments/"+first+"/duplicate", o.owner, nil).isFull(409, "definition_quota_exceeded")
		replace(first, 9000).isFull(409, "definition_quota_exceeded")
		a.do("POST", "/v1/assessments/"+first+"/preview", o.owner, nil).want(201)
		o.wantUsage("definitionBytes", stored(), limit)

		replace(first, 5000).want(200)
		replace(second, 4000).want(200)
		a.do("PATCH", "/v1/assessments/"+first, o.owner, object{"title": "Renamed"}).want(200)
		o.wantUsage("definitionBytes", stored(), limit)
		replace(first, 100).want(200)
		o.wantUsage("definitionBytes", stored(), limit)
		create(4000).want(201)
		a.do("DELETE", "/v1/assessments/"+second, o.owner, nil).want(204)
		o.wantUsage("definitionBytes", stored(), limit)
		a.do("POST", "/v1/assessments/"+first+"/duplicate", o.owner, nil).want(201)

		a.do("POST", "/v1/assessments", other.owner, sized(4000)).want(201)
	})
}

// A copy counts as an assessment.
func TestDuplicatesCount(t *testing.T) {
	onQuotas(t, store.Quotas{Assessments: 2}, func(_ *testing.T, a, _ *api) {
		o := a.register()
		path := "/v1/assessments/" + o.publish(oneQuestion())
		a.do("POST", path+"/duplicate", o.owner, nil).want(201)
		a.do("POST", path+"/duplicate", o.owner, nil).isFull(409, "assessment_quota_exceeded")
		a.do("PATCH", path, o.owner, object{"title": "Renamed"}).want(200)
	})
}
