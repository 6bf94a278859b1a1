package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"assay/gen"
	"assay/server"
	"assay/store"
)

type createCommand struct {
	config     `embed:""`
	Name       string `required:"" help:"Name of the organization."`
	OwnerName  string `required:"" help:"Name of its OWNER."`
	OwnerEmail string `required:"" help:"Email address of its OWNER, for signing in."`
}

// Run creates an organization in the database, whatever ASSAY_REGISTRATION is.
func (c createCommand) Run(ctx context.Context, stdout io.Writer) error {
	password, err := readPassword(os.Stdin)
	if err != nil {
		return err
	}
	return c.create(ctx, stdout, password)
}

// create sends the request of a registration to a server that has no address. So the
// checks are the same.
func (c createCommand) create(ctx context.Context, stdout io.Writer, password string) (err error) {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	set.registration, set.rateLimits = store.RegistrationByOperator, rateLimits{}
	database, err := openStore(ctx, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	log, err := c.logger(os.Stderr, slog.LevelError) // without the line of each request
	if err != nil {
		return err
	}
	api, err := server.New(server.Options{Store: database, Now: time.Now, Log: log})
	if err != nil {
		return err
	}

	var registered struct{ Data gen.Registration }
	if err := post(ctx, api, "/v1/auth/register", gen.RegisterRequest{
		OrganizationName: c.Name, Name: c.OwnerName, Email: c.OwnerEmail, Password: password,
	}, &registered); err != nil {
		return err
	}
	// The sign-in of the registration is not used.
	if err := post(ctx, api, "/v1/auth/logout",
		gen.RefreshRequest{RefreshToken: registered.Data.RefreshToken}, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "The organization %s exists. %s signs in with the given password.\n",
		registered.Data.Organization.ID, registered.Data.User.Email)
	return err
}

// readPassword returns the first line. A terminal would show it, and a flag would be
// visible to other users of the machine.
func readPassword(in *os.File) (string, error) {
	info, err := in.Stat()
	if err != nil {
		return "", err
	}
	if info.Mode()&os.ModeCharDevice != 0 {
		return "", errors.New("the owner's password must come from a pipe or a file on the standard input, " +
			"because a terminal shows it; for example from the output of a password manager")
	}
	line, err := bufio.NewReader(io.LimitReader(in, 1<<10)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// post sends a request to a handler, and reads the response into dest.
func post(ctx context.Context, api http.Handler, path string, body, dest any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answered := response{header: http.Header{}}
	api.ServeHTTP(&answered, request)
	if answered.status >= http.StatusBadRequest {
		return answered.refusal()
	}
	if dest == nil {
		return nil
	}
	return json.Unmarshal(answered.body.Bytes(), dest)
}

// response collects what a handler responds.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *response) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *response) Write(content []byte) (int, error) { return r.body.Write(content) }

// refusal returns the problem of a response, with the fields that are wrong.
func (r *response) refusal() error {
	var problem gen.Problem
	if err := json.Unmarshal(r.body.Bytes(), &problem); err != nil {
		return err
	}
	faults := []error{errors.New(problem.Detail)}
	for _, field := range problem.Errors {
		faults = append(faults, fmt.Errorf("%s %s", field.Pointer, field.Detail))
	}
	return errors.Join(faults...)
}
