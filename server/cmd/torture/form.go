package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/server/cmd/internal/rig"
)

// form is which processes a run has.
type form struct {
	members []*rig.Member
	addrs   []string // of those that serve
}

var forms = map[string][][]string{
	"combined": {{"serve"}},
	"apart":    {{"serve", "--no-dispatcher"}, {"dispatch"}, {"dispatch"}},
	"mixed":    {{"serve", "--no-dispatcher"}, {"dispatch"}, {"serve"}},
}

// attemptTimeout and the waits are short, so that what is killed is soon tried again: a
// lease lasts twice the timeout and 5 s.
const (
	attemptTimeout = 2 * time.Second
	backoff        = "300ms,1s"
)

func newForm(ctx context.Context, name, binary, databaseURL, dir string) (*form, error) {
	f := &form{}
	service := rig.Service{
		Binary: binary, DatabaseURL: databaseURL, Dir: dir, Secret: rig.RandomSecret(), LogLevel: "warn",
		Env: []string{
			"ASSAY_WEBHOOK_ALLOW_INSECURE=true", "ASSAY_WEBHOOK_BACKOFF=" + backoff, "ASSAY_WEBHOOK_TIMEOUT=" + attemptTimeout.String(),
		},
	}
	for i, line := range forms[name] {
		addr, err := rig.FreeAddr(ctx)
		if err != nil {
			return nil, err
		}
		m := &rig.Member{Name: fmt.Sprintf("%s %d", line[0], i), Binary: binary, Args: line, Env: service.Environment(addr, "off")}
		if m.Log, err = os.Create(filepath.Join(dir, strings.ReplaceAll(m.Name, " ", "-")+".log")); err != nil {
			return nil, err
		}
		f.members = append(f.members, m)
		if line[0] == "serve" {
			f.addrs = append(f.addrs, addr)
		}
	}
	return f, nil
}

// waitReady waits until every process is up.
func (f *form) waitReady(ctx context.Context) error {
	for _, m := range f.members {
		if err := m.WaitReady(ctx); err != nil {
			return err
		}
	}
	return nil
}
