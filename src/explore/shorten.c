#include "explore/session.h"

void shorten(struct session *s, struct explore_finding *f) { (void)s, (void)f; }
