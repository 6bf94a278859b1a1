package rules

import (
	"bytes"
	"encoding/json"
)

// FrozenFaults compares the stages of a published assessment with the stages of a change.
// It returns a fault for each part that differs, except titles and descriptions,
// which can still be changed.
func FrozenFaults(stored, changed Definition) []Fault {
	var faults fieldFaults
	if len(stored.Stages) != len(changed.Stages) {
		faults.addFrozen("/stages")
		return faults
	}
	for i, stage := range changed.Stages {
		faults.addFrozenStage(itemPointer("/stages", i), stored.Stages[i], stage)
	}
	return faults
}

func (f *fieldFaults) addFrozenStage(at string, stored, changed Stage) {
	if stored.ID != changed.ID {
		f.addFrozen(at + "/id")
		return
	}
	if !sameJSON(stored.TimeLimitMinutes, changed.TimeLimitMinutes) {
		f.addFrozen(at + "/timeLimitMinutes")
	}
	if !sameJSON(stored.Gate, changed.Gate) {
		f.addFrozen(at + "/gate")
	}
	if len(stored.Pools)+len(changed.Pools) > 0 && !sameJSON(stored.Pools, changed.Pools) {
		f.addFrozen(at + "/pools")
	}
	if len(stored.Questions) != len(changed.Questions) {
		f.addFrozen(at + "/questions")
		return
	}
	for i, question := range changed.Questions {
		if !sameJSON(stored.Questions[i], question) {
			f.addFrozen(itemPointer(at+"/questions", i))
		}
	}
}

func (f *fieldFaults) addFrozen(pointer string) { *f = append(*f, FrozenFault(pointer)) }

// FrozenFault is the fault of a field that differs and can no longer be changed.
func FrozenFault(pointer string) Fault {
	return Fault{Pointer: pointer, Code: "frozen", Detail: "cannot be changed after publishing"}
}

// sameJSON compares two values as they are stored, where an empty list and no list
// are the same.
func sameJSON(a, b any) bool {
	first, errA := json.Marshal(a)
	second, errB := json.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(first, second)
}
