package store

import (
	"context"
	"encoding/binary"
	"time"
)

// SQLite overwrites what is deleted (secure_delete), and yet two kinds of copies
// stay: of rows that it moved when it split or merged pages, in the free bytes of
// the page where they were, and of pages as they were, in the write-ahead log.

const (
	scrubTimeout = time.Minute
	scrubBatch   = 500 // pages in one transaction
	// scrubPages bounds the file in which a page that is no b-tree's can be told
	// by its first byte: it begins with a page number.
	scrubPages = 1 << 24

	checkpointTries   = 10
	checkpointPause   = 100 * time.Millisecond
	checkpointTimeout = "100" // milliseconds for which a busy reader is waited for while nobody can write
)

// scrub removes both from the files of SQLite. What could not be is tried again
// by the next purge. It goes on when who asked for it has gone.
func (s *Store) scrub(ctx context.Context) error {
	if s.dialect.path == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), scrubTimeout)
	defer cancel()
	s.unscrubbed.Store(true)
	if err := s.cleanPages(ctx); err != nil {
		return err
	}
	emptied, err := s.emptyLog(ctx)
	if err != nil {
		return err
	}
	if !emptied {
		s.opts.Log.WarnContext(ctx, "erased data is still in SQLite's write-ahead log: somebody has been reading the database for long")
		return nil
	}
	s.unscrubbed.Store(false)
	return nil
}

// cleanPages looks for the pages while others write: what has been erased before
// is nowhere copied from any more.
func (s *Store) cleanPages(ctx context.Context) error {
	numbers, err := s.read().unclean(ctx)
	if err != nil {
		return err
	}
	for first := 0; first < len(numbers); first += scrubBatch {
		err := s.write(ctx, func(c conn) error {
			for _, number := range numbers[first:min(first+scrubBatch, len(numbers))] {
				var page []byte
				if err := c.get(ctx, &page, `SELECT data FROM sqlite_dbpage WHERE pgno = ?`, number); err != nil {
					return err
				}
				if !cleanPage(page, number) {
					continue
				}
				if _, err := c.exec(ctx, `UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?`, page, number); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unclean are the numbers of the pages that cleanPage would change.
func (c conn) unclean(ctx context.Context) (numbers []int, err error) {
	var pages int
	if err := c.get(ctx, &pages, `SELECT page_count FROM pragma_page_count`); err != nil {
		return nil, err
	}
	if pages >= scrubPages {
		c.store.opts.Log.WarnContext(ctx, "the database is too large to look for copies of erased data in it: VACUUM removes them", "pages", pages)
		return nil, nil
	}
	rows, err := c.rows(ctx, `SELECT pgno, data FROM sqlite_dbpage`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var number int
		var page []byte
		if err := rows.Scan(&number, &page); err != nil {
			return nil, err
		}
		if cleanPage(page, number) {
			numbers = append(numbers, number)
		}
	}
	return numbers, rows.Err()
}

// cleanPage overwrites the bytes of a b-tree page that belong to no cell, and
// reports whether one of them was not 0. Pages of other kinds have none (SQLite
// file format, sections 1.5 and 1.6; SQLite's own ext/misc/scrub.c does the same).
func cleanPage(page []byte, number int) bool {
	header := 0
	if number == 1 {
		header = 100 // behind the file's own
	}
	cells := header
	switch page[header] {
	case 2, 5: // interior pages
		cells += 12
	case 10, 13: // leaves
		cells += 8
	default:
		return false
	}
	at := func(offset int) int { return int(binary.BigEndian.Uint16(page[offset:])) }
	free, content := cells+2*at(header+3), at(header+5)
	if content == 0 {
		content = 1 << 16
	}
	if free > content || content > len(page) {
		return false
	}
	changed := zero(page[free:content])
	// The free blocks between the cells, in the order of their places.
	for block, next := at(header+1), 0; block >= content && block+4 <= len(page); block = next {
		next = at(block)
		end := block + at(block+2)
		if end < block+4 || end > len(page) || (next != 0 && next < end) {
			break
		}
		changed = zero(page[block+4:end]) || changed
	}
	return changed
}

func zero(bytes []byte) (changed bool) {
	for i := range bytes {
		changed = changed || bytes[i] != 0
		bytes[i] = 0
	}
	return changed
}

// emptyLog moves what the log holds to where it belongs, and cuts the log to
// nothing. A reader that is busy keeps the log for a moment.
func (s *Store) emptyLog(ctx context.Context) (emptied bool, err error) {
	for range checkpointTries {
		if emptied, err := s.checkpoint(ctx); err != nil || emptied {
			return emptied, err
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(checkpointPause):
		}
	}
	return false, nil
}

// checkpoint waits for readers for a short time only, because nobody can write meanwhile.
func (s *Store) checkpoint(ctx context.Context) (emptied bool, err error) {
	held, err := s.writer.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = held.Close() }()
	if _, err := held.ExecContext(ctx, `PRAGMA busy_timeout = `+checkpointTimeout); err != nil {
		return false, err
	}
	defer func() {
		if _, restored := held.ExecContext(context.WithoutCancel(ctx), `PRAGMA busy_timeout = `+sqliteBusyTimeout); err == nil {
			err = restored
		}
	}()
	var busy, pages, moved int
	err = held.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	return busy == 0, err
}
