#include "weave/vptr.h"

#include <string.h>

bool vptr_is_accessed(LLVMValueRef i, unsigned tbaa) {
  static const char wanted[] = "vtable pointer";
  LLVMValueRef tag = LLVMGetMetadata(i, tbaa), parts[4], names[3];
  unsigned length;
  if (!tag || LLVMGetMDNodeNumOperands(tag) < 3 || LLVMGetMDNodeNumOperands(tag) > 4) return false;
  LLVMGetMDNodeOperands(tag, parts);
  if (!LLVMIsAMDNode(parts[1]) || LLVMGetMDNodeNumOperands(parts[1]) == 0 || LLVMGetMDNodeNumOperands(parts[1]) > 3) return false;
  LLVMGetMDNodeOperands(parts[1], names);
  const char *name = names[0] && LLVMIsAMDString(names[0]) ? LLVMGetMDString(names[0], &length) : NULL;
  return name && length == strlen(wanted) && memcmp(name, wanted, length) == 0;
}
