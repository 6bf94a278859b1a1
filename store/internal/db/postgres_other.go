//go:build !unix

package db

// isBroken cannot be told here: what is sent on a connection that the server
// has ended remains unanswered.
func (w *wire) isBroken() bool { return false }
