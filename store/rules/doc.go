// Package rules decides everything about assessments and candidate sessions that
// needs no database: what a definition may contain, what is missing before it can
// be published, how answers are scored, when a stage or a session ends, and which
// action each status permits. Its functions return faults and codes of refusals;
// package store turns these into errors.
package rules
