/* Programs that are an object's operations (heddle.h, HD_OPERATION), as the loader leaves them for the machine.
 *
 * Operation NAME is the function hd_operation_NAME of the program. The image has a function for each that takes OBJECT_ARGUMENTS numbers
 * and calls it with as many as it has parameters: "__hd_operation.INDEX.PARAMETERS.NAME", indices from 0 on, three digits each. The model
 * models/objects/main.c has their addresses in its table __hd_operations, by index. */
#pragma once

#define OBJECT_PREFIX     "hd_operation_"
#define OBJECT_FUNCTION   "__hd_operation."
#define OBJECT_TABLE      "__hd_operations"
#define OBJECT_BEGIN      "hd_begin"
#define OBJECT_ARGUMENTS  6
#define OBJECT_OPERATIONS 256
