/* Debug information as metadata nodes. */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lower;

/* DWARF tags of the nodes that matter here. */
enum {
  TAG_ARRAY = 0x01,
  TAG_CLASS = 0x02,
  TAG_ENUM = 0x04,
  TAG_LEXICAL_BLOCK = 0x0b,
  TAG_MEMBER = 0x0d,
  TAG_POINTER = 0x0f,
  TAG_REFERENCE = 0x10,
  TAG_STRUCT = 0x13,
  TAG_SUBROUTINE = 0x15,
  TAG_TYPEDEF = 0x16,
  TAG_UNION = 0x17,
  TAG_INHERITANCE = 0x1c,
  TAG_MEMBER_POINTER = 0x1f,
  TAG_BASE = 0x24,
  TAG_CONST = 0x26,
  TAG_SUBPROGRAM = 0x2e,
  TAG_VOLATILE = 0x35,
  TAG_RESTRICT = 0x37,
  TAG_NAMESPACE = 0x39,
  TAG_RVALUE_REFERENCE = 0x42,
  TAG_ATOMIC = 0x47
};

/* Operand positions: of scopes and types, and of variables. */
enum { NODE_FILE, NODE_SCOPE, NODE_NAME, NODE_BASE, NODE_ELEMENTS };
enum { VARIABLE_SCOPE, VARIABLE_NAME, VARIABLE_FILE, VARIABLE_TYPE };

#define NODE_OPERANDS 8

struct node {
  LLVMValueRef operands[NODE_OPERANDS]; /* the first ones; NULL where there is none */
};

/* False if it is no node with operands. */
bool node_open(struct lower *l, LLVMMetadataRef metadata, struct node *out);
LLVMMetadataRef node_at(const struct node *n, unsigned i);
/* An operand that is a string; length 0 if there is none. */
const char *node_string(const struct node *n, unsigned i, size_t *length);
