//go:build !unix

package db

// isBroken cannot detect a closed connection on this system. A statement that is
// sent on one fails without an answer.
func (w *wire) isBroken() bool { return false }
