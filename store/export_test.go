package store

// SetMaxExamined changes the number of sessions that one page of a list examines.
func (s *Store) SetMaxExamined(sessions int) { s.maxExamined = sessions }
