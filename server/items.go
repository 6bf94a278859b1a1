package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"assay/gen"
)

// An operation with x-outcome-per-item answers for each item of a list of its
// body by itself: one that breaks the contract fails alone.

// readItems takes the schema of the items out of the body's.
func (o *operation) readItems(described *openapi3.Operation) error {
	if err := extension(described, "x-outcome-per-item", &o.itemsAt); err != nil || o.itemsAt == "" {
		return err
	}
	list := o.body.Properties[o.itemsAt]
	if list == nil || list.Value.Items == nil {
		return fmt.Errorf("x-outcome-per-item: the body has no list %q", o.itemsAt)
	}
	o.items = list.Value.Items.Value
	outline, body := *list.Value, *o.body
	outline.Items = nil
	body.Properties = maps.Clone(body.Properties)
	body.Properties[o.itemsAt] = openapi3.NewSchemaRef("", &outline)
	o.body = &body
	return nil
}

// checkItems notes what is wrong with each item, and returns the body with an
// empty object in the place of each that is. It is written anew in any case: the
// binding is stricter with numbers than the schema, and refuses the whole.
func (o *operation) checkItems(r *http.Request, value any) ([]byte, error) {
	object, _ := value.(map[string]any)
	items, _ := object[o.itemsAt].([]any)
	wrong := map[int][]gen.FieldError{}
	kept := make([]any, len(items))
	for i, item := range items {
		kept[i] = item
		root := "/" + o.itemsAt + "/" + strconv.Itoa(i)
		if faults := check(r.Context(), o.items, item, gen.FieldErrorInBody, root); len(faults) > 0 {
			wrong[i], kept[i] = faults, map[string]any{}
		}
	}
	requestOf(r.Context()).wrongItems = wrong
	checked := maps.Clone(object)
	if checked != nil {
		checked[o.itemsAt] = kept
	}
	return json.Marshal(checked)
}
