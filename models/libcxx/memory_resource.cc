/* Memory resources. Pools keep no free blocks: each block comes from the upstream resource and goes back to it, so that the machine sees
 * every misuse; what is still allocated is known, because release() gives it back. */
#include <memory_resource>

#include <algorithm>
#include <mutex>

namespace std {
namespace pmr {

memory_resource::~memory_resource() = default;

namespace {

struct new_delete final : memory_resource {
  void *do_allocate(size_t bytes, size_t alignment) override { return ::operator new(bytes, align_val_t(alignment)); }
  void do_deallocate(void *block, size_t bytes, size_t alignment) noexcept override {
    ::operator delete(block, bytes, align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};

struct null final : memory_resource {
  void *do_allocate(size_t, size_t) override { __throw_bad_alloc(); }
  void do_deallocate(void *, size_t, size_t) noexcept override {}
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};

template <class Resource>
union lasting {
  Resource object;
  constexpr lasting() : object() {}
  ~lasting() {}
};
constinit lasting<new_delete> the_new_delete;
constinit lasting<null> the_null;
constinit memory_resource *by_default = &the_new_delete.object; /* any thread may replace it: accessed atomically */

}  // namespace

memory_resource *new_delete_resource() noexcept { return &the_new_delete.object; }
memory_resource *null_memory_resource() noexcept { return &the_null.object; }
memory_resource *get_default_resource() noexcept { return __atomic_load_n(&by_default, __ATOMIC_ACQUIRE); }
memory_resource *set_default_resource(memory_resource *resource) noexcept {
  return __atomic_exchange_n(&by_default, resource != nullptr ? resource : new_delete_resource(), __ATOMIC_ACQ_REL);
}

/* At the end of each buffer that a monotonic resource got. */
class monotonic_buffer_resource::_Chunk {
 public:
  _Chunk *next;
  size_t bytes, alignment; /* of the buffer with this */
};

void monotonic_buffer_resource::_M_new_buffer(size_t bytes, size_t alignment) {
  size_t room = max(bytes, _M_next_bufsiz);
  size_t align = max(alignment, alignof(max_align_t));
  room = (room + alignof(_Chunk) - 1) & ~(alignof(_Chunk) - 1);
  size_t total = room + sizeof(_Chunk);
  void *buffer = _M_upstream->allocate(total, align);
  auto *chunk = ::new (static_cast<char *>(buffer) + room) _Chunk{_M_head, total, align};
  _M_head = chunk;
  _M_current_buf = buffer;
  _M_avail = room;
  _M_next_bufsiz = static_cast<size_t>(static_cast<float>(_M_next_bufsiz) * _S_growth_factor);
}

void monotonic_buffer_resource::_M_release_buffers() noexcept {
  for (_Chunk *chunk = _M_head; chunk != nullptr;) {
    _Chunk *next = chunk->next;
    char *buffer = reinterpret_cast<char *>(chunk) + sizeof(_Chunk) - chunk->bytes;
    _M_upstream->deallocate(buffer, chunk->bytes, chunk->alignment);
    chunk = next;
  }
  _M_head = nullptr;
}

monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }

struct __pool_resource::_BigBlock {
  void *block;
  size_t bytes, alignment;
};
struct __pool_resource::_Pool {};
struct synchronized_pool_resource::_TPools {};

__pool_resource::__pool_resource(const pool_options &options, memory_resource *upstream)
    : _M_opts(options), _M_unpooled(upstream), _M_npools(0) {}

__pool_resource::~__pool_resource() { release(); }

void *__pool_resource::allocate(size_t bytes, size_t alignment) {
  _M_unpooled.push_back({nullptr, bytes, alignment});
  try {
    _M_unpooled.back().block = resource()->allocate(bytes, alignment);
  } catch (...) {
    _M_unpooled.pop_back();
    throw;
  }
  return _M_unpooled.back().block;
}

void __pool_resource::deallocate(void *block, size_t bytes, size_t alignment) {
  auto it = find_if(_M_unpooled.begin(), _M_unpooled.end(), [&](const _BigBlock &b) { return b.block == block; });
  if (it != _M_unpooled.end()) {
    *it = _M_unpooled.back();
    _M_unpooled.pop_back();
  }
  resource()->deallocate(block, bytes, alignment);
}

void __pool_resource::release() noexcept {
  for (const _BigBlock &b : _M_unpooled) resource()->deallocate(b.block, b.bytes, b.alignment);
  pmr::vector<_BigBlock>(resource()).swap(_M_unpooled);
}

unsynchronized_pool_resource::unsynchronized_pool_resource(const pool_options &options, memory_resource *upstream)
    : _M_impl(options, upstream) {}
unsynchronized_pool_resource::~unsynchronized_pool_resource() = default;
void unsynchronized_pool_resource::release() { _M_impl.release(); }
void *unsynchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) { return _M_impl.allocate(bytes, alignment); }
void unsynchronized_pool_resource::do_deallocate(void *block, size_t bytes, size_t alignment) {
  _M_impl.deallocate(block, bytes, alignment);
}

synchronized_pool_resource::synchronized_pool_resource(const pool_options &options, memory_resource *upstream)
    : _M_impl(options, upstream), _M_key(0) {}
synchronized_pool_resource::~synchronized_pool_resource() = default;
void synchronized_pool_resource::release() {
  lock_guard<shared_mutex> hold(_M_mx);
  _M_impl.release();
}
void *synchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  lock_guard<shared_mutex> hold(_M_mx);
  return _M_impl.allocate(bytes, alignment);
}
void synchronized_pool_resource::do_deallocate(void *block, size_t bytes, size_t alignment) {
  lock_guard<shared_mutex> hold(_M_mx);
  _M_impl.deallocate(block, bytes, alignment);
}

}  // namespace pmr
}  // namespace std
