package docsearch

import (
	"encoding/json"
	"testing"
)

// TestOldLayout makes sure that an index of before sections is read.
func TestOldLayout(t *testing.T) {
	var lay layout
	if err := json.Unmarshal([]byte(`{"size":4,"pages":[0],"pieces":[{"s":0,"l":1,"n":-1,"t":"abc\n"}]}`), &lay); err != nil || lay.Size != 4 || lay.Sections != nil {
		t.Errorf("layout = %+v, %v", lay, err)
	}
	if _, err := pickSection(lay.Sections, "5.3"); err == nil {
		t.Error("a section was found in a document without any")
	}
}
