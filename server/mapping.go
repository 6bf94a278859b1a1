package server

import (
	"context"
	"net/url"
	"time"

	"github.com/oapi-codegen/nullable"

	"assay/server/request"
	"assay/store"
)

// scopeOf returns the scope of the request.
func scopeOf(ctx context.Context) store.Scope { return request.ScopeOf(ctx) }

// nullIfEmpty is null for the empty text.
func nullIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func timeOrNull(t *store.Time) *string {
	if t == nil {
		return nil
	}
	return new(timestamp(*t))
}

func wireOrNull(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return new(store.WireTime(*t))
}

func timestamp(t store.Time) string { return store.WireTime(t.Time) }

// given is the value of an optional field, or nil if it is absent or null.
func given[T any](value nullable.Nullable[T]) *T {
	if !value.IsSpecified() || value.IsNull() {
		return nil
	}
	v := value.MustGet()
	return &v
}

// change is a field of a PATCH. It distinguishes null from absent.
func change[T any](value nullable.Nullable[T]) store.Change[T] {
	return store.Change[T]{Set: value.IsSpecified(), Value: given(value)}
}

// timeChange is change for a date-time.
func timeChange(value nullable.Nullable[string]) store.Change[time.Time] {
	return store.Change[time.Time]{Set: value.IsSpecified(), Value: instant(given(value))}
}

// instant parses a date-time that validation has accepted. It returns nil for nil.
func instant(text *string) *time.Time {
	if text == nil {
		return nil
	}
	t, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return nil
	}
	return &t
}

// orDefault returns the default of a parameter that the request does not have.
func orDefault[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

func orZero[T any](value *T) T {
	var zero T
	if value == nil {
		return zero
	}
	return *value
}

// defaultLimit is the page size of openapi.yaml's Limit parameter; a test compares them.
const defaultLimit = 20

func page(limit *int, after *string) store.Page {
	p := store.Page{Limit: defaultLimit, After: orZero(after)}
	if limit != nil {
		p.Limit = *limit
	}
	return p
}

// nextLink is the Link header of a page that is not the last, otherwise nil.
func nextLink[T any](ctx context.Context, baseURL string, items []T, more bool, id func(T) string) *string {
	if !more {
		return nil
	}
	return linkAfter(ctx, baseURL, id(items[len(items)-1]))
}

// linkAfter is the Link header of the page that begins after an id, or nil for "".
func linkAfter(ctx context.Context, baseURL, after string) *string {
	if after == "" {
		return nil
	}
	path, rawQuery := request.AddressOf(ctx)
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil
	}
	query.Set("after", after)
	link := "<" + baseURL + path + "?" + query.Encode() + `>; rel="next"`
	return &link
}

// changesPage is page for a list of changes.
func changesPage(limit *int, cursor *string) store.ChangesPage {
	return store.ChangesPage{Limit: orDefault(limit, defaultLimit), Cursor: orZero(cursor)}
}

// each maps a list. It never returns nil, which would become null in JSON.
func each[From, To any](items []From, mapping func(From) To) []To {
	mapped := make([]To, 0, len(items))
	for _, item := range items {
		mapped = append(mapped, mapping(item))
	}
	return mapped
}
