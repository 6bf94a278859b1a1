package scim

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"assay/server/request"
)

// configuration says what is supported (RFC 7643, section 5).
func (v *service) configuration(echo.Context, *incoming) (response, error) {
	not := map[string]any{"supported": false}
	return response{status: http.StatusOK, body: map[string]any{
		"schemas":        []string{"urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"},
		"patch":          map[string]any{"supported": true},
		"bulk":           map[string]any{"supported": false, "maxOperations": 0, "maxPayloadSize": 0},
		"filter":         map[string]any{"supported": true, "maxResults": maxCount},
		"changePassword": not, "sort": not, "etag": not,
		"authenticationSchemes": []any{map[string]any{
			"type": "oauthbearertoken", "name": "API key",
			"description": "An API key with the scope members:provision, as a Bearer token.", "primary": true,
		}},
		"meta": meta{ResourceType: "ServiceProviderConfig", Location: v.baseURL + "/ServiceProviderConfig"},
	}}, nil
}

func (v *service) resourceTypes(echo.Context, *incoming) (response, error) {
	return everything(v.userType()), nil
}

func (v *service) resourceType(c echo.Context, _ *incoming) (response, error) {
	if c.Param("id") != "User" {
		return response{}, request.ErrNothingHere
	}
	return response{status: http.StatusOK, body: v.userType()}, nil
}

func (v *service) schemas(echo.Context, *incoming) (response, error) {
	return everything(v.schemaOfUsers()), nil
}

func (v *service) schema(c echo.Context, _ *incoming) (response, error) {
	if c.Param("id") != userSchema {
		return response{}, request.ErrNothingHere
	}
	return response{status: http.StatusOK, body: v.schemaOfUsers()}, nil
}

// groups refuses the requests of a provider that also sends groups. The provider shows the text to its administrator.
func (v *service) groups(echo.Context, *incoming) (response, error) {
	return refusal(http.StatusNotFound, "", "Groups are not supported. Switch them off at the provider."), nil
}

// everything is a list with one resource.
func everything(resource any) response {
	return response{status: http.StatusOK, body: map[string]any{
		"schemas": []string{listSchema}, "totalResults": 1, "startIndex": 1, "itemsPerPage": 1, "Resources": []any{resource},
	}}
}

// userType is the only type of resource (RFC 7643, section 6).
func (v *service) userType() map[string]any {
	return map[string]any{
		"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:ResourceType"},
		"id":      "User", "name": "User", "endpoint": "/Users", "schema": userSchema,
		"description": "A member of the organization, or an invited person.",
		"meta":        meta{ResourceType: "ResourceType", Location: v.baseURL + "/ResourceTypes/User"},
	}
}

// described is an attribute of a schema (RFC 7643, section 7).
type described map[string]any

func attributeOf(name, kind, mutability, description string) described {
	return described{
		"name": name, "type": kind, "mutability": mutability, "description": description, "multiValued": false,
		"required": false, "caseExact": false, "returned": "default", "uniqueness": "none",
	}
}

// with returns the attribute with further fields.
func (d described) with(field string, value any) described {
	d[field] = value
	return d
}

func (v *service) schemaOfUsers() map[string]any {
	const readWrite, readOnly = "readWrite", "readOnly"
	value := attributeOf("value", "string", readOnly, "The address.")
	primary := attributeOf("primary", "boolean", readOnly, "True.")
	return map[string]any{
		"schemas": []string{"urn:ietf:params:scim:schemas:core:2.0:Schema"},
		"id":      userSchema, "name": "User", "description": "A member of the organization, or an invited person.",
		"attributes": []described{
			attributeOf("userName", "string", "immutable", "The email address, which cannot be changed.").
				with("required", true).with("uniqueness", "server"),
			attributeOf("displayName", "string", readWrite, "The name that others see."),
			attributeOf("name", "complex", readWrite, "The parts of the name.").with("subAttributes", []described{
				attributeOf("formatted", "string", readWrite, "As displayName, which has precedence."),
				attributeOf("givenName", "string", readWrite, "At most 99 characters."),
				attributeOf("familyName", "string", readWrite, "At most 99 characters."),
			}),
			attributeOf("emails", "complex", readOnly, "The address of userName.").with("multiValued", true).
				with("subAttributes", []described{value, primary}),
			attributeOf("active", "boolean", readWrite, "False for a member who cannot sign in."),
			attributeOf("userType", "string", readWrite, "The role.").
				with("canonicalValues", []string{"ADMIN", "EDITOR", "MEMBER", "REVIEWER"}),
			attributeOf("roles", "complex", readWrite, "The role as a list, as some providers send it.").
				with("multiValued", true).with("subAttributes", []described{
				attributeOf("value", "string", readWrite, "The role."), primary,
			}),
		},
		"meta": meta{ResourceType: "Schema", Location: v.baseURL + "/Schemas/" + userSchema},
	}
}
