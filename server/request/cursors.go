package request

import (
	"cmp"
	"net/http"

	"assay/store"
)

// checkCursor refuses a cursor that the list has not returned. This is the only check of cursors.
func (p *Path) checkCursor(o *Operation, r *http.Request) error {
	if o.cursor == "" || r.URL.RawQuery == "" {
		return nil
	}
	query := r.URL.Query()
	if !query.Has(o.cursor) {
		return nil
	}
	return p.store.CheckCursor(store.Cursor{
		Operation: o.id, Name: o.cursor, Text: query.Get(o.cursor),
		Order: cmp.Or(query.Get("sort"), query.Get("order")),
	})
}
