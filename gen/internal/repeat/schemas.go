package main

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fillEnvelopes writes the schemas of responses that do not exist: XData has an X, and XList and
// XCatalogue have a list of X. They follow the schema X. An envelope of another form is a person's.
func (d *document) fillEnvelopes(c *contract) error {
	missing := map[string]bool{}
	for _, item := range c.Paths {
		for _, o := range item {
			for _, response := range entries(&o.Responses) {
				name := schemaOf(response.value)
				_, exists := member(&c.Components.Schemas, name)
				missing[name] = name != "" && !exists
			}
		}
	}
	for _, schema := range entries(&c.Components.Schemas) {
		content := schema.key.Value
		one := "{$ref: '" + schemasPrefix + content + "'}"
		for _, form := range []struct{ suffix, data string }{
			{"Data", one}, {"List", "{type: array, items: " + one + "}"}, {"Catalogue", "{type: array, items: " + one + "}"},
		} {
			if name := content + form.suffix; missing[name] {
				d.add(d.end(schema.key.Line), fmt.Sprintf(envelopeSchema, name, form.data))
				delete(missing, name)
			}
		}
	}
	for name, isMissing := range missing {
		if isMissing {
			return fmt.Errorf("there is no schema %s, and none that it could contain", name)
		}
	}
	return nil
}

const envelopeSchema = `    %s:
      type: object
      required: [data]
      properties:
        data: %s`

// event returns the schema of a type of events, and its first sentence.
func event(schemas *yaml.Node, eventType string) (schema entry, sentence string, err error) {
	name := pascal(eventType) + "Event"
	schema, exists := member(schemas, name)
	if !exists {
		return entry{}, "", fmt.Errorf("EventType has %s, but there is no schema %s", eventType, name)
	}
	description, described := member(schema.value, "description")
	_, has := member(schema.value, "example")
	if !described || !has {
		return entry{}, "", fmt.Errorf("%s needs a description and an example", name)
	}
	sentence, _, _ = strings.Cut(description.value.Value, ". ")
	return schema, strings.TrimSuffix(sentence, ".") + ".", nil
}

// pascal returns CandidateResultCorrected for candidate.result_corrected.
func pascal(eventType string) string {
	var name strings.Builder
	for word := range strings.FieldsFuncSeq(eventType, func(r rune) bool { return r == '.' || r == '_' }) {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String()
}

// fillEvents writes the schema of each type of events. A person writes its description, its example,
// and the schema of its data.
func (d *document) fillEvents(schemas *yaml.Node) error {
	types, err := values(schemas, "EventType", "x-extensible-enum")
	if err != nil {
		return err
	}
	for _, eventType := range types {
		schema, _, err := event(schemas, eventType)
		if err != nil {
			return err
		}
		description, _ := member(schema.value, "description")
		example, _ := member(schema.value, "example")
		begin, end := schema.key.Line+1, d.end(schema.key.Line)
		d.remove(begin, end)
		d.add(end, fmt.Sprintf(eventSchema, d.text(description.key.Line), eventType, pascal(eventType),
			d.text(example.key.Line)))
	}
	return nil
}

const eventSchema = `      type: object
%s
      required: [id, type, timestamp, organizationId, data]
      properties:
        id:
          type: string
          description: The id of the event, the same in each attempt and each redelivery.
          example: evt_01m7zmzkma3gj92jhpbjpy36w3
        type: {type: string, description: 'The type, as the header X-Service-Event names it.', example: %s}
        timestamp: {$ref: '#/components/schemas/Timestamp'}
        organizationId:
          type: string
          description: The organization that the event belongs to.
          example: org_01m45jykxp4z1pn3k1vknkba2q
        data: {$ref: '#/components/schemas/%sEventData'}
%s`

// fillCallbacks writes a callback for each type of events, in the order of EventType, where
// an operation has callbacks.
func (d *document) fillCallbacks(o *operation, schemas *yaml.Node) error {
	present := entries(&o.Callbacks)
	if len(present) == 0 {
		return nil
	}
	types, err := values(schemas, "EventType", "x-extensible-enum")
	if err != nil {
		return err
	}
	first := present[0].key.Line
	end := d.end(first - 1)
	d.remove(first, end)
	for _, eventType := range types {
		_, sentence, err := event(schemas, eventType)
		if err != nil {
			return err
		}
		quoted := strings.ReplaceAll(sentence, "'", "''")
		d.add(end, fmt.Sprintf(callback, camel(eventType), quoted, pascal(eventType)))
	}
	return nil
}

func camel(eventType string) string {
	name := pascal(eventType)
	return strings.ToLower(name[:1]) + name[1:]
}

const callback = `        %[1]s:
          '{$request.body#/url}':
            post:
              operationId: %[1]sCallback
              summary: '%[2]s'
              description: >-
                Store the event and respond with 2xx. Assay retries after any other status, and if there is no response
                within 10 seconds.
              security: []
              parameters:
                - {$ref: '#/components/parameters/ServiceSignature'}
                - {$ref: '#/components/parameters/ServiceEvent'}
                - {$ref: '#/components/parameters/ServiceDelivery'}
                - {$ref: '#/components/parameters/StandardWebhookId'}
                - {$ref: '#/components/parameters/StandardWebhookTimestamp'}
                - {$ref: '#/components/parameters/StandardWebhookSignature'}
              requestBody:
                required: true
                content:
                  application/json: {schema: {$ref: '#/components/schemas/%[3]sEvent'}}
              responses:
                2XX:
                  description: The event was received. Assay stores the first 1 KiB of the response with the attempt.
                '410': {description: The endpoint is gone. Assay disables it and sends nothing more to it.}`
