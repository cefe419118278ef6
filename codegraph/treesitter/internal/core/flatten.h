#ifndef FINDSPOT_FLATTEN_H
#define FINDSPOT_FLATTEN_H

#include <stdint.h>
#include <stddef.h>

// One named node of a syntax tree, in preorder.
typedef struct {
	uint32_t start, end; // bytes
	uint32_t next;       // index of the first node after this one's subtree
	uint16_t symbol;
	uint8_t field;       // field of the parent that it fills, 0 for none
	uint8_t flags;       // FS_*
} fs_record;

enum { FS_ERROR = 1, FS_MISSING = 2, FS_HAS_ERROR = 4 };

enum { FS_OK = 0, FS_AGAIN = 1, FS_MEMORY = -1, FS_LANGUAGE = -2, FS_DEEP = -3 };

typedef struct {
	fs_record *records; // to be freed with fs_free
	uint32_t count;
	uint32_t errors;    // error and missing nodes
} fs_result;

typedef struct fs_parser fs_parser;

int fs_version(const void *language);
const char *fs_symbol_name(const void *language, uint16_t symbol);
const char *fs_field_name(const void *language, uint16_t field);
uint32_t fs_symbol_count(const void *language);
uint32_t fs_field_count(const void *language);
fs_parser *fs_open(const void *language, int *status);
int fs_parse(fs_parser *p, const char *src, uint32_t len, uint64_t slice_micros, uint32_t max_depth, fs_result *out);
void fs_close(fs_parser *p);
void fs_free(fs_result *r);
void fs_trim(void);         // gives memory that is free back to the system

#endif
