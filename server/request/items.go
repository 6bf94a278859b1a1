package request

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"

	"assay/gen"
	"assay/store"
)

// An operation with x-outcome-per-item has an outcome for each item of a list in
// its body. An invalid item does not fail the other items.

// maxItemErrors is the maximum number of field errors of all items of a request. When
// it is reached, each further invalid item has one error.
const maxItemErrors = 500

// readItems separates the schema of the items from the schema of the body.
func (o *Operation) readItems(described *openapi3.Operation) error {
	if err := extension(described, "x-outcome-per-item", &o.itemsAt); err != nil || o.itemsAt == "" {
		return err
	}
	list := o.body.Properties[o.itemsAt]
	if list == nil || list.Value.Items == nil {
		return fmt.Errorf("x-outcome-per-item: the body has no list %q", o.itemsAt)
	}
	o.items = list.Value.Items.Value

	// The contract is shared, so the body without the schema of its items is a copy.
	outline, body := *list.Value, *o.body
	outline.Items = nil
	body.Properties = maps.Clone(body.Properties)
	body.Properties[o.itemsAt] = openapi3.NewSchemaRef("", &outline)
	o.body = &body
	return nil
}

// checkItems records the errors of each item. It returns the body with an empty
// object in the place of each invalid item, because the generated binding would
// reject the whole body. The binding also rejects the integer 3.0, which the schema
// accepts. Encoding the body again writes it as 3.
func (o *Operation) checkItems(r *http.Request, value any) ([]byte, error) {
	object, _ := value.(map[string]any)
	items, _ := object[o.itemsAt].([]any)
	wrong, left := map[int][]gen.FieldError{}, maxItemErrors
	kept := make([]any, len(items))
	for i, item := range items {
		kept[i] = item
		v := validation{
			in: gen.FieldErrorInBody, root: "/" + o.itemsAt + "/" + strconv.Itoa(i),
			limit: max(1, min(left, maxFieldErrors)),
		}
		if v.visit(r.Context(), o.items, item); len(v.errors) > 0 {
			wrong[i], kept[i] = v.errors, map[string]any{}
			left -= len(v.errors)
		}
	}
	info := dataOf(r.Context())
	info.items, info.wrongItems = items, wrong

	checked := maps.Clone(object)
	if checked != nil {
		checked[o.itemsAt] = kept
	}
	return json.Marshal(checked)
}

// Item returns an item of the body, which may be anything if it is invalid.
func Item(ctx context.Context, i int) any { return dataOf(ctx).items[i] }

// WrongItem returns the error of an item that the contract does not accept, or nil.
func WrongItem(ctx context.Context, i int) *gen.BulkError {
	wrong := dataOf(ctx).wrongItems[i]
	if wrong == nil {
		return nil
	}
	f := invalidRequest(wrong...)
	return &gen.BulkError{Code: f.Code, Detail: f.Detail, Errors: f.Fields}
}

// RefusedItem returns the error of an item that the store has refused. at is the item's place in the body.
func RefusedItem(refusal *store.Error, at string) gen.BulkError {
	fields := fieldErrors(refusal, at)
	if fields == nil {
		fields = []gen.FieldError{}
	}
	return gen.BulkError{
		Code: refusal.Code, Detail: refusal.Detail, Errors: fields, EarlierAttempt: earlierAttempt(refusal.Earlier),
	}
}
