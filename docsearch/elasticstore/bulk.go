package elasticstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

const (
	bulkWorkers = 2  // requests under way at a time
	bulkTries   = 12 // times that an operation is sent again because the server had no room for it
)

// An op is one operation of a bulk request: its lines.
type op struct {
	lines []byte
	what  string // for messages
}

// A bulk sends operations in requests of bounded size. Each may be sent several times: they name their ids.
type bulk struct {
	s     *cluster
	g     *errgroup.Group
	ctx   context.Context // of the requests; a bulk serves one call
	ops   []op
	size  int
	count int // of all operations, for ids
}

func (s *cluster) newBulk(ctx context.Context) *bulk {
	b := &bulk{s: s}
	b.g, b.ctx = errgroup.WithContext(ctx)
	b.g.SetLimit(bulkWorkers)
	return b
}

// put stores a document under an id of its batch.
func (b *bulk) put(k driver.Kind, d *document, what string) error {
	b.count++
	head, err := encode(object{"index": object{"_index": b.s.alias(k), "_id": fmt.Sprintf("%d-%d", d.Batch, b.count)}})
	if err != nil {
		return err
	}
	body, err := encode(d)
	if err != nil {
		return err
	}
	return b.add(op{append(head, body...), what})
}

func (b *bulk) remove(index, id string) error {
	head, err := encode(object{"delete": object{"_index": index, "_id": id}})
	if err != nil {
		return err
	}
	return b.add(op{head, "the removal of " + id})
}

func (b *bulk) add(o op) error {
	if len(o.lines) > maxRequest {
		return fmt.Errorf("%s: %w: %d bytes, the limit of a request is %d", o.what, errs.TooLarge, len(o.lines), maxRequest)
	}
	if b.size+len(o.lines) > b.s.opt.BulkBytes && len(b.ops) > 0 {
		b.flush()
	}
	b.ops, b.size = append(b.ops, o), b.size+len(o.lines)
	return b.ctx.Err()
}

func (b *bulk) flush() {
	ops := b.ops
	b.ops, b.size = nil, 0
	b.g.Go(func() error { return b.s.send(b.ctx, ops) }) // waits while bulkWorkers are at work
}

// wait sends the rest and returns when all operations are done, with the first error.
func (b *bulk) wait() error {
	if len(b.ops) > 0 {
		b.flush()
	}
	return b.g.Wait()
}

// send sends operations until each was done. Those for which the server had no room are sent again, alone and after a
// while; a request that was too large is sent in halves.
func (s *cluster) send(ctx context.Context, ops []op) error {
	for try := 1; ; try++ {
		left, why, err := s.sendOnce(ctx, ops)
		if status(err) == http.StatusRequestEntityTooLarge {
			if len(ops) == 1 {
				return fmt.Errorf("%s: %w: the server takes no request of %d bytes (its setting http.max_content_length)", ops[0].what, errs.TooLarge, len(ops[0].lines))
			}
			if err := s.send(ctx, ops[:len(ops)/2]); err != nil {
				return err
			}
			return s.send(ctx, ops[len(ops)/2:])
		}
		if err != nil || len(left) == 0 {
			return err
		}
		if try == bulkTries {
			return fmt.Errorf("%s: the server had no room each of %d times: %s", left[0].what, try, why)
		}
		if err := sleep(ctx, pause(try, 100*time.Millisecond)); err != nil {
			return err
		}
		ops = left
	}
}

// sendOnce returns the operations that must be sent again, and why.
func (s *cluster) sendOnce(ctx context.Context, ops []op) (left []op, why string, err error) {
	var body []byte
	for _, o := range ops {
		body = append(body, o.lines...)
	}
	var res struct {
		Items []map[string]struct {
			Status int             `json:"status"`
			Error  json.RawMessage `json:"error"`
		} `json:"items"`
	}
	query := url.Values{"require_alias": {"true"}, "filter_path": {"items.*.status,items.*.error.type,items.*.error.reason,items.*.error.caused_by.reason"}}
	if ops[0].plain() {
		query.Del("require_alias") // removals name the indices themselves
	}
	if err := s.c.do(ctx, http.MethodPost, "/_bulk", query, body, &res); err != nil {
		return nil, "", err
	}
	if len(res.Items) != len(ops) {
		return nil, "", fmt.Errorf("%w: a bulk request of %d operations has %d answers", errs.Format, len(ops), len(res.Items))
	}
	var bad []error
	for i, item := range res.Items {
		for verb, a := range item {
			switch {
			case a.Status >= 200 && a.Status < 300 || verb == "delete" && a.Status == http.StatusNotFound:
			case a.Status == http.StatusTooManyRequests || a.Status >= 500:
				left = append(left, ops[i])
				why = s.c.reason(a.Error)
			case len(bad) < 5:
				bad = append(bad, fmt.Errorf("%s: the server answered %d: %s", ops[i].what, a.Status, s.c.reason(a.Error)))
			}
		}
		if len(item) != 1 {
			return nil, "", fmt.Errorf("%w: an answer of a bulk request is about %d operations", errs.Format, len(item))
		}
	}
	return left, why, errors.Join(bad...)
}

func (o *op) plain() bool { return len(o.lines) > 2 && string(o.lines[:9]) == `{"delete"` }

// removeAll removes the documents that a query finds, and returns when no search finds them any more, on any copy of a shard. It must find
// what does not count only.
func (s *cluster) removeAll(ctx context.Context, query object) error {
	const most = 5000
	for {
		var res struct {
			searchHead
			Hits struct {
				Hits []struct {
					Index string `json:"_index"`
					ID    string `json:"_id"`
				} `json:"hits"`
			} `json:"hits"`
		}
		body := object{"query": query, "size": most, "_source": false, "track_total_hits": false}
		path := "/" + s.everything() + "/_search"
		if err := s.c.do(ctx, http.MethodPost, path, url.Values{"allow_partial_search_results": {"false"}}, body, &res); err != nil {
			return err
		}
		if err := res.whole(); err != nil {
			return err
		}
		b := s.newBulk(ctx)
		for _, h := range res.Hits.Hits {
			if err := b.remove(h.Index, h.ID); err != nil {
				break // wait says it
			}
		}
		if err := b.wait(); err != nil {
			return err
		}
		// Another writer may have removed them on this copy, and not yet on the others.
		if err := s.refresh(ctx); err != nil {
			return err
		}
		if len(res.Hits.Hits) < most {
			return nil
		}
	}
}

// reason reads the error of one operation.
func (c *client) reason(data json.RawMessage) string {
	var f failure
	if err := json.Unmarshal(data, &f); err != nil {
		return "no reason given"
	}
	return c.redact(f.String())
}
