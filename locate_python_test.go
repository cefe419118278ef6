//go:build cgo

package findspot_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

// shop is a repository with what tests are written with among its sources, and with tests.
func shop() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"shop/__init__.py":      file(""),
		"shop/cart.py":          file("from shop.errors import OutOfStock\n\n\nclass Cart:\n    def add(self, item, count=1):\n        \"\"\"Reserve an item, unless it is out of stock.\"\"\"\n        raise OutOfStock(item)\n"),
		"shop/errors.py":        file("class OutOfStock(Exception):\n    pass\n"),
		"shop/runner.py":        file("from shop.test.client import Client\n\n\ndef run():\n    return Client()\n"),
		"shop/test/__init__.py": file(""),
		"shop/test/client.py":   file("from shop.test.html import parse\n\n\nclass Client:\n    def checkout(self, cart):\n        \"\"\"Buy what is in a cart, and follow redirects.\"\"\"\n        return parse(cart)\n"),
		"shop/test/html.py":     file("def parse(page):\n    \"\"\"Split a page into redirects.\"\"\"\n    return page\n"),
		"shop/test/unused.py":   file("def helper(page):\n    \"\"\"Follow redirects of a page after checkout.\"\"\"\n"),
		"tests/test_cart.py":    file("from shop.cart import Cart\nfrom shop.test.client import Client\n\n\ndef test_checkout_follows_redirects():\n    \"\"\"Checkout follows redirects of a cart.\"\"\"\n    Client().checkout(Cart())\n"),
	}
}

func TestLocatePython(t *testing.T) {
	g, err := codegraph.Build(t.Context(), shop(), findspot.Languages(), nil)
	if err != nil {
		t.Fatal(err)
	}
	find := func(text string) []codegraph.Spot {
		t.Helper()
		res, err := g.Locate(t.Context(), text, nil)
		if err != nil || len(res.Spots) == 0 {
			t.Fatalf("Locate(%q) = %+v, %v", text, res, err)
		}
		return res.Spots
	}
	// Code that is no test imports shop/test/client.py, and that one shop/test/html.py: they are sources.
	spots := find("Checkout does not follow redirects")
	if spots[0].Path != "shop/test/client.py" {
		t.Errorf("first is %+v, want shop/test/client.py", spots[0])
	}
	for p, want := range map[string]bool{"shop/test/client.py": false, "shop/test/html.py": false, "shop/test/unused.py": true, "tests/test_cart.py": true} {
		i := slices.IndexFunc(spots, func(s codegraph.Spot) bool { return s.ID == p })
		if i < 0 {
			t.Errorf("%s is left out", p)
		} else if spots[i].Test != want {
			t.Errorf("%s: Test is %v, want %v", p, spots[i].Test, want)
		}
	}
	for _, c := range []struct{ name, text, first, signal string }{
		{"an installed package's traceback", "It fails\n\n```\nTraceback (most recent call last):\n  File \"/home/me/app.py\", line 3, in <module>\n    main()\n" +
			"  File \"/home/me/env/lib/python3.12/site-packages/shop/cart.py\", line 7, in add\n    raise X\nKeyError: 3\n```", "shop/cart.py:Cart.add", "entity_frame"},
		{"a session", "It fails\n\n>>> from shop.cart import Cart\n>>> Cart(3)\n", "shop/cart.py:Cart", "entity_module"},
		{"a dotted name", "It fails\n\nshop.errors.OutOfStock is not raised.", "shop/errors.py:OutOfStock", "entity_module"},
		{"a test runner's name", "It fails\n\n`shop/cart.py::Cart::add` is slow.", "shop/cart.py:Cart.add", "entity_named"},
	} {
		spots := find(c.text)
		i := slices.IndexFunc(spots, func(s codegraph.Spot) bool { return strings.Contains(s.ID, ":") })
		if i < 0 || spots[i].ID != c.first {
			t.Errorf("%s: %+v, want %s the first that is no file", c.name, spots, c.first)
		} else if !slices.ContainsFunc(spots[i].Why, func(r codegraph.Reason) bool { return r.Signal == c.signal && len(r.Words) > 0 }) {
			t.Errorf("%s: reasons %+v, want %s", c.name, spots[i].Why, c.signal)
		}
	}
}
