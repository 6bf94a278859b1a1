package formulas

import (
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// script is Temml, as `make web` bundles it from server/web/src/formulas.
//
//go:embed temml.gen.js
var script string

const (
	// maxTime is when a formula is given up. Without definitions, which are refused, and with at most maxExpand macros,
	// the slowest formulas take a fifth of it.
	maxTime = 3 * time.Second

	maxExpand = 500  // macros of Temml in one formula
	maxCalls  = 2000 // nested calls in the script

	// maxEngines bounds the memory, 3 MB for each engine, and the cores that formulas use.
	maxEngines = 2

	// maxUses is after how many formulas an engine is made anew, so that nothing can accumulate in it.
	maxUses = 5000
)

// engines are up to maxEngines copies of the script. An engine renders one formula at a time.
type engines struct {
	program func() (*goja.Program, error)
	idle    chan *engine // nil for an engine that has not been made
	maxTime time.Duration
}

func newEngines() *engines {
	es := &engines{
		program: sync.OnceValues(func() (*goja.Program, error) { return goja.Compile("temml.gen.js", script, true) }),
		idle:    make(chan *engine, min(maxEngines, runtime.GOMAXPROCS(0))),
		maxTime: maxTime,
	}
	for range cap(es.idle) {
		es.idle <- nil
	}
	return es
}

type engine struct {
	vm     *goja.Runtime
	render goja.Callable
	uses   int
}

// made returns an engine that has loaded the script.
func (es *engines) made() (*engine, error) {
	program, err := es.program()
	if err != nil {
		return nil, err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(maxCalls)
	if _, err := vm.RunProgram(program); err != nil {
		return nil, err
	}
	render, ok := goja.AssertFunction(vm.Get("render"))
	if !ok {
		return nil, errors.New("the script for formulas has no function render")
	}
	return &engine{vm: vm, render: render}, nil
}

// render returns Temml's markup of a formula, or a fault. An engine in which anything but a fault of the formula
// happened is not used again.
func (es *engines) render(formula string, display bool) (string, *Fault) {
	e := <-es.idle
	markup, fault, err := es.attempt(&e, formula, display)
	if err != nil || e != nil && e.uses >= maxUses {
		e = nil
	}
	es.idle <- e
	if err != nil {
		return "", &Fault{Reason: reasonOf(err), TimedOut: errors.Is(err, errTime)}
	}
	return markup, fault
}

// attempt makes the engine if it is nil. A panic of the interpreter becomes an error.
func (es *engines) attempt(e **engine, formula string, display bool) (_ string, _ *Fault, err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			err = fmt.Errorf("the script for formulas panicked: %v", recovered)
		}
	}()
	if *e == nil {
		if *e, err = es.made(); err != nil {
			return "", nil, err
		}
	}
	return (*e).run(formula, display, es.maxTime)
}

func (e *engine) run(formula string, display bool, maxTime time.Duration) (string, *Fault, error) {
	e.uses++
	interrupted := make(chan struct{})
	timer := time.AfterFunc(maxTime, func() {
		e.vm.Interrupt("time")
		close(interrupted)
	})
	value, err := e.render(goja.Undefined(), e.vm.ToValue(formula), e.vm.ToValue(display), e.vm.ToValue(maxExpand))
	if !timer.Stop() {
		<-interrupted // or else the next formula could be interrupted
		return "", nil, errTime
	}
	if err != nil {
		return "", nil, err
	}
	if markup, ok := value.Export().(string); ok {
		return markup, nil, nil
	}
	found := value.ToObject(e.vm)
	at := utf16Offset(formula, found.Get("position"))
	return "", &Fault{Position: at, Reason: plainReason(found.Get("message").String())}, nil
}

var errTime = errors.New("the time for a formula has ended")

// utf16Offset returns the character at an offset of JavaScript. Temml knows no offset of some faults, which are then at
// the beginning.
func utf16Offset(formula string, position goja.Value) int {
	if position == nil || goja.IsUndefined(position) {
		return 0
	}
	left, characters := position.ToInteger(), 0
	for _, character := range formula {
		if left <= 0 {
			break
		}
		left--
		if character > 0xFFFF {
			left--
		}
		characters++
	}
	return characters
}
