package store

import "context"

const notHeldOrganization = `TRUE`

func (c conn) refuseHeldOrganization(context.Context, Scope) error { return nil }
