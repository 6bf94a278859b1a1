package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a delivery. They are sent exactly as spelled here: Standard
// Webhooks requires lower case.
const (
	HeaderSignature = "X-Service-Signature"
	HeaderEvent     = "X-Service-Event"
	HeaderDelivery  = "X-Service-Delivery"

	HeaderStandardID        = "webhook-id"
	HeaderStandardTimestamp = "webhook-timestamp"
	HeaderStandardSignature = "webhook-signature"
)

// Signature returns the value of X-Service-Signature (interface, "Signature"):
// HMAC-SHA-256 of the raw body, keyed with the bytes of the secret.
func Signature(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// StandardSignature returns the value of webhook-signature by the Standard
// Webhooks specification: HMAC-SHA-256 of id, timestamp and body. The key is the
// decoded rest of a whsec_ secret, and the bytes of any other secret.
func StandardSignature(secret, id string, at time.Time, body []byte) string {
	key := []byte(secret)
	if rest, standard := strings.CutPrefix(secret, "whsec_"); standard {
		if decoded, err := base64.StdEncoding.DecodeString(rest); err == nil {
			key = decoded
		}
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// signHeaders sets every header that identifies and signs a delivery. During a rotation, next is the next secret.
// webhook-signature then has a signature with each of the two, so that a receiver can change its secret at any time of
// the rotation (Standard Webhooks, "Signature scheme").
func signHeaders(header http.Header, secret, next string, message message, at time.Time) {
	header[HeaderSignature] = []string{Signature(secret, message.body)}
	header[HeaderEvent] = []string{message.eventType}
	header[HeaderDelivery] = []string{message.deliveryID}
	header[HeaderStandardID] = []string{message.eventID}
	header[HeaderStandardTimestamp] = []string{strconv.FormatInt(at.Unix(), 10)}
	standard := StandardSignature(secret, message.eventID, at, message.body)
	if next != "" {
		standard += " " + StandardSignature(next, message.eventID, at, message.body)
	}
	header[HeaderStandardSignature] = []string{standard}
}

// message is one delivery as it is sent. body is the event's stored bytes.
type message struct {
	deliveryID string
	eventID    string
	eventType  string
	body       []byte
}
