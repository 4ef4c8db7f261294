// A class that owns a block and is copied member by member.
// verdict: BUG
// finding: double-free A
// case: fixed -DFIXED
// verdict: SAFE
struct owner {
  int *block = new int(1);
  owner() = default;
#ifdef FIXED
  owner(const owner &o) : block(new int(*o.block)) {}
#endif
  ~owner() {
    delete block;  // @A
  }
};

static int peek(owner o) { return *o.block; }

int main() {
  owner o;
  return peek(o) - 1;
}
