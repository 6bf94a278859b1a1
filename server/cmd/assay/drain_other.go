//go:build !linux

package main

import (
	"context"
	"net"
)

// refuse is for Linux only: elsewhere connections that are made and not yet
// accepted are reset when the listener is closed.
func refuse(context.Context, net.Listener) {}
