// Command assay is the service and its operators' tools.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"assay/gen"
	"assay/webhooks"
)

// The linker sets the release and the commit; see the Makefile.
var (
	version = ""
	commit  = ""
)

type commands struct {
	Serve       serveCommand       `cmd:"" help:"Run the service."`
	Dispatch    dispatchCommand    `cmd:"" help:"Deliver webhooks and email beside serve --no-dispatcher, on PostgreSQL."`
	Demo        demoCommand        `cmd:"" help:"Run the service with sample data in memory, and print how to use it."`
	Listen      listenCommand      `cmd:"" help:"Receive webhooks on a local port, verify them, and print them."`
	Create      createCommand      `cmd:"" name:"create-organization" help:"Create an organization with its OWNER."`
	Reset       resetCommand       `cmd:"" name:"reset-password" help:"Print a link that resets a password."`
	ResetFactor resetFactorCommand `cmd:"" name:"reset-second-factor" help:"Remove the second factors of an account."`
	ProveEmail  proveEmailCommand  `cmd:"" name:"prove-email" help:"Mark the address of an account as confirmed."`
	Verify      verifyCommand      `cmd:"" name:"verify-domain" help:"Verify an email domain of an organization."`
	Migrate     migrateCommands    `cmd:"" help:"Migrate the database to this version, or list the migrations."`
	Reencrypt   reencryptCommand   `cmd:"" help:"Encrypt stored secrets with the current master secret."`
	Export      exportCommand      `cmd:"" help:"Write an encrypted archive of an organization or of everything."`
	Import      importCommand      `cmd:"" help:"Import an archive into this database, of either kind."`
	MailTest    mailTestCommand    `cmd:"" help:"Send one email, and report each step."`
	Suppressed  suppressedCommand  `cmd:"" name:"suppressed-emails" help:"Show or end what keeps emails from an address."`
	Erasures    erasuresCommands   `cmd:"" help:"Erase again what a restored backup has brought back, or list erasures."`
	Vacuum      vacuumCommand      `cmd:"" help:"Remove copies of erased data from a SQLite file; blocks writes."`
	Audit       auditCommand       `cmd:"" help:"List failed sign-ins at unknown accounts."`
	Openapi     openapiCommand     `cmd:"" help:"Print the contract, openapi.yaml."`
	Healthcheck healthcheckCommand `cmd:"" help:"Exit with status 0 if a running service answers /healthz."`
	Version     versionCommand     `cmd:"" help:"Print the release, the commit, and the version of Go."`
}

// defaults has the defaults of flags that other packages define.
var defaults = kong.Vars{"webhook_backoff": webhooks.DefaultBackoff.String()}

func main() {
	for _, variable := range os.Environ() {
		// compose.yaml passes a variable that is not set as an empty one. It must not
		// replace the default.
		if name, value, _ := strings.Cut(variable, "="); value == "" && strings.HasPrefix(name, "ASSAY_") {
			_ = os.Unsetenv(name)
		}
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run executes one command line and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
		}
		// A second signal must end the process at once. Restore the default action
		// before the process shows any reaction to the first signal.
		signal.Stop(signals)
		cancel()
	}()
	exit := -1
	parser, err := kong.New(&commands{}, defaults,
		kong.Name("assay"), kong.Description("Assay runs candidate assessments, with an API and signed webhooks."),
		kong.UsageOnError(), kong.Writers(stdout, stderr), kong.Exit(func(status int) { exit = status }),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(stdout, (*io.Writer)(nil)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "assay:", err)
		return exitUnusable
	}
	command, err := parser.Parse(args)
	if exit >= 0 { // --help was printed
		return exit
	}
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "assay:", err)
		return exitUnusable
	}
	if err := command.Run(); err != nil && !errors.Is(err, context.Canceled) {
		_, _ = fmt.Fprintln(stderr, "assay:", err)
		return statusOf(err)
	}
	return 0
}

type openapiCommand struct{}

// Run prints the contract.
func (openapiCommand) Run(stdout io.Writer) error {
	_, err := stdout.Write(gen.Document)
	return err
}

type versionCommand struct{}

// Run prints the release, the commit, and what built the program.
func (versionCommand) Run(stdout io.Writer) error {
	_, err := fmt.Fprintf(stdout, "assay %s\ncommit %s\nbuilt with %s for %s/%s\n",
		versionText(), commitText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

func commitText() string {
	if commit != "" {
		return commit
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return setting.Value
			}
		}
	}
	return "unknown"
}
