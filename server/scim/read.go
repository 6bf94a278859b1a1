package scim

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/server/request"
	"assay/store"
)

// Operations of a PATCH (RFC 7644, section 3.5.2).
const (
	opAdd     = "add"
	opReplace = "replace"
	opRemove  = "remove"
)

const maxOperations = 100

// reader collects what a request says of a person.
type reader struct {
	ctx       context.Context
	said      store.ProvisionedChange
	formatted *string // name.formatted, which counts without displayName
	isPatch   bool
}

// readUser reads the body of a POST or PUT.
func readUser(c echo.Context, o *request.Operation) (store.ProvisionedChange, error) {
	fields, err := o.ReadObject(c)
	if err != nil {
		return store.ProvisionedChange{}, err
	}
	maps.DeleteFunc(fields, func(_ string, value any) bool { return value == nil }) // the same as absent
	r := &reader{ctx: c.Request().Context()}
	if err := r.applyAll(opReplace, fields); err != nil {
		return store.ProvisionedChange{}, err
	}
	return r.result(), nil
}

// readPatch reads the body of a PATCH.
func readPatch(c echo.Context, o *request.Operation) (store.ProvisionedChange, error) {
	fields, err := o.ReadObject(c)
	if err != nil {
		return store.ProvisionedChange{}, err
	}
	operations, isList := field(fields, "Operations").([]any)
	if !isList || len(operations) == 0 || len(operations) > maxOperations {
		return store.ProvisionedChange{}, &fault{invalidSyntax, "Operations must be a list of 1 to 100 operations."}
	}
	r := &reader{ctx: c.Request().Context(), isPatch: true}
	for _, item := range operations {
		if err := r.operate(item); err != nil {
			return store.ProvisionedChange{}, err
		}
	}
	return r.result(), nil
}

func (r *reader) operate(item any) error {
	operation, _ := item.(map[string]any)
	op, _ := field(operation, "op").(string)
	op = strings.ToLower(op) // Entra ID writes Add, Replace, and Remove
	if op != opAdd && op != opReplace && op != opRemove {
		return &fault{invalidSyntax, "op must be add, replace, or remove."}
	}
	value := field(operation, "value")
	switch path := field(operation, "path").(type) {
	case nil:
		fields, isObject := value.(map[string]any)
		switch {
		case op == opRemove:
			return &fault{noTarget, "A remove operation needs a path."}
		case !isObject:
			return &fault{invalidValue, "The value of an operation without a path must be an object."}
		}
		return r.applyAll(op, fields)
	case string:
		return r.apply(op, path, value)
	}
	return &fault{invalidPath, "path must be a text."}
}

// applyAll applies each attribute of an object.
func (r *reader) applyAll(op string, fields map[string]any) error {
	for _, attribute := range slices.Sorted(maps.Keys(fields)) {
		if err := r.apply(op, attribute, fields[attribute]); err != nil {
			return err
		}
	}
	return nil
}

// attributePath is attribute[filter].subattribute (RFC 7644, figure 7).
var attributePath = regexp.MustCompile(`^([A-Za-z$][\w$-]*)(\[[^\]]*\])?(?:\.([A-Za-z$][\w$-]*))?$`)

// apply applies the value of one attribute. Attributes that Assay does not have are ignored: providers send all that
// they know of a person.
func (r *reader) apply(op, path string, value any) error {
	path = trimSchema(path)
	if strings.HasPrefix(strings.ToLower(path), "urn:") { // an extension
		return nil
	}
	parts := attributePath.FindStringSubmatch(path)
	if parts == nil {
		return &fault{invalidPath, "The path is not one of an attribute of a user."}
	}
	if value == nil && op == opReplace {
		op = opRemove
	}
	attribute, filter, sub := strings.ToLower(parts[1]), strings.ToLower(parts[2]), strings.ToLower(parts[3])
	switch attribute {
	case "active":
		return r.active(op, value)
	case "username":
		return r.address(op, "userName", value)
	case "emails":
		return r.emails(op, filter, sub, value)
	case "externalid":
		return r.text(op, "externalId", "ExternalId", value, &r.said.ExternalID)
	case "displayname":
		return r.shownName(op, "displayName", value, &r.said.Name)
	case "name":
		return r.name(op, sub, value)
	case "usertype", "roles":
		return r.role(op, parts[1], sub, value)
	}
	return nil
}

func (r *reader) result() store.ProvisionedChange {
	if r.said.Name == nil {
		r.said.Name = r.formatted
	}
	return r.said
}

// field returns the value of a field, whose name is not case-sensitive (RFC 7643, section 2.1).
func field(fields map[string]any, name string) any {
	if value, has := fields[name]; has {
		return value
	}
	for other, value := range fields {
		if strings.EqualFold(other, name) {
			return value
		}
	}
	return nil
}

// active reads a boolean. Entra ID sends "True" and "False" as texts.
func (r *reader) active(op string, value any) error {
	if op == opRemove {
		return &fault{mutability, "active cannot be removed."}
	}
	switch value := value.(type) {
	case bool:
		r.said.Active = &value
		return nil
	case string:
		if active, err := strconv.ParseBool(strings.ToLower(value)); err == nil && len(value) > 1 {
			r.said.Active = &active
			return nil
		}
	}
	return &fault{invalidValue, "active must be true or false."}
}

func (r *reader) address(op, attribute string, value any) error {
	address, isText := value.(string)
	switch {
	case op == opRemove:
		return &fault{mutability, attribute + " cannot be removed."}
	case !isText || !request.Accepts(r.ctx, "Email", address):
		return &fault{invalidValue, attribute + " must be an email address."}
	}
	r.said.Email = &address
	return nil
}

// emails checks that a PATCH keeps the address. In a complete user the attribute is ignored, because it is read-only
// (RFC 7644, section 3.5.1): userName is the address.
func (r *reader) emails(op, filter, sub string, value any) error {
	if !r.isPatch || op == opRemove || sub != "" && sub != "value" {
		return nil
	}
	if filter != "" && !strings.Contains(filter, "work") && !strings.Contains(filter, "primary") {
		return nil
	}
	address, has := primary(value)
	if !has {
		return nil
	}
	return r.address(op, "emails", address)
}

// primary returns the primary value of a multi-valued attribute, or its only one. It is in one of the forms that
// providers send: a text, an object with a value, or a list of them.
func primary(value any) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		inner := field(value, "value")
		return inner, inner != nil
	case []any:
		for _, item := range value {
			fields, _ := item.(map[string]any)
			switch field(fields, "primary") {
			case true, "true", "True":
				return primary(fields)
			}
		}
		if len(value) == 1 {
			return primary(value[0])
		}
		return nil, false
	case nil:
		return nil, false
	}
	return value, true
}

// maxPartOfName permits two parts in the name that others see.
const maxPartOfName = 99

func (r *reader) name(op, sub string, value any) error {
	switch sub {
	case "":
		fields, isObject := value.(map[string]any)
		if op != opRemove && !isObject {
			return &fault{invalidValue, "name must be an object."}
		}
		for _, part := range []string{"givenName", "familyName", "formatted"} {
			if inner := field(fields, part); op == opRemove || inner != nil {
				if err := r.name(op, strings.ToLower(part), inner); err != nil {
					return err
				}
			}
		}
		return nil
	case "givenname":
		return r.text(op, "name.givenName", "PersonName", value, &r.said.GivenName)
	case "familyname":
		return r.text(op, "name.familyName", "PersonName", value, &r.said.FamilyName)
	case "formatted":
		return r.shownName(op, "name.formatted", value, &r.formatted)
	}
	return nil
}

// shownName reads a name that others see. A removal or an empty text changes nothing, because each person has one.
func (r *reader) shownName(op, attribute string, value any, into **string) error {
	text, isText := value.(string)
	switch {
	case op == opRemove, isText && text == "":
		return nil
	case !isText || !request.Accepts(r.ctx, "PersonName", text):
		return &fault{invalidValue, attribute + " must be a text in one line with 1 to 200 characters."}
	}
	*into = &text
	return nil
}

// text reads a text that can be absent. schema is the one of openapi.yaml.
func (r *reader) text(op, attribute, schema string, value any, into *store.Change[string]) error {
	text, isText := value.(string)
	switch {
	case op == opRemove, isText && text == "":
		*into = store.Change[string]{Set: true}
		return nil
	case !isText || !request.Accepts(r.ctx, schema, text),
		schema == "PersonName" && len([]rune(text)) > maxPartOfName:
		return &fault{invalidValue, attribute + " must be a text, which is not too long."}
	}
	*into = store.Change[string]{Set: true, Value: &text}
	return nil
}

// role reads the role from userType, or from the only or primary value of roles.
func (r *reader) role(op, attribute, sub string, value any) error {
	if sub != "" && sub != "value" {
		return nil
	}
	if list, isList := value.([]any); op == opRemove || isList && len(list) == 0 || value == "" {
		r.said.Role = store.Change[store.Role]{Set: true}
		return nil
	}
	found, _ := primary(value)
	text, _ := found.(string)
	role := store.Role(strings.ToUpper(text))
	if !slices.Contains([]store.Role{store.Owner, store.Admin, store.Editor, store.Member, store.Reviewer}, role) {
		return &fault{invalidValue, attribute + " must be one of ADMIN, EDITOR, MEMBER, and REVIEWER."}
	}
	r.said.Role = store.Change[store.Role]{Set: true, Value: &role}
	return nil
}
