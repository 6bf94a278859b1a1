package scim

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/labstack/echo/v4"

	"assay/gen"
	"assay/server/request"
	"assay/store"
)

const (
	defaultCount = 100
	maxCount     = 200
)

// user is a member as SCIM shows them (RFC 7643, section 4.1).
type user struct {
	Schemas     []string    `json:"schemas"`
	ID          string      `json:"id"`
	ExternalID  *string     `json:"externalId,omitempty"`
	UserName    string      `json:"userName"`
	Name        name        `json:"name"`
	DisplayName string      `json:"displayName"`
	Emails      []attribute `json:"emails"`
	Active      bool        `json:"active"`
	UserType    string      `json:"userType"`
	Roles       []attribute `json:"roles"`
	Meta        meta        `json:"meta"`
}

type name struct {
	Formatted  string  `json:"formatted"`
	GivenName  *string `json:"givenName,omitempty"`
	FamilyName *string `json:"familyName,omitempty"`
}

// attribute is a value of a multi-valued attribute (RFC 7643, section 2.4).
type attribute struct {
	Value   string `json:"value"`
	Type    string `json:"type,omitempty"`
	Primary bool   `json:"primary"`
}

type meta struct {
	ResourceType string `json:"resourceType"`
	Created      string `json:"created,omitempty"`
	LastModified string `json:"lastModified,omitempty"`
	Location     string `json:"location"`
}

func (v *service) user(member store.ProvisionedMember) user {
	return user{
		Schemas: []string{userSchema}, ID: member.ID, ExternalID: member.ExternalID, UserName: member.Email,
		Name:        name{member.Name, member.GivenName, member.FamilyName},
		DisplayName: member.Name,
		Emails:      []attribute{{Value: member.Email, Type: "work", Primary: true}},
		Active:      member.DeactivatedAt == nil,
		UserType:    string(member.Role), Roles: []attribute{{Value: string(member.Role), Primary: true}},
		Meta: meta{
			ResourceType: "User", Created: store.WireTime(member.CreatedAt.Time),
			LastModified: store.WireTime(member.UpdatedAt.Time), Location: v.baseURL + "/Users/" + member.ID,
		},
	}
}

// create adds a member (RFC 7644, section 3.3).
func (v *service) create(c echo.Context, r *incoming) (response, error) {
	said, err := readUser(c, r.operation)
	if err != nil {
		return response{}, err
	}
	if said.Email == nil {
		return response{}, request.Invalid("/userName", gen.FieldErrorCodeRequired, "is required")
	}
	member, err := v.store.Provision(c.Request().Context(), r.scope, said)
	if err != nil {
		return response{}, err
	}
	shown := v.user(member)
	return response{http.StatusCreated, shown.Meta.Location, shown}, nil
}

// list returns a page of members (RFC 7644, section 3.4.2).
func (v *service) list(c echo.Context, r *incoming) (response, error) {
	query, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return response{}, &fault{invalidSyntax, "The query is not valid."}
	}
	startIndex, err := number(query, "startIndex", 1)
	if err != nil {
		return response{}, err
	}
	count, err := number(query, "count", defaultCount)
	if err != nil {
		return response{}, err
	}
	startIndex, count = max(startIndex, 1), min(max(count, 0), maxCount)

	ctx, found := c.Request().Context(), []user{}
	filter, isEmpty, err := parseFilter(ctx, query.Get("filter"))
	if err != nil {
		return response{}, err
	}
	total := 0
	if !isEmpty {
		var members []store.ProvisionedMember
		members, total, err = v.store.ListProvisioned(ctx, r.scope, filter,
			store.ProvisionedPage{Offset: startIndex - 1, Limit: count})
		if err != nil {
			return response{}, err
		}
		for _, member := range members {
			found = append(found, v.user(member))
		}
	}
	return response{status: http.StatusOK, body: map[string]any{
		"schemas": []string{listSchema}, "totalResults": total, "startIndex": startIndex, "itemsPerPage": len(found),
		"Resources": found,
	}}, nil
}

func number(query url.Values, name string, absent int) (int, error) {
	text := query.Get(name)
	if text == "" {
		return absent, nil
	}
	value, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, &fault{invalidValue, name + " must be an integer."}
	}
	return int(value), nil
}

var isUserID = regexp.MustCompile(`^usr_[0-9a-z]{26}$`).MatchString

// userID returns the id in the path, or "", which no member has, for a text that a database may not accept.
func userID(c echo.Context) string {
	if id := c.Param("id"); isUserID(id) {
		return id
	}
	return ""
}

func (v *service) retrieve(c echo.Context, r *incoming) (response, error) {
	member, err := v.store.RetrieveProvisioned(c.Request().Context(), r.scope, userID(c))
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: v.user(member)}, nil
}

// replace changes a member (RFC 7644, section 3.5.1). Attributes that are absent do not change, because a role can be
// chosen in Assay.
func (v *service) replace(c echo.Context, r *incoming) (response, error) {
	said, err := readUser(c, r.operation)
	if err != nil {
		return response{}, err
	}
	return v.update(c, r, said)
}

// patch changes attributes of a member (RFC 7644, section 3.5.2).
func (v *service) patch(c echo.Context, r *incoming) (response, error) {
	said, err := readPatch(c, r.operation)
	if err != nil {
		return response{}, err
	}
	return v.update(c, r, said)
}

func (v *service) update(c echo.Context, r *incoming, said store.ProvisionedChange) (response, error) {
	member, err := v.store.UpdateProvisioned(c.Request().Context(), r.scope, userID(c), said)
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: v.user(member)}, nil
}

// remove ends a membership (RFC 7644, section 3.6).
func (v *service) remove(c echo.Context, r *incoming) (response, error) {
	if err := v.store.RemoveMember(c.Request().Context(), r.scope, userID(c)); err != nil {
		return response{}, err
	}
	return response{status: http.StatusNoContent}, nil
}
