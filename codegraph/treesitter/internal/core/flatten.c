#include "flatten.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// The parts of tree-sitter's C interface that are used here, declared from its documentation. The binding links the
// code; the declarations are weak, so that this package's own trial link needs none of it.

typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLanguage TSLanguage;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

#define WEAK __attribute__((weak))
extern TSParser *ts_parser_new(void) WEAK;
extern void ts_parser_delete(TSParser *) WEAK;
extern bool ts_parser_set_language(TSParser *, const TSLanguage *) WEAK;
extern TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t) WEAK;
extern void ts_parser_set_timeout_micros(TSParser *, uint64_t) WEAK;
extern void ts_tree_delete(TSTree *) WEAK;
extern TSNode ts_tree_root_node(const TSTree *) WEAK;
extern uint16_t ts_node_symbol(TSNode) WEAK;
extern uint32_t ts_node_start_byte(TSNode) WEAK;
extern uint32_t ts_node_end_byte(TSNode) WEAK;
extern bool ts_node_is_named(TSNode) WEAK;
extern bool ts_node_is_missing(TSNode) WEAK;
extern bool ts_node_is_error(TSNode) WEAK;
extern bool ts_node_has_error(TSNode) WEAK;
extern TSTreeCursor ts_tree_cursor_new(TSNode) WEAK;
extern void ts_tree_cursor_delete(TSTreeCursor *) WEAK;
extern TSNode ts_tree_cursor_current_node(const TSTreeCursor *) WEAK;
extern uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *) WEAK;
extern bool ts_tree_cursor_goto_first_child(TSTreeCursor *) WEAK;
extern bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *) WEAK;
extern bool ts_tree_cursor_goto_parent(TSTreeCursor *) WEAK;
extern uint32_t ts_language_version(const TSLanguage *) WEAK;
extern const char *ts_language_symbol_name(const TSLanguage *, uint16_t) WEAK;
extern const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t) WEAK;
extern uint32_t ts_language_symbol_count(const TSLanguage *) WEAK;
extern uint32_t ts_language_field_count(const TSLanguage *) WEAK;

struct fs_parser { TSParser *ts; };

int fs_version(const void *l) { return (int)ts_language_version(l); }
const char *fs_symbol_name(const void *l, uint16_t s) { return ts_language_symbol_name(l, s); }
const char *fs_field_name(const void *l, uint16_t f) { return ts_language_field_name_for_id(l, f); }
uint32_t fs_symbol_count(const void *l) { return ts_language_symbol_count(l); }
uint32_t fs_field_count(const void *l) { return ts_language_field_count(l); }

fs_parser *fs_open(const void *language, int *status) {
	fs_parser *p = malloc(sizeof *p);
	if (!p) { *status = FS_MEMORY; return NULL; }
	p->ts = ts_parser_new();
	if (!p->ts || !ts_parser_set_language(p->ts, language)) {
		*status = p->ts ? FS_LANGUAGE : FS_MEMORY;
		fs_close(p);
		return NULL;
	}
	*status = FS_OK;
	return p;
}

void fs_close(fs_parser *p) {
	if (!p) return;
	if (p->ts) ts_parser_delete(p->ts);
	free(p);
}

void fs_free(fs_result *r) {
	free(r->records);
	memset(r, 0, sizeof *r);
}

static int flatten(const TSTree *tree, uint32_t max_depth, uint32_t len, fs_result *out) {
	int status = FS_OK;
	uint32_t cap = len / 6 + 64;
	uint32_t *open = malloc(max_depth * sizeof *open); // the record of each open level, or UINT32_MAX
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	out->records = malloc(cap * sizeof *out->records);
	if (!open || !out->records) { status = FS_MEMORY; goto end; }
	uint32_t depth = 0;
	for (;;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		uint32_t here = UINT32_MAX;
		bool error = ts_node_is_error(n), missing = ts_node_is_missing(n);
		out->errors += error || missing;
		if (ts_node_is_named(n)) {
			if (out->count == cap) {
				cap += cap / 2;
				fs_record *more = realloc(out->records, cap * sizeof *more);
				if (!more) { status = FS_MEMORY; goto end; }
				out->records = more;
			}
			here = out->count++;
			fs_record *r = &out->records[here];
			r->start = ts_node_start_byte(n);
			r->end = ts_node_end_byte(n);
			r->next = out->count;
			r->symbol = ts_node_symbol(n);
			uint16_t field = ts_tree_cursor_current_field_id(&c);
			r->field = field > 255 ? 0 : (uint8_t)field;
			r->flags = (error ? FS_ERROR : 0) | (missing ? FS_MISSING : 0) | (ts_node_has_error(n) ? FS_HAS_ERROR : 0);
		}
		if (ts_tree_cursor_goto_first_child(&c)) {
			if (depth + 1 >= max_depth) { status = FS_DEEP; goto end; }
			open[depth++] = here;
			continue;
		}
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (depth == 0) goto end;
			ts_tree_cursor_goto_parent(&c);
			uint32_t up = open[--depth];
			if (up != UINT32_MAX) out->records[up].next = out->count;
		}
	}
end:
	ts_tree_cursor_delete(&c);
	free(open);
	if (status != FS_OK) fs_free(out);
	return status;
}

int fs_parse(fs_parser *p, const char *src, uint32_t len, uint64_t slice_micros, uint32_t max_depth, fs_result *out) {
	memset(out, 0, sizeof *out);
	ts_parser_set_timeout_micros(p->ts, slice_micros);
	TSTree *tree = ts_parser_parse_string(p->ts, NULL, src, len);
	if (!tree) return FS_AGAIN; // the next call with the same source goes on
	int status = flatten(tree, max_depth, len, out);
	ts_tree_delete(tree);
	return status;
}

void fs_trim(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
