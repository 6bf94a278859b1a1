// Package scim lets the identity provider of an organization create, change, and deactivate its members: the part of
// SCIM 2.0 (RFC 7643, RFC 7644) about users. README.md says what is supported.
package scim

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/server/request"
	"assay/store"
)

// Prefix is where identity providers call Assay.
const Prefix = "/scim/v2"

const (
	mediaType = "application/scim+json"
	maxBody   = 64 << 10 // a user of Entra ID with all its attributes has a few thousand bytes
)

const (
	userSchema  = "urn:ietf:params:scim:schemas:core:2.0:User"
	errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error"
	listSchema  = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
)

// service has the handlers.
type service struct {
	path    *request.Path
	store   *store.Store
	baseURL string // with Prefix
}

// response is what a handler returns. body is nil for a response without one.
type response struct {
	status   int
	location string
	body     any
}

// fault is a request that SCIM has a scimType for (RFC 7644, section 3.12).
type fault struct{ scimType, detail string }

func (f *fault) Error() string { return f.scimType + ": " + f.detail }

// The values of scimType that this package returns.
const (
	invalidFilter = "invalidFilter"
	invalidPath   = "invalidPath"
	invalidSyntax = "invalidSyntax"
	invalidValue  = "invalidValue"
	mutability    = "mutability"
	noTarget      = "noTarget"
	uniqueness    = "uniqueness"
)

// Register adds the addresses of SCIM to the path.
func Register(path *request.Path, s *store.Store, baseURL string) {
	v := &service{path: path, store: s, baseURL: baseURL + Prefix}
	for _, route := range []struct {
		method, address string
		do              handler
	}{
		{http.MethodGet, "/ServiceProviderConfig", v.configuration},
		{http.MethodGet, "/ResourceTypes", v.resourceTypes},
		{http.MethodGet, "/ResourceTypes/:id", v.resourceType},
		{http.MethodGet, "/Schemas", v.schemas},
		{http.MethodGet, "/Schemas/:id", v.schema},
		{http.MethodPost, "/Users", v.create},
		{http.MethodGet, "/Users", v.list},
		{http.MethodGet, "/Users/:id", v.retrieve},
		{http.MethodPut, "/Users/:id", v.replace},
		{http.MethodPatch, "/Users/:id", v.patch},
		{http.MethodDelete, "/Users/:id", v.remove},
	} {
		address := Prefix + route.address
		o := request.NewKeyOperation(address, request.BearerScheme, maxBody, store.ProvisioningScope)
		path.Add(v.serve(o, route.do), address, route.method)
	}
	for _, address := range []string{Prefix + "/Groups", Prefix + "/Groups/:id"} {
		o := request.NewKeyOperation(address, request.BearerScheme, maxBody, store.ProvisioningScope)
		path.Add(v.serve(o, v.groups), address, http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
			http.MethodDelete)
	}
}

// handler responds to a request whose key was verified.
type handler func(echo.Context, *incoming) (response, error)

// incoming is a request with a valid key.
type incoming struct {
	scope     store.Scope
	operation *request.Operation
}

func (v *service) serve(o *request.Operation, do handler) echo.HandlerFunc {
	return func(c echo.Context) error {
		key, hasKey := request.BearerToken(c.Request())
		scope, err := v.path.UseKey(c, o, key, hasKey)
		var answer response
		if err == nil {
			answer, err = do(c, &incoming{scope, o})
		}
		if err != nil {
			answer = v.refuse(c, err)
		}
		if answer.location != "" {
			c.Response().Header().Set(echo.HeaderLocation, answer.location)
		}
		if answer.body == nil {
			return c.NoContent(answer.status)
		}
		body, err := json.Marshal(answer.body)
		if err != nil {
			return err
		}
		return c.Blob(answer.status, mediaType, body)
	}
}

// refuse returns the response to a request that was refused, in the form of SCIM.
func (v *service) refuse(c echo.Context, err error) response {
	var ours *fault
	if errors.As(err, &ours) {
		return refusal(http.StatusBadRequest, ours.scimType, ours.detail)
	}
	f := v.path.Refuse(c, err)
	detail, scimType := f.Detail, ""
	for _, field := range f.Fields {
		detail += fmt.Sprintf(" %s %s.", strings.TrimPrefix(field.Pointer, "/"), strings.TrimSuffix(field.Detail, "."))
	}
	isAbout := func(code gen.FieldErrorCode) bool {
		return slices.ContainsFunc(f.Fields, func(field gen.FieldError) bool { return field.Code == code })
	}
	switch {
	case f.Status == http.StatusConflict && isAbout(gen.FieldErrorCodeDuplicate):
		scimType = uniqueness
	case f.Status != http.StatusBadRequest:
	case isAbout(gen.FieldErrorCodeFrozen):
		scimType = mutability
	case isAbout(gen.FieldErrorCodeInvalidJSON), isAbout(gen.FieldErrorCodeInvalidEncoding):
		scimType = invalidSyntax
	default:
		scimType = invalidValue
	}
	return refusal(f.Status, scimType, detail)
}

func refusal(status int, scimType, detail string) response {
	body := map[string]any{"schemas": []string{errorSchema}, "status": strconv.Itoa(status), "detail": detail}
	if scimType != "" {
		body["scimType"] = scimType
	}
	return response{status: status, body: body}
}
