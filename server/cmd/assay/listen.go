package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"assay/webhooks"
)

// listenAddr is where assay listen listens, and where the demo delivers to.
const listenAddr = "127.0.0.1:8090"

type listenCommand struct {
	Addr      string `env:"ASSAY_LISTEN_ADDR" default:"127.0.0.1:8090" help:"Address to listen on."`
	Secret    string `env:"ASSAY_LISTEN_SECRET" help:"Signing secret; that of assay demo by default."`
	ForwardTo string `name:"forward-to" help:"URL to forward each event to; Assay gets its response."`
}

const (
	maxListenBody = 1 << 20
	// oldestSignature is the maximum age of a signed timestamp (Standard Webhooks).
	oldestSignature = 5 * time.Minute
)

// Run receives webhooks until the context ends.
func (c listenCommand) Run(ctx context.Context, stdout io.Writer) error {
	c.Secret = cmp.Or(c.Secret, demoSecret)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "Listening for webhooks on http://%s/\n", listener.Addr())
	receiver := newHTTPServer(c.receiver(stdout), slog.New(slog.DiscardHandler))
	go func() {
		<-ctx.Done()
		_ = receiver.Close()
	}()
	return ignoreClosed(receiver.Serve(listener))
}

// receiver verifies and prints each event. It forwards only verified events.
func (c listenCommand) receiver(stdout io.Writer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxListenBody))
		if err != nil {
			http.Error(w, "the body cannot be read", http.StatusBadRequest)
			return
		}
		if err := c.verify(r.Header, body); err != nil {
			_, _ = fmt.Fprintf(stdout, "%s REFUSED: %v\n", time.Now().Format(time.TimeOnly), err)
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		_, _ = fmt.Fprintf(stdout, "%s verified %s %s delivery %s\n%s\n",
			time.Now().Format(time.TimeOnly), r.Header.Get(webhooks.HeaderEvent), r.Header.Get(webhooks.HeaderStandardID),
			r.Header.Get(webhooks.HeaderDelivery), indented(body))
		if c.ForwardTo == "" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		c.forward(w, r, body, stdout)
	})
}

// verify checks both signatures, as a receiver must.
func (c listenCommand) verify(header http.Header, body []byte) error {
	if !hmac.Equal([]byte(header.Get(webhooks.HeaderSignature)), []byte(webhooks.Signature(c.Secret, body))) {
		return errors.New("X-Service-Signature does not verify with this secret")
	}
	seconds, err := strconv.ParseInt(header.Get(webhooks.HeaderStandardTimestamp), 10, 64)
	if err != nil {
		return errors.New("webhook-timestamp is missing")
	}
	at := time.Unix(seconds, 0)
	if age := time.Since(at).Abs(); age > oldestSignature {
		return fmt.Errorf("webhook-timestamp differs from the clock by %s", age.Round(time.Second))
	}
	want := webhooks.StandardSignature(c.Secret, header.Get(webhooks.HeaderStandardID), at, body)
	if !hmac.Equal([]byte(header.Get(webhooks.HeaderStandardSignature)), []byte(want)) {
		return errors.New("webhook-signature does not verify with this secret")
	}
	return nil
}

func (c listenCommand) forward(w http.ResponseWriter, r *http.Request, body []byte, stdout io.Writer) {
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, c.ForwardTo, bytes.NewReader(body))
	if err != nil {
		http.Error(w, "not forwarded", http.StatusBadGateway)
		return
	}
	request.Header = r.Header.Clone()
	// Assay does not follow redirects, so this client does not either.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		_, _ = fmt.Fprintf(stdout, "not forwarded: %v\n", err)
		http.Error(w, "not forwarded", http.StatusBadGateway)
		return
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = fmt.Fprintf(stdout, "forwarded: %s\n", response.Status)
	for _, name := range []string{"Content-Type", "Content-Encoding", "Retry-After"} {
		if value := response.Header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(w, io.LimitReader(response.Body, maxListenBody))
}

func indented(body []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, body, "  ", "  "); err != nil {
		return string(body)
	}
	return "  " + out.String()
}
