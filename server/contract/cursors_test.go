package contract

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Each list refuses a cursor that it has never returned, in each of its orders, and accepts one whose item is gone.
func TestEveryCursor(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.estate()
		for range 2 { // so that each list has two pages
			e.webhook()
			e.add("MEMBER")
			e.publish(oneQuestion())
			a.do("POST", "/v1/auth/login", anonymous, object{"email": e.email, "password": testPassword}).want(200)
		}
		for _, id := range e.of("candidate-sessions")[:2] {
			a.do("PUT", "/v1/candidate-sessions/"+id+"/review/rating", e.owner, object{"rating": 4}).want(200)
		}
		e.bank("Another?", 1)
		a.register().joins(e.email, "MEMBER")
		a.clock.Advance(time.Minute)
		lists := 0
		foreign := map[bool]string{} // a cursor of a list of assessments, or of another list
		for _, o := range everyOperation(t) {
			name, orders := cursorOf(o)
			if name == "" {
				continue
			}
			lists++
			path := o.path
			if o.hasPathParameter() {
				path = e.at(o, e.of(o.collection())[0])
			}
			get := func(order, cursor string) response {
				query := url.Values{"limit": {"1"}}
				if order != "" {
					parameter, value, _ := strings.Cut(order, "=")
					query.Set(parameter, value)
				}
				if cursor != "" {
					query.Set(name, cursor)
				}
				return a.do("GET", path+"?"+query.Encode(), e.right(o), nil)
			}

			cursors := map[string]string{}
			for _, order := range orders {
				cursors[order] = get(order, "").want(200).nextCursor(name)
			}
			for order, cursor := range cursors {
				if cursor == "" {
					t.Errorf("%s %s has only one page", o.id, order)
					continue
				}
				get(order, cursor).want(200)
				refused := []string{"zzz", "evt_000", cursor[:4] + strings.Repeat("0", 26), cursor + "0",
					cursor[:len(cursor)-1], strings.ToUpper(cursor),
					"xyz_01m7w6c3808a9d9sr9vwmxdq9q", "%00", "../" + cursor}
				if other := foreign[!strings.Contains(path, "assessments")]; other != "" {
					refused = append(refused, other)
				}
				if isEncoded(cursor) {
					foreign[strings.Contains(path, "assessments")] = cursor
					content, err := base64.RawURLEncoding.DecodeString(cursor)
					if err != nil {
						t.Fatal(err)
					}
					for i := range content {
						content[i] ^= 1
						refused = append(refused, base64.RawURLEncoding.EncodeToString(content))
						content[i] ^= 1
					}
				} else {
					prefix, _, _ := strings.Cut(cursor, "_")
					get(order, a.store.NewID(prefix)).want(200) // of an item that is gone
					a.clock.Advance(time.Hour)
					refused = append(refused, a.store.NewID(prefix))
					a.clock.Advance(-time.Hour)
				}
				for other, of := range cursors {
					if other != order && of != "" && (isEncoded(of) || isEncoded(cursor)) {
						refused = append(refused, of)
					}
				}
				for _, text := range refused {
					if r := get(order, text); r.status != 400 || r.code() != "cursor_invalid" {
						t.Errorf("%s %s: %q gets %d %s", o.id, order, text, r.status, r.code())
					}
				}
			}
		}
		if lists < 16 {
			t.Errorf("found only %d lists with cursors", lists)
		}
	})
}

// isEncoded reports whether a cursor is not an id.
func isEncoded(cursor string) bool { return !strings.Contains(cursor, "_") }

// cursorOf returns the name of the parameter for the cursor, or "", and the values of the parameter for the order.
func cursorOf(o described) (name string, orders []string) {
	orders = []string{""}
	for _, parameter := range o.query {
		switch parameter.Name {
		case "after", "cursor":
			name = parameter.Name
		case "sort", "order":
			for _, value := range parameter.Schema.Value.Enum {
				orders = append(orders, parameter.Name+"="+value.(string))
			}
		}
	}
	return name, orders
}

// nextCursor returns the cursor of the next page, or "".
func (r response) nextCursor(parameter string) string {
	r.t.Helper()
	if parameter == "cursor" {
		return r.text("data.cursor")
	}
	link, _, _ := strings.Cut(strings.TrimPrefix(r.header.Get("Link"), "<"), ">")
	address, err := url.Parse(link)
	if err != nil {
		r.t.Fatal(err)
	}
	return address.Query().Get(parameter)
}
