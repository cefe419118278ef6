package word

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

// notes are the footnotes or the endnotes of a document.
type notes struct {
	byID   map[string]*xmlnode.Node
	format string
	count  int
}

func newNotes(n *xmlnode.Node, name string, props *xmlnode.Node) *notes {
	x := &notes{byID: map[string]*xmlnode.Node{}, format: props.Child("w:numFmt").Attr("w:val"), count: props.Child("w:numStart").Int("w:val", 1) - 1}
	if x.format == "" && name == "w:endnote" {
		x.format = "lowerRoman" // ECMA-376 part 1, section 17.11.17
	}
	for c := range n.Children(name) {
		if t := c.Attr("w:type"); t == "" || t == "normal" {
			x.byID[c.Attr("w:id")] = c
		}
	}
	return x
}

// note writes the mark of a note, and keeps its text for the end of the section.
func (r *reader) note(ref *xmlnode.Node, p *para) error {
	if !r.shown() {
		return nil
	}
	end := ref.Name == "w:endnoteReference"
	x := r.notes[strings.TrimSuffix(ref.Name, "Reference")]
	n := x.byID[ref.Attr("w:id")]
	if n == nil {
		return nil
	}
	delete(x.byID, ref.Attr("w:id"))
	mark := ""
	if !xmlnode.True(ref.Attr("w:customMarkFollows"), false) { // else the mark is a part of the text, here and in the note
		x.count++
		mark = "[" + countText(x.count, x.format) + "]"
		r.write(p, mark)
	}
	r.comments.mute++
	blocks, err := r.within(n.Nodes)
	r.comments.mute--
	if err != nil {
		return err
	}
	s := strings.TrimSpace(mark + " " + line(blocks))
	if s == mark {
		return nil
	}
	if end {
		r.endnotes = append(r.endnotes, s)
	} else {
		p.notes = append(p.notes, s)
	}
	return nil
}

// maxAbout is how many characters of what a comment is about are repeated with it.
const maxAbout = 200

// A remark is a comment.
type remark struct {
	author string
	node   *xmlnode.Node
	about  strings.Builder
	parent string
	text   string
}

type comments struct {
	byID  map[string]*remark
	order []string        // ids, as the text refers to them
	open  map[string]bool // whose range is being read
	mute  int             // notes and comments around, whose text is not what comments are about
}

// newComments reads the comments, and which of them answer others ([MS-DOCX], commentsExtended).
func newComments(n, extended *xmlnode.Node) *comments {
	x := &comments{byID: map[string]*remark{}, open: map[string]bool{}}
	paras := map[string]string{} // comment by the id of a paragraph in it
	for c := range n.Children("w:comment") {
		id := c.Attr("w:id")
		x.byID[id] = &remark{author: strings.Join(strings.Fields(c.Attr("w:author")), " "), node: c}
		for p := range c.All("w:p") {
			if v := p.Attr("w14:paraId"); v != "" {
				paras[v] = id
			}
		}
	}
	for e := range extended.Children("w15:commentEx") {
		id, ok := paras[e.Attr("w15:paraId")]
		parent, answers := paras[e.Attr("w15:paraIdParent")]
		if ok && answers && id != parent {
			x.byID[id].parent = parent
		}
	}
	return x
}

func (x *comments) begin(id string) {
	if x.byID[id] != nil {
		x.open[id] = true
	}
}

func (x *comments) end(id string) { delete(x.open, id) }

// text adds what is read to that which comments are about.
func (x *comments) text(s string) {
	if x.mute > 0 || s == "" {
		return
	}
	for id := range x.open {
		b := &x.byID[id].about
		if b.Len() <= maxAbout*utf8.UTFMax {
			b.WriteString(s)
		} else {
			delete(x.open, id)
		}
	}
}

// comment is a reference to a comment.
func (r *reader) comment(id string) error {
	c := r.comments.byID[id]
	if c == nil || c.node == nil {
		return nil
	}
	n := c.node
	c.node = nil
	r.comments.mute++
	blocks, err := r.within(n.Nodes)
	r.comments.mute--
	c.text = line(blocks)
	r.comments.order = append(r.comments.order, id)
	return err
}

// lines returns the comments, each in one line: answers after what they answer.
func (x *comments) lines() []string {
	var out []string
	listed := map[string]bool{}
	for _, id := range x.order {
		listed[id] = true
	}
	answers := map[string][]string{}
	answer := map[string]bool{}
	for _, id := range x.order {
		if p := x.byID[id].parent; p != "" && listed[p] && x.byID[p].parent == "" {
			answers[p] = append(answers[p], id)
			answer[id] = true
		}
	}
	put := func(indent, id string, answer bool) {
		c := x.byID[id]
		who := c.author
		if who == "" {
			who = "a reader"
		}
		about := strings.Join(strings.Fields(c.about.String()), " ")
		if utf8.RuneCountInString(about) > maxAbout {
			about = string([]rune(about)[:maxAbout]) + "…"
		}
		switch {
		case c.text == "":
			return
		case answer:
			who += " in reply"
		case about != "":
			who = fmt.Sprintf("%s on “%s”", who, about)
		}
		out = append(out, indent+who+": "+c.text)
	}
	for _, id := range x.order {
		if answer[id] {
			continue
		}
		put("- ", id, false)
		for _, a := range answers[id] {
			put("  - ", a, true)
		}
	}
	return out
}
