package contract

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"assay/store"
	"assay/store/storetest"
)

// Workers send while invites are renewed, ended, and erased on another replica. Nothing
// fails, and in the end each renewed session has its invite and one reminder.
func TestEmailsOfChangingSessions(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		id := o.publish(oneQuestion(object{"remindAfterHours": []int{24}}))
		const sessions, workers = 24, 3
		var paths []string
		for range sessions {
			paths = append(paths, "/v1/candidate-sessions/"+o.invite(id, object{"sendEmail": true}).text("data.id"))
		}

		var changes, sending sync.WaitGroup
		var ended atomic.Bool
		for range workers {
			sending.Go(func() {
				box := b.outbox()
				for !ended.Load() {
					for email := box.claim(); email != nil; email = box.claim() {
						if box.content(*email) == nil {
							box.settle(*email, store.EmailCancelled, "")
							continue
						}
						box.settle(*email, store.EmailSent, "")
					}
				}
			})
		}
		for i, path := range paths {
			changes.Go(func() {
				switch i % 4 {
				case 0:
					a.do("DELETE", path+"/candidate-data", o.owner, nil).want(204)
				case 1:
					a.do("POST", path+"/cancel", o.owner, nil).want(200)
				default:
					a.do("POST", path+"/resend", o.owner, object{"sendEmail": true}).want(200)
					a.do("PATCH", path, o.owner, object{"expiresAt": store.WireTime(a.store.Now().AddDate(0, 0, i))}).want(200)
				}
			})
		}
		changes.Wait()
		ended.Store(true)
		sending.Wait()
		a.outbox().send() // what is left

		queued := map[string]int{}
		for _, row := range storetest.Column(t, a.database, "emails", "kind || ' ' || status || ' ' || session_id") {
			queued[row]++
		}
		for i, path := range paths {
			id, isErased, isRenewed := path[strings.LastIndex(path, "/")+1:], i%4 == 0, i%4 > 1
			reminders := queued["REMINDER QUEUED "+id]
			if reminders > 1 || isErased && reminders > 0 || isRenewed && reminders == 0 {
				t.Errorf("session %d has %d queued reminders", i, reminders)
			}
			if queued["INVITE QUEUED "+id] > 0 {
				t.Errorf("session %d has a queued invite", i)
			}
			status := a.do("GET", path, o.owner, nil).want(200).text("data.email.status")
			if status != "SENT" && (isRenewed || status != "NONE") {
				t.Errorf("session %d shows %s", i, status)
			}
		}
	}, sendsEmail)
}
