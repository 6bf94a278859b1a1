package request

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"assay/gen"
)

// maxFieldErrors is the maximum number of field errors in a response. Validation
// stops at it, because a body can contain many thousands of errors.
const maxFieldErrors = 50

// check compares value with schema and returns a field error for each place
// that breaks it, at most maxFieldErrors. root is the pointer of value itself.
// It stops when ctx is done, so the caller must look at ctx afterwards.
func check(ctx context.Context, schema *openapi3.Schema, value any, in gen.FieldErrorIn, root string) []gen.FieldError {
	v := validation{in: in, root: root, limit: maxFieldErrors}
	v.visit(ctx, schema, value)
	return v.errors
}

// CheckPart compares JSON that is not the body of a request with a schema of the contract, as a body is compared. So a
// file cannot bring in what a request could not.
func CheckPart(ctx context.Context, name string, encoded []byte) ([]gen.FieldError, error) {
	document, err := Contract()
	if err != nil {
		return nil, err
	}
	value, malformed := decodeStrict(encoded)
	if malformed != nil {
		return []gen.FieldError{bodyError(malformed.Pointer, malformed.Code, malformed.Detail)}, nil
	}
	faults := check(ctx, document.Components.Schemas[name].Value, value, gen.FieldErrorInBody, "")
	return faults, ctx.Err()
}

// validation walks a value and its schema together. kin-openapi's own walk
// visits every item of a list that is too long, collects errors without a
// limit, and prints the schema of each one, so it checks only strings, numbers,
// booleans, and null here. A test fails if openapi.yaml uses a keyword that
// this walk does not enforce.
type validation struct {
	in     gen.FieldErrorIn
	root   string
	limit  int      // of the number of errors
	path   []string // from the root to the value that is visited
	errors []gen.FieldError
}

func (v *validation) visit(ctx context.Context, schema *openapi3.Schema, value any) {
	switch {
	case v.stopped(ctx):
		return
	case value == nil && schema.Nullable:
		return
	case len(schema.AllOf) > 0: // the form of a nullable reference in OpenAPI 3.0
		for _, part := range schema.AllOf {
			v.visit(ctx, part.Value, value)
		}
		return
	case len(schema.OneOf) > 0:
		v.visitUnion(ctx, schema, value)
		return
	}

	items, isArray := value.([]any)
	object, isObject := value.(map[string]any)
	switch {
	case isArray && schema.Type.Is(openapi3.TypeArray):
		v.visitArray(ctx, schema, items)
	case isObject && schema.Type.Is(openapi3.TypeObject):
		v.visitObject(ctx, schema, object)
	default:
		v.visitLeaf(schema, value)
	}
}

// stopped reports whether the maximum number of errors is reached or the client
// has disconnected.
func (v *validation) stopped(ctx context.Context) bool {
	return len(v.errors) >= v.limit || ctx.Err() != nil
}

func (v *validation) visitMember(ctx context.Context, name string, schema *openapi3.SchemaRef, value any) {
	v.path = append(v.path, name)
	v.visit(ctx, schema.Value, value)
	v.path = v.path[:len(v.path)-1]
}

func (v *validation) visitArray(ctx context.Context, schema *openapi3.Schema, items []any) {
	count := uint64(len(items))

	// The length comes first: the items of a list that is too long are not visited.
	if schema.MaxItems != nil && count > *schema.MaxItems {
		v.addBroken(schema, "maxItems")
		return
	}
	if count < schema.MinItems {
		v.addBroken(schema, "minItems")
	}
	if schema.UniqueItems && hasDuplicate(items) {
		v.addBroken(schema, "uniqueItems")
	}
	if schema.Items == nil {
		return
	}

	for i, item := range items {
		if v.stopped(ctx) {
			return
		}
		v.visitMember(ctx, strconv.Itoa(i), schema.Items, item)
	}
}

// hasDuplicate compares strings only. Every list of unique items in the contract
// has items of type string, and an item of another type is an error of its own.
func hasDuplicate(items []any) bool {
	seen := make(map[string]bool, len(items))
	for _, item := range items {
		text, isText := item.(string)
		if isText && seen[text] {
			return true
		}
		seen[text] = isText
	}
	return false
}

func (v *validation) visitObject(ctx context.Context, schema *openapi3.Schema, object map[string]any) {
	count := uint64(len(object))
	closed := schema.AdditionalProperties.Has != nil && !*schema.AdditionalProperties.Has

	// An object whose names the client chooses is not visited if it has too many. An
	// object with fixed names is visited, because unknown names are the likely cause.
	if schema.MaxProps != nil && count > *schema.MaxProps {
		v.addBroken(schema, "maxProperties")
		if !closed {
			return
		}
	}
	if count < schema.MinProps {
		v.addBroken(schema, "minProperties")
	}

	for _, name := range slices.Sorted(maps.Keys(object)) {
		property := schema.Properties[name]
		if property == nil {
			property = schema.AdditionalProperties.Schema
		}
		switch {
		case v.stopped(ctx):
			return
		case property != nil:
			v.visitMember(ctx, name, property, object[name])
		case closed:
			v.add(gen.FieldErrorCodeUnknownField, "is not a field of this object", name)
		}
	}

	for _, name := range schema.Required {
		if _, present := object[name]; !present {
			v.add(gen.FieldErrorCodeRequired, "is required", name)
		}
	}
}

// visitUnion visits the one variant that the discriminator names, so that the
// errors are those of the variant that the client meant.
func (v *validation) visitUnion(ctx context.Context, schema *openapi3.Schema, value any) {
	object, isObject := value.(map[string]any)
	if !isObject {
		if value == nil {
			v.addBroken(schema, "nullable")
		} else {
			v.add(gen.FieldErrorCodeInvalidType, "must be an object")
		}
		return
	}

	discriminator := schema.Discriminator
	chosen := object[discriminator.PropertyName] // null counts as absent
	name, _ := chosen.(string)
	mapped, known := discriminator.Mapping[name]
	switch {
	case chosen == nil:
		v.add(gen.FieldErrorCodeRequired, "is required", discriminator.PropertyName)
	case !known:
		names := strings.Join(slices.Sorted(maps.Keys(discriminator.Mapping)), ", ")
		v.add(gen.FieldErrorCodeInvalidValue, "must be one of "+names, discriminator.PropertyName)
	default:
		for _, variant := range schema.OneOf {
			if variant.Ref == mapped.Ref {
				v.visit(ctx, variant.Value, object)
			}
		}
	}
}

// leafOptions give kin-openapi's errors a constant text, because the default
// text prints the schema and the value, which can be a secret.
var leafOptions = []openapi3.SchemaValidationOption{
	openapi3.MultiErrors(),
	openapi3.WithStringFormatValidators(formatValidators()),
	openapi3.SetSchemaErrorMessageCustomizer(func(*openapi3.SchemaError) string { return "the value breaks its schema" }),
}

// visitLeaf checks a value without members, or one whose type is wrong.
func (v *validation) visitLeaf(schema *openapi3.Schema, value any) {
	if text, isText := value.(string); isText && isTooLong(schema, text) {
		v.addBroken(schema, "maxLength")
		return
	}

	if isValidText(schema, value) {
		v.visitText(schema, value)
		return
	}
	err := schema.VisitJSON(value, leafOptions...)
	if err == nil {
		v.visitDecimals(schema, value)
		v.visitText(schema, value)
		return
	}
	var several openapi3.MultiError
	if !errors.As(err, &several) {
		several = openapi3.MultiError{err}
	}
	for _, one := range several {
		var broken *openapi3.SchemaError
		if errors.As(one, &broken) {
			v.addBroken(broken.Schema, broken.SchemaField)
		} else {
			v.add(gen.FieldErrorCodeInvalidValue, "is not accepted")
		}
	}
}

// visitDecimals enforces x-decimals, the maximum number of decimals. It counts those
// of the shortest text for the number, because 82.55 divided by a multipleOf of 0.01
// is not a whole number in floating point.
func (v *validation) visitDecimals(schema *openapi3.Schema, value any) {
	most, limited := schema.Extensions["x-decimals"].(float64)
	number, isNumber := value.(float64)
	if !limited || !isNumber {
		return
	}
	_, decimals, _ := strings.Cut(strconv.FormatFloat(number, 'f', -1, 64), ".")
	if len(decimals) > int(most) {
		v.add(gen.FieldErrorCodeInvalidValue, fmt.Sprintf("must have at most %d decimals", int(most)))
	}
}

// addBroken adds the error of a keyword of the schema.
func (v *validation) addBroken(schema *openapi3.Schema, keyword string) {
	code, detail := explain(schema, keyword)
	v.add(code, detail)
}

// add adds an error for the visited value, or for the member of it that below
// names. The error never contains the value, which can be a secret.
func (v *validation) add(code gen.FieldErrorCode, detail string, below ...string) {
	var pointer strings.Builder
	pointer.WriteString(v.root)
	for _, name := range slices.Concat(v.path, below) {
		pointer.WriteByte('/')
		// The rest of a longer name would not remain. WriteString returns no error.
		_, _ = pointerEscapes.WriteString(&pointer, name[:min(len(name), maxFaultPointer+1)])
	}
	at := shorten(pointer.String())

	// A text can break both the pattern and the format: one error is enough.
	known := slices.ContainsFunc(v.errors, func(e gen.FieldError) bool { return e.Pointer == at && e.Code == code })
	if !known && len(v.errors) < v.limit {
		v.errors = append(v.errors, gen.FieldError{In: v.in, Pointer: at, Code: code, Detail: detail})
	}
}

// pointerEscapes writes a name as a reference token of a JSON Pointer (RFC 6901).
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// explain returns the code and the text of the error of a broken keyword. The
// text states what the schema requires and not the value.
func explain(schema *openapi3.Schema, keyword string) (gen.FieldErrorCode, string) {
	switch keyword {
	case "required":
		return gen.FieldErrorCodeRequired, "is required"
	case "type":
		return gen.FieldErrorCodeInvalidType, "must be " + typeName(schema)
	case "nullable":
		return gen.FieldErrorCodeInvalidType, "must not be null"
	case "enum":
		return gen.FieldErrorCodeInvalidValue, "must be one of " + enumeration(schema)
	case "format":
		return gen.FieldErrorCodeInvalidFormat, "must be a valid " + schema.Format
	case "pattern":
		if schema.Pattern == notBlank {
			return gen.FieldErrorCodeInvalidFormat, "must not be blank"
		}
		return gen.FieldErrorCodeInvalidFormat, "must match " + schema.Pattern
	case "minLength":
		return gen.FieldErrorCodeTooShort, fmt.Sprintf("must be at least %d characters long", schema.MinLength)
	case "maxLength":
		return gen.FieldErrorCodeTooLong, fmt.Sprintf("must be at most %d characters long", *schema.MaxLength)
	case "minimum":
		return gen.FieldErrorCodeTooSmall, "must be at least " + number(*schema.Min)
	case "maximum":
		return gen.FieldErrorCodeTooLarge, "must be at most " + number(*schema.Max)
	case "minItems":
		return gen.FieldErrorCodeTooFewItems, fmt.Sprintf("must have at least %d items", schema.MinItems)
	case "maxItems":
		return gen.FieldErrorCodeTooManyItems, fmt.Sprintf("must have at most %d items", *schema.MaxItems)
	case "uniqueItems":
		return gen.FieldErrorCodeDuplicate, "must not contain duplicates"
	case "minProperties":
		return gen.FieldErrorCodeTooFewItems, fmt.Sprintf("must have at least %d fields", schema.MinProps)
	case "maxProperties":
		return gen.FieldErrorCodeTooManyItems, fmt.Sprintf("must have at most %d fields", *schema.MaxProps)
	default:
		return gen.FieldErrorCodeInvalidValue, "is not accepted"
	}
}

func typeName(schema *openapi3.Schema) string {
	name := strings.Join(schema.Type.Slice(), " or ")
	if strings.ContainsAny(name[:min(1, len(name))], "aio") {
		return "an " + name
	}
	return "a " + name
}

func enumeration(schema *openapi3.Schema) string {
	names := make([]string, 0, len(schema.Enum))
	for _, value := range schema.Enum {
		names = append(names, fmt.Sprint(value))
	}
	return strings.Join(names, ", ")
}

func number(value float64) string {
	if value == math.Trunc(value) && math.Abs(value) < 1e15 {
		return strconv.FormatInt(int64(value), 10)
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

func dotsToPointer(field string) string {
	if field == "" {
		return ""
	}
	return "/" + strings.ReplaceAll(field, ".", "/")
}

// shorten cuts a name from the request to maxFaultPointer bytes.
func shorten(text string) string {
	if len(text) <= maxFaultPointer {
		return text
	}
	return strings.ToValidUTF8(text[:maxFaultPointer], "") + "…"
}
