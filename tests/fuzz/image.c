/* Images: program/image_check.c, and those that count on what it let through. The checksums are made to fit: they are not what is tested. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "program/image.h"
#include "program/layout.h"
#include "program/liveness.h"
#include "target.h"

static void use(const struct image *image) {
  struct text out = {0};
  image_disassemble(image, &out);
  for (uint32_t i = 0; i < image->nglobals; i++) {
    text_clear(&out);
    (void)image_address_text(image, image->globals[i].address, 1, &out);
    (void)image_address_text(image, image->globals[i].address + image->globals[i].size / 2, 4, &out);
  }
  for (uint32_t i = 0; i < image->nsites; i++) text_clear(&out), image_site_text(image, i, &out);
  text_release(&out);
  struct liveness live;
  liveness_init(&live, image);
  for (uint32_t i = 0; i < image->nfunctions; i++) {
    const struct image_function *f = &image->functions[i];
    uint32_t count;
    const uint16_t *slots = liveness_at(&live, i, f->code, false, &count);
    for (uint32_t k = 0; k < count; k++) MUST(slots[k] < f->slots + f->nconstants);
  }
  liveness_release(&live);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char path[64];
  struct image image;
  struct diag d = {0};
  struct image_header h;
  struct text bytes = {0};
  text_append(&bytes, (const char *)data, n);
  if (n >= sizeof h) {
    memcpy(&h, bytes.data, sizeof h);
    h.magic = IMAGE_MAGIC, h.version = IMAGE_VERSION, h.bytes = n;
    memcpy(bytes.data, &h, sizeof h);
    image_sign((struct image_header *)(void *)bytes.data, n);
  }
  int fd = file_in_memory("image", text_str(&bytes), n);
  MUST(fd >= 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (image_open(&image, path, &d) == ERR_NONE) {
    use(&image);
    image_close(&image);
  } else {
    MUST(d.message.count > 0);
  }
  close(fd);
  diag_release(&d);
  text_release(&bytes);
  return 0;
}
