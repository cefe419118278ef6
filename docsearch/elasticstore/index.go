package elasticstore

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// mappingVersion of the indices; older programs must refuse a newer one.   1: first.
const mappingVersion = 1

type object = map[string]any

// A cluster is the four indices of a library on the nodes of a cluster. It is safe for concurrent use.
type cluster struct {
	c      *client
	opt    *Options
	prefix string
	knn    knnType // of the server
	near   nearFields
}

// alias returns the name by which an index is used.
func (s *cluster) alias(k driver.Kind) string { return s.prefix + string(k) }

// everything names all four indices in a path.
func (s *cluster) everything() string {
	var names []string
	for _, k := range driver.Kinds() {
		names = append(names, s.alias(k))
	}
	return strings.Join(names, ",")
}

// token separates words that stand at one position; see token.go.
var analysis = object{
	"filter": object{"findspot_same_place": object{"type": "pattern_capture", "preserve_original": false, "patterns": []string{"([^" + same + "]+)"}}},
	"tokenizer": object{
		// Words are at most some hundred bytes long; cutting one would move all after it.
		"findspot_words": object{"type": "whitespace", "max_token_length": 16384},
	},
	"analyzer": object{
		"findspot_words": object{"type": "custom", "tokenizer": "findspot_words", "filter": []string{"findspot_same_place"}},
		"findspot_plain": object{"type": "custom", "tokenizer": "findspot_words"},
	},
}

func (s *cluster) settings() object {
	index := object{
		"number_of_shards": s.opt.Shards,
		// The score of a term is the number of times it stands in the record: scripts make BM25 of it, with exact lengths and
		// with statistics of the records that count.
		"similarity": object{"findspot_count": object{"type": "scripted", "script": object{"source": "return query.boost * doc.freq;"}}},
		"analysis":   analysis,
	}
	if s.knn == openSearchKNN {
		index["knn"] = true // can be set only now
	}
	if s.opt.Replicas > 0 {
		index["number_of_replicas"] = s.opt.Replicas
	} else {
		index["auto_expand_replicas"] = "0-1"
	}
	return object{"index": index}
}

func (s *cluster) mapping(k driver.Kind) object {
	keyword := object{"type": "keyword"}
	stored := object{"type": "text", "index": false}
	number := object{"type": "integer", "index": false}
	bag := func(analyzer, options string) object {
		return object{
			"type": "text", "analyzer": analyzer, "search_analyzer": "findspot_plain", "similarity": "findspot_count",
			"norms": false, "index_options": options,
		}
	}
	fields := object{
		"type": keyword, "parent_doc_id": keyword, "owner": keyword,
		"batch": object{"type": "long"}, "n": object{"type": "long"}, "start": object{"type": "long", "index": false, "doc_values": false},
		"text": stored, "heads": stored, "raw": object{"type": "binary"}, "raw_heads": object{"type": "binary"}, "data": object{"type": "binary"},
		"processed": object{"type": "boolean"}, "vector": object{"type": "binary", "doc_values": true}, "dims": object{"type": "integer"},
		"words": bag("findspot_words", "positions"), "idents": bag("findspot_plain", "freqs"), "head_words": bag("findspot_plain", "freqs"),
		"word_count": number, "ident_count": number, "head_count": number,
	}
	switch k {
	case driver.KindDocument:
		hidden := object{"type": "object", "enabled": false}
		fields["layout"], fields["records"], fields["sums"], fields["state"] = object{"type": "binary"}, object{"type": "keyword"}, hidden, hidden
	case driver.KindFigure:
		fields["caption"], fields["ocr_text"] = stored, stored
	case driver.KindTable:
		fields["caption"], fields["content"] = stored, stored
	}
	excludes := []string{"words", "idents", "head_words"}
	if s.knn != noKNN {
		fields[nearObject], excludes = object{"properties": object{}}, append(excludes, nearObject)
	}
	return object{
		"dynamic":    "strict",
		"_meta":      object{"findspot": object{"version": mappingVersion, "kind": k}},
		"_source":    object{"excludes": excludes},
		"properties": fields,
	}
}

func (s *cluster) checkProduct(ctx context.Context) error {
	var about struct {
		Tagline string `json:"tagline"`
		Version struct {
			Number       string `json:"number"`
			Distribution string `json:"distribution"`
		} `json:"version"`
	}
	if err := s.c.do(ctx, http.MethodGet, "/", nil, nil, &about); err != nil {
		return err
	}
	first, rest, _ := strings.Cut(about.Version.Number, ".")
	major, err := strconv.Atoi(first)
	second, _, _ := strings.Cut(rest, ".")
	minor, _ := strconv.Atoi(second)
	switch {
	case err == nil && about.Version.Distribution == "opensearch" && major >= 1:
	case err == nil && about.Version.Distribution == "" && about.Tagline == "You Know, for Search" && major >= 8:
	default:
		return fmt.Errorf("%w: the server is %q %q; it must be Elasticsearch 8 or later, or OpenSearch",
			errs.Unsupported, s.c.redact(about.Version.Distribution+about.Tagline), s.c.redact(about.Version.Number))
	}
	s.knn, err = s.findKNN(ctx, about.Version.Distribution == "opensearch", major, minor)
	return err
}

// prepareIndex checks the index of a kind, and creates it when it is not there.
func (s *cluster) prepareIndex(ctx context.Context, k driver.Kind) error {
	err := s.checkIndex(ctx, k)
	if status(err) != http.StatusNotFound {
		return err
	}
	if s.opt.ReadOnly {
		return fmt.Errorf("%w: the library was never created, or has another prefix", errs.NotFound)
	}
	name := s.alias(k) + "-v" + strconv.Itoa(mappingVersion)
	// The template is for whoever has to make an index of this name by hand, as when a snapshot is put into another
	// cluster. We do not rest on it: to write one takes a right of its own.
	template := object{
		"index_patterns": []string{name}, "priority": 500, "template": object{"settings": s.settings(), "mappings": s.mapping(k)},
		"_meta": object{"findspot": object{"version": mappingVersion}},
	}
	if err := s.c.do(ctx, http.MethodPut, "/_index_template/findspot-"+name, nil, template, nil); err != nil {
		if status(err) != http.StatusForbidden && status(err) != http.StatusUnauthorized {
			return err
		}
		s.opt.Logger.Info("elasticstore: index template not written", "index", name, "reason", err)
	}
	body := object{"settings": s.settings(), "mappings": s.mapping(k), "aliases": object{s.alias(k): object{"is_write_index": true}}}
	err = s.c.do(ctx, http.MethodPut, "/"+name, url.Values{"wait_for_active_shards": {"1"}}, body, nil)
	if e := status(err); err != nil && (e != http.StatusBadRequest || !strings.Contains(err.Error(), "resource_already_exists")) {
		if e == http.StatusBadRequest && strings.Contains(err.Error(), "script") {
			return fmt.Errorf("%w: the server must run scripts in its language painless, see its setting script.allowed_types: %v", errs.Unsupported, err)
		}
		return err
	}
	return s.checkIndex(ctx, k) // another process may have made it
}

// checkIndex makes sure that an alias stands for one index that is of our making and not newer than this program.
func (s *cluster) checkIndex(ctx context.Context, k driver.Kind) error {
	var got map[string]struct {
		Mappings struct {
			Meta struct {
				Findspot *struct {
					Version int         `json:"version"`
					Kind    driver.Kind `json:"kind"`
				} `json:"findspot"`
			} `json:"_meta"`
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"mappings"`
	}
	if err := s.c.do(ctx, http.MethodGet, "/"+s.alias(k)+"/_mapping", nil, nil, &got); err != nil {
		return err
	}
	if len(got) != 1 {
		return fmt.Errorf("%w: the name stands for %d indices: remove the alias from the others, or use another prefix", errs.Format, len(got))
	}
	for name, index := range got {
		meta := index.Mappings.Meta.Findspot
		switch {
		case meta == nil || meta.Kind != k:
			return fmt.Errorf("%w: %s is not an index of findspot for %s: use another prefix", errs.Format, name, k)
		case meta.Version > mappingVersion:
			return fmt.Errorf("%w: %s was laid out by a newer findspot (version %d, this program knows %d): use that one", errs.Format, name, meta.Version, mappingVersion)
		case meta.Version < 1:
			return fmt.Errorf("%w: %s has mapping version %d, which there never was", errs.Format, name, meta.Version)
		}
		var lost []string
		for field := range s.mapping(k)["properties"].(object) {
			if field != nearObject && index.Mappings.Properties[field] == nil {
				lost = append(lost, field)
			}
		}
		if len(lost) > 0 {
			slices.Sort(lost)
			return fmt.Errorf("%w: the mapping of %s lacks %s: restore it from a snapshot, or use another prefix", errs.Format, name, strings.Join(lost, ", "))
		}
		s.near.set(k, s.knn != noKNN && index.Mappings.Properties[nearObject] != nil)
	}
	return nil
}

// refresh makes what was written visible to searches, on all copies of the shards.
func (s *cluster) refresh(ctx context.Context) error {
	var res struct {
		Shards struct {
			Failed   int `json:"failed"`
			Failures []struct {
				Reason failure `json:"reason"`
			} `json:"failures"`
		} `json:"_shards"`
	}
	if err := s.c.do(ctx, http.MethodPost, "/"+s.everything()+"/_refresh", nil, nil, &res); err != nil {
		return err
	}
	if res.Shards.Failed > 0 {
		why := ""
		if len(res.Shards.Failures) > 0 {
			why = ": " + s.c.redact(res.Shards.Failures[0].Reason.String())
		}
		return fmt.Errorf("%d shards could not be refreshed%s", res.Shards.Failed, why)
	}
	return nil
}
