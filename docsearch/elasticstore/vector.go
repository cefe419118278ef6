package elasticstore

import (
	"context"
	"errors"

	"github.com/findspot/findspot/docsearch/driver"
)

// cosine is one more than the cosine of a record's vector, which stands as big-endian floats, with params.v of length one. It needs no
// plugin and no mapping of one length, and it looks at every vector: where there are many, the server's own index of vectors comes first (knn.go).
const cosine = `List v = (List) params.v; def b = doc['vector'].value; byte[] a = (byte[]) b.bytes; int p = (int) b.offset;
float dot = 0; float norm = 0;
for (int i = 0; i < v.size(); i++) {
  float x = Float.intBitsToFloat((a[p] & 255) << 24 | (a[p + 1] & 255) << 16 | (a[p + 2] & 255) << 8 | (a[p + 3] & 255));
  dot += x * ((Number) v.get(i)).floatValue(); norm += x * x; p += 4;
}
return Math.max(0, 1 + dot / Math.sqrt(norm));`

// SearchVectors implements [driver.VectorStore].
func (s *store) SearchVectors(ctx context.Context, q *driver.VectorQuery) (*driver.Hits, error) {
	return read(ctx, s, func(ctx context.Context, st *state) (*driver.Hits, error) {
		direction, err := q.Direction()
		if err != nil {
			return nil, err
		}
		return s.nearest(ctx, st, q, direction)
	})
}

func (s *store) nearest(ctx context.Context, st *state, q *driver.VectorQuery, direction []float32) (*driver.Hits, error) {
	if st.Kinds[q.Kind].Records == 0 || q.Docs != nil && len(q.Docs) == 0 {
		return &driver.Hits{}, nil
	}
	filter := append([]any{term1("type", typeRecord), object{"exists": object{"field": "dims"}}}, within(q.Docs)...)
	live := st.live(filter...)
	same := term1("dims", len(direction))
	odd := scan{query: object{"bool": object{"filter": live, "must_not": same}}, sort: inOrder, fields: []string{"parent_doc_id", "dims"}}
	err := s.cluster.scan(ctx, q.Kind, odd, func(d *document) error { return driver.WrongLength(q, d.Parent, d.Dims) })
	if err != nil {
		return nil, err
	}
	score := object{"script_score": object{
		"query": same, "script": object{"source": cosine, "params": object{"v": direction}},
	}}
	ranking := ranking{q.Kind, q.Limit, q.PerDoc, score, live}
	rescore := func(list []*candidate) error {
		return s.cluster.again(ctx, q.Kind, list, []string{"vector", "dims"}, func(c *candidate, d *document) error {
			v, err := unpackVector(d.Vector, d.Dims)
			if err == nil && len(v) != len(direction) {
				err = errors.New("the length of a vector changed")
			}
			if err != nil {
				return err
			}
			c.score = driver.Cosine(direction, v)
			return nil
		})
	}
	if st.Kinds[q.Kind].Records > exactRecords && s.cluster.near.has(q.Kind) {
		if hits, err := s.cluster.nearby(ctx, &ranking, direction, rescore); hits != nil || err != nil {
			return hits, err
		}
	}
	return s.cluster.ranked(ctx, ranking, rescore)
}
