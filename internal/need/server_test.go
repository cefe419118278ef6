package need

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFindServer(t *testing.T) {
	answer, code := `{"name": "n0"}`, http.StatusOK
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		fmt.Fprint(w, answer)
	}))
	defer srv.Close()
	t.Setenv("FINDSPOT_ENGINE", srv.URL+", http://second")
	got, err := findServer(t.Context(), "engine", "start one")
	if err != nil || len(got) != 2 || got[0] != srv.URL || got[1] != "http://second" {
		t.Errorf("findServer = %q, %v", got, err)
	}
	for _, tt := range []struct {
		urls, answer string
		code         int
		want         string
	}{
		{"", answer, 200, "set FINDSPOT_ENGINE to its address; start one"},
		{srv.URL, "<html>", 200, "status 200"},
		{srv.URL, answer, 503, "status 503"},
		{"http://127.0.0.1:1", answer, 200, "does not answer"},
		{"http://\x01", answer, 200, "FINDSPOT_ENGINE"},
	} {
		t.Setenv("FINDSPOT_ENGINE", tt.urls)
		answer, code = tt.answer, tt.code
		if _, err := findServer(t.Context(), "engine", "start one"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("findServer with %q answering %d %q: %v, want %q", tt.urls, tt.code, tt.answer, err, tt.want)
		}
	}
}
