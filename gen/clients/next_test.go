package clients

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"assay/gen"

	"github.com/getkin/kin-openapi/openapi3"
)

// changes are what a later version of the service may add without a break:
//   - fields: a field in each object of a response
//   - texts: texts longer than any of today
//   - values: a value in each open set, and an item in each list of such values
//   - codes: error codes
//   - questions, events: a type of question, and a type of event
var changes = []string{"fields", "texts", "values", "codes", "questions", "events"}

// nextVersion is a proxy that answers as a later version of the service. It changes
// the responses and webhooks of the server as far as the contract permits it. Ids,
// tokens, and addresses pass unchanged, because the flow depends on them.
type nextVersion struct {
	url      string
	changes  []string
	document *openapi3.T

	mu        sync.Mutex
	endpoints []endpoint
}

// endpoint is a webhook endpoint of the client. The server delivers to the proxy.
type endpoint struct{ url, secret string }

// startNext starts the proxy. The variable NEXT limits the changes, to find the one
// that breaks a client.
func startNext(t *testing.T, server string) *nextVersion {
	t.Helper()
	document, err := gen.GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	n := &nextVersion{changes: changes, document: document}
	if only := os.Getenv("NEXT"); only != "" {
		n.changes = strings.Split(only, ",")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hooks/{endpoint}", n.deliver)
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			mux.Handle(method+" "+path, &httputil.ReverseProxy{
				Rewrite: func(request *httputil.ProxyRequest) {
					request.SetURL(target)
					request.Out.Header.Del("Accept-Encoding") // the transport then decompresses
					if operation.OperationID == "createWebhook" {
						n.redirectWebhooks(request.Out)
					}
				},
				ModifyResponse: func(response *http.Response) error { return n.changeResponse(operation, response) },
			})
		}
	}
	proxy := httptest.NewServer(mux)
	t.Cleanup(proxy.Close)
	n.url = proxy.URL
	return n
}

// redirectWebhooks makes the server deliver to the proxy.
func (n *nextVersion) redirectWebhooks(request *http.Request) {
	var body map[string]any
	if err := json.NewDecoder(request.Body).Decode(&body); err != nil {
		return // the server rejects the empty body
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	address, _ := body["url"].(string)
	body["url"] = fmt.Sprint(n.url, "/hooks/", len(n.endpoints))
	n.endpoints = append(n.endpoints, endpoint{url: address})
	changed := encode(body)
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
}

// changeResponse changes the body of a response by its schema.
func (n *nextVersion) changeResponse(operation *openapi3.Operation, response *http.Response) error {
	described := operation.Responses.Status(response.StatusCode)
	mediaType, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	if described == nil || described.Value.Content[mediaType] == nil || !strings.HasSuffix(mediaType, "json") {
		return nil
	}
	var body any
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	if err := errors.Join(decoder.Decode(&body), response.Body.Close()); err != nil {
		return err
	}
	if operation.OperationID == "createWebhook" && response.StatusCode == http.StatusCreated {
		n.keepEndpoint(body.(map[string]any)["data"].(map[string]any))
	}
	changed := encode(n.change(described.Value.Content[mediaType].Schema.Value, "", body))
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(changed)), int64(len(changed))
	response.Header.Set("Content-Length", strconv.Itoa(len(changed)))
	return nil
}

// keepEndpoint remembers the secret of a new endpoint, and shows the client the
// address that it gave.
func (n *nextVersion) keepEndpoint(created map[string]any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	index, err := strconv.Atoi(strings.TrimPrefix(created["url"].(string), n.url+"/hooks/"))
	if err == nil {
		n.endpoints[index].secret = created["secret"].(string)
		created["url"] = n.endpoints[index].url
	}
}

// deliver changes an event, signs it again, and delivers it to the client, after an
// event of a type that the client does not know.
func (n *nextVersion) deliver(w http.ResponseWriter, request *http.Request) {
	index, _ := strconv.Atoi(request.PathValue("endpoint"))
	n.mu.Lock()
	to := n.endpoints[index]
	n.mu.Unlock()
	var event map[string]any
	if err := json.NewDecoder(request.Body).Decode(&event); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if n.has("events") {
		if _, err := post(to, request.Header, addedItem(event)); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
	var schemaName strings.Builder // CandidateResultCorrectedEvent for candidate.result_corrected
	for word := range strings.FieldsFuncSeq(event["type"].(string), func(r rune) bool { return r == '.' || r == '_' }) {
		schemaName.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	schema := n.document.Components.Schemas[schemaName.String()+"Event"]
	status, err := post(to, request.Header, n.change(schema.Value, "", event).(map[string]any))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(status)
}

func post(to endpoint, header http.Header, event map[string]any) (status int, err error) {
	body := encode(event)
	request, err := http.NewRequest(http.MethodPost, to.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header = header.Clone()
	request.Header.Set("X-Service-Event", event["type"].(string))
	request.Header.Set("X-Service-Signature", "sha256="+hex.EncodeToString(sign([]byte(to.secret), body)))
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(to.secret, "whsec_"))
	if err != nil {
		return 0, err
	}
	signed := header.Get("webhook-id") + "." + header.Get("webhook-timestamp") + "." + string(body)
	request.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(sign(key, []byte(signed))))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

func sign(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}

func (n *nextVersion) has(change string) bool { return slices.Contains(n.changes, change) }

// change returns the value of the field as a later version returns it.
func (n *nextVersion) change(schema *openapi3.Schema, field string, value any) any {
	for _, part := range schema.AllOf {
		value = n.change(part.Value, field, value)
	}
	if len(schema.AllOf) != 0 {
		return value
	}
	for _, variant := range schema.OneOf {
		if variant.Value.VisitJSON(value) == nil {
			return n.change(variant.Value, field, value)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		return n.changeObject(schema, value)
	case []any:
		return n.changeList(schema, field, value)
	case string:
		return n.changeString(schema, field, value)
	}
	return value
}

func (n *nextVersion) changeObject(schema *openapi3.Schema, object map[string]any) any {
	if len(schema.Properties) == 0 {
		return object // labels of the integrator
	}
	for name, property := range schema.Properties {
		if value, there := object[name]; there {
			object[name] = n.change(property.Value, name, value)
		}
	}
	if n.has("fields") {
		object["addedLater"] = map[string]any{"since": "a later version"}
	}
	return object
}

func (n *nextVersion) changeList(schema *openapi3.Schema, field string, list []any) any {
	if schema.Items == nil {
		return list
	}
	for i := range list {
		list[i] = n.change(schema.Items.Value, field, list[i])
	}
	if len(list) == 0 {
		return list
	}
	switch first := list[0].(type) {
	case map[string]any:
		kind, typed := first["type"].(string)
		if typed && (strings.Contains(kind, ".") && n.has("events") || kind == strings.ToUpper(kind) && n.has("questions")) {
			return append(list, addedItem(first))
		}
	case string:
		if open(schema.Items.Value) && n.has(kindOf(first)) {
			return append(list, addedValue(first))
		}
	}
	return list
}

// addedItem returns an item like the given one, of an unknown type.
func addedItem(item map[string]any) map[string]any {
	var added map[string]any
	_ = json.Unmarshal(encode(item), &added)
	added["type"] = addedValue(item["type"].(string))
	if id, there := item["id"].(string); there {
		added["id"] = id[:len(id)-1] + "0"
	}
	if _, there := item["data"]; there {
		added["data"] = map[string]any{"addedLater": "what happened"}
	}
	return added
}

func (n *nextVersion) changeString(schema *openapi3.Schema, field, value string) any {
	switch {
	case open(schema) && field == "code":
		if n.has("codes") {
			return addedValue(value)
		}
	case open(schema) && field != "type" && field != "events" && field != "scopes":
		if n.has(kindOf(value)) {
			return addedValue(value)
		}
	case n.has("texts") && text(schema, field):
		longest := 1000
		if schema.MaxLength != nil {
			longest = int(*schema.MaxLength)
		}
		return value + strings.Repeat(".", longest)
	}
	return value
}

// open reports whether the values of a set can be added to.
func open(schema *openapi3.Schema) bool {
	_, extensible := schema.Extensions["x-extensible-enum"]
	return extensible || len(schema.Enum) > 1
}

func kindOf(value string) (change string) {
	if strings.Contains(value, ".") {
		return "events"
	}
	return "values"
}

// addedValue returns an unknown value in the spelling of a known one.
func addedValue(value string) string {
	for _, separator := range []string{".", ":"} {
		if group, _, grouped := strings.Cut(value, separator); grouped {
			return group + separator + "added_later"
		}
	}
	if value == strings.ToUpper(value) {
		return "ADDED_LATER"
	}
	return "added_later"
}

// text reports whether a field is for people to read. Others are for programs, which
// send them back or follow them.
func text(schema *openapi3.Schema, field string) bool {
	switch strings.ToLower(field) {
	case "id", "key", "secret", "token", "accesstoken", "refreshtoken", "pointer", "type", "status", "email",
		"candidateemail":
		return false
	}
	return schema.Format == "" && len(schema.Enum) == 0 && schema.Extensions["x-extensible-enum"] == nil &&
		!strings.HasSuffix(field, "Id") && !strings.HasSuffix(field, "Ids") && !strings.HasSuffix(field, "Url") &&
		!strings.HasSuffix(field, "At")
}

func encode(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(text.Bytes())
}
