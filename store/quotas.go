package store

// Quotas bound what one organization can have. Zero sets no bound.
type Quotas struct {
	Webhooks         int64 // endpoints that are not deleted
	APIKeys          int64 // keys that are neither revoked nor expired
	Members          int64 // members and open invitations
	Assessments      int64
	DefinitionBytes  int64 // of all assessments
	LiveSessions     int64 // INVITED or IN_PROGRESS
	QueuedDeliveries int64
}

// Usage is what an organization has of each quota.
type Usage Quotas
