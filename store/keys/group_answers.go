package keys

import "strings"

// groupAnswers is the use of the key that encrypts the answers of a candidate to voluntary questions.
const groupAnswers = "group answers of "

// answersLength is the size, in bytes, to which answers are filled up. Otherwise the length of the stored value would
// show which option a candidate has chosen.
const answersLength = 512

// SealAnswers encrypts a candidate's answers to voluntary questions, a JSON object, for the row of the session.
func (k *Ring) SealAnswers(sessionID, answers string) ([]byte, error) {
	filled := answers + strings.Repeat(" ", max(0, answersLength-len(answers)))
	return k.seal(PurposeGroupAnswers, groupAnswers, sessionID, filled)
}

// OpenAnswers decrypts the result of SealAnswers, with the key of the current or a previous master secret. Error:
// ErrSealed.
func (k *Ring) OpenAnswers(sessionID string, sealed []byte) (string, error) {
	answers, _, err := k.open(PurposeGroupAnswers, groupAnswers, sessionID, sealed)
	return strings.TrimRight(answers, " "), err
}

// ResealAnswers returns the answers encrypted with the current master secret. If the value is encrypted with it
// already, it does not change. Error: ErrSealed.
func (k *Ring) ResealAnswers(sessionID string, sealed []byte) ([]byte, error) {
	return k.reseal(PurposeGroupAnswers, groupAnswers, sessionID, sealed)
}
