// Package compose makes the pages of formats that know their structure: paragraphs, lists, headings, tables and text as it stands become the lines of the
// raw text, a Markdown view of the same, and what an [extract.Page] says of headings, tables and figures. It reads no format.
package compose
