package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/elasticstore"
)

// The environment variables with the credentials of a cluster: flags are seen by everybody who lists processes.
const (
	elasticKey      = "FINDSPOT_ELASTIC_API_KEY"
	elasticUser     = "FINDSPOT_ELASTIC_USER"
	elasticPassword = "FINDSPOT_ELASTIC_PASSWORD"
)

// engineFlags say where the library of documents is, when it is not in the folder of the index.
type engineFlags struct {
	urls   []string
	prefix string
	ca     string
}

// library returns what opens the library of the flags; nil when it is the one in the folder.
func (f *engineFlags) library(readOnly bool) (func(context.Context, *docsearch.Options) (*docsearch.Library, error), error) {
	if len(f.urls) == 0 {
		if f.prefix != "" || f.ca != "" {
			return nil, usagef("--engine-prefix and --engine-ca go with --engine: the addresses of a cluster")
		}
		return nil, nil
	}
	for i, raw := range f.urls {
		if u, err := url.Parse(raw); err == nil && u.User != nil { // the error of a URL that does not parse would print it
			return nil, usagef("--engine: address %d holds a user: give it as $%s, and its password as $%s", i+1, elasticUser, elasticPassword)
		}
	}
	return func(ctx context.Context, o *docsearch.Options) (*docsearch.Library, error) {
		lib, err := elasticstore.Open(ctx, f.urls, &elasticstore.Options{
			Options:  *o,
			Prefix:   f.prefix,
			ReadOnly: readOnly,
			CAFile:   f.ca,
			APIKey:   os.Getenv(elasticKey),
			User:     os.Getenv(elasticUser),
			Password: os.Getenv(elasticPassword),
		})
		if readOnly && errors.Is(err, docsearch.ErrNotFound) {
			return nil, fmt.Errorf("%w (docs add --engine makes it; --engine-prefix says which it is)", err)
		}
		return lib, err
	}, nil
}
