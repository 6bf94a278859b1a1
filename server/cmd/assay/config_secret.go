package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"assay/store"
	"assay/store/keys"
)

// masterKeys derives the keys from the configured secret, or from the secret in
// the data folder, which is generated at the first start.
func (c config) masterKeys() (ring *keys.Ring, generated bool, err error) {
	secret := c.Secret
	if secret == "" {
		generated = true
		if c.DatabaseURL == "" {
			if err := beginFirstStart(c.DataDir); err != nil {
				return nil, generated, err
			}
		}
		if secret, err = secretFile(c.DataDir); err != nil {
			return nil, generated, err
		}
	}
	ring, err = keys.New(secret, c.SecretPrevious...)
	return ring, generated, err
}

// firstStartFile exists in the data folder from before the generation of the secret until the database has its tables.
// A secret without it and without a database means that the database is lost, and not that the first start was
// interrupted.
const firstStartFile = "first-start"

const firstStartText = "This file exists until the first start of Assay has ended. Then Assay deletes it.\n"

// beginFirstStart notes that this is the first start, unless there is a secret.
func beginFirstStart(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "secret")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(filepath.Join(dir, firstStartFile), []byte(firstStartText), 0o600)
}

// endFirstStart removes the note once the database has its tables.
func endFirstStart(file string) error {
	if file == "" {
		return nil
	}
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// errNoData is about a database without data beside a secret. It is not a new installation.
const errNoData = "%s %s, and %s shows that the service has run before. " +
	"Restore the database (.deploy/README.md, \"Backups\"). To begin anew, move %s away"

// checkHasData refuses an absent or empty database beside the secret of an earlier start. It looks in this order: the
// process that first started deletes the note after the database has data.
func checkHasData(dir string) (hasRun bool, err error) {
	secret, database := filepath.Join(dir, "secret"), filepath.Join(dir, "assay.db")
	switch _, err := os.Stat(filepath.Join(dir, firstStartFile)); {
	case err == nil:
		return false, nil
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	switch info, err := os.Stat(database); {
	case errors.Is(err, fs.ErrNotExist):
		return true, fmt.Errorf(errNoData, database, "is missing", secret, secret)
	case err != nil:
		return true, err
	case info.Size() == 0:
		return true, fmt.Errorf(errNoData, database, "is empty", secret, secret)
	}
	return true, nil
}

// checkDatabase refuses a damaged database, and one without tables where there were some.
func checkDatabase(ctx context.Context, set settings, database *store.Store) error {
	if err := database.CheckFile(ctx); err != nil || !set.hasRun {
		return err
	}
	isNew, err := database.IsNew(ctx)
	if err == nil && isNew {
		file := strings.TrimPrefix(set.databaseURL, "sqlite:")
		secret := filepath.Join(filepath.Dir(file), "secret")
		err = misconfigured{fmt.Errorf(errNoData, file, "has no tables", secret, secret)}
	}
	return err
}

// checkPrivate returns an error if others can read the file. A user that can read the
// secret can sign tokens and decrypt stored secrets, and may have copied it already, so the
// operator decides what to do.
func checkPrivate(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("others can read it (mode %04o): run chmod 600 %s, or replace it if somebody may have read it",
			info.Mode().Perm(), file)
	}
	return nil
}

// secretFile reads the secret of the data folder, and generates it if it does not
// exist. The secret is first written to another file, so that a crash leaves no
// partial secret. It is then linked into place, so that two processes that start
// at the same time use the same secret.
func secretFile(dir string) (string, error) {
	file := filepath.Join(dir, "secret")
	content, err := os.ReadFile(file)
	if err == nil {
		return strings.TrimSpace(string(content)), checkPrivate(file)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	unfinished, err := os.CreateTemp(dir, "secret-*") // mode 0600
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(unfinished.Name()) }()
	_, err = unfinished.WriteString(hex.EncodeToString(random) + "\n")
	if err = errors.Join(err, unfinished.Sync(), unfinished.Close()); err != nil {
		return "", err
	}
	if err := os.Link(unfinished.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	content, err = os.ReadFile(file)
	return strings.TrimSpace(string(content)), err
}
