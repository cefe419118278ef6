package httpguard

import (
	"net/http"
	"time"
)

// A Route says how requests pass, and what they may bring. The zero value is a call with a JSON body.
type Route struct {
	Name    string        // for the access log and for traces, such as "POST /search"; it holds nothing of what was asked. Empty: "other"
	Types   []string      // content types that a body may have; nil means application/json. None may be one that a form can send
	MaxBody int64         // bytes of a body; 0 means 1 MiB
	Timeout time.Duration // of handling; 0 means [Options].Timeout, or [Options].StreamTimeout where the answer passes as it is written
	Upload  bool          // it waits for a place among the uploads, which keep no call waiting
	Live    bool          // the answer passes as it is written
	Duplex  bool          // the body passes too; implies Live
	Connect bool          // its clients read errors as those of the Connect protocol
	Public  bool          // needs no token: it tells nothing of the user's files
}

func (o *Options) route(r *http.Request) Route {
	rt := Route{}
	if o.Route != nil {
		rt = o.Route(r)
	}
	if rt.Name == "" {
		rt.Name = "other"
	}
	if rt.Types == nil {
		rt.Types = []string{"application/json"}
	}
	if rt.MaxBody <= 0 {
		rt.MaxBody = maxJSON
	}
	if rt.Duplex {
		rt.Live = true
	}
	if rt.Timeout <= 0 {
		rt.Timeout = o.Timeout
		if rt.Live {
			rt.Timeout = o.StreamTimeout
		}
	}
	return rt
}
