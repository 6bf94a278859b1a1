// Command lab is a temporary frame for package scale.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"assay/server/cmd/lab/scale"
)

type commands struct {
	Scale scale.Command `cmd:"" help:"Measure each operation on a small and on a large database."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	command := kong.Parse(&commands{}, kong.Name("lab"),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}
