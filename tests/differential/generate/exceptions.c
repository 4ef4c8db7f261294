/* Programs in C++: exceptions through functions and destructors that unlock or publish, thrown again, kept by another thread; and what
 * std::thread and its like do with them. A file of such programs has nothing else: the other families' statements are C. */
#include "generator.h"

const char cxx_declarations[] =
    "#include <pthread.h>\n#include <semaphore.h>\n#include <stdlib.h>\n#include <atomic>\n#include <condition_variable>\n"
    "#include <exception>\n#include <memory>\n#include <mutex>\n#include <thread>\nusing namespace std;\n"
    "extern \"C\" { void __hd_output(int, const void *, unsigned long); [[noreturn]] void __hd_fail(const char *, const char *); }\n"
    "static int a, b, *p; static atomic<int> c, d; static sem_t s; static pthread_barrier_t z;\n"
    "#define LOG(x) (h = h * 31 + (unsigned)(x))\n"
    "static void put(unsigned long x) { char t[17]; for (int i = 0; i < 16; i++) t[i] = \"0123456789abcdef\"[x >> 4 * i & 15]; t[16] = ' ';"
    " __hd_output(1, t, 17); }\n"
    "struct bad { int v; }; struct worse : bad {}; struct loud { int v; loud(int x) : v(x) {} loud(const loud &o) : v(o.v) { d++; } ~loud() { "
    "c = v; } };\n"
    "struct publishes { atomic<int> &to; int v; ~publishes() { to = v; } }; struct adds { ~adds() { a++; } };\n"
    "struct throws_late { int when; ~throws_late() noexcept(false) { if (c == when) throw bad{4}; } };\n"
    "static mutex m; static condition_variable q; static exception_ptr kept; static shared_ptr<int> shared; static once_flag once;\n"
    "static atomic<int *> block; static thread_local publishes own{d, 3};\n"
    "static __attribute__((noinline)) int thrower(int x) { if (x == 1) throw bad{1}; if (x == 2) throw worse{{2}}; if (x == 3) throw 3; "
    "return x; }\n"
    "static __attribute__((noinline)) int through(int x) { publishes l{c, x}; return thrower(x) + 1; }\n"
    "static __attribute__((noinline)) int locked(int x) { lock_guard<mutex> l(m); b++; return thrower(x); }\n"
    "static int never(int x) noexcept { return thrower(x); }\n"
    "struct slow { int v; slow() { if (c == 1) throw bad{5}; v = ++b; } }; static int lazily() { static slow l; return l.v; }\n"
    "static void *child_of(void *x) { try { thrower(c); } catch (const bad &e) { a = e.v; } return x; }\n";

static void put_through_function(struct generator *g) {
  static const char *const locals[] = {"publishes l{c, 1};", "adds l;", "lock_guard<mutex> l(m);", "unique_ptr<int> l(new int(1));",
                                       "loud l{2};"};
  struct helper x;
  text_puts(g->out, "try { ");
  helper_begin(g, &x);
  text_printf(g->out, " %s", locals[below(g, sizeof locals / sizeof *locals)]);
  put_text(g, " @ LOG(thrower($)); @");
  helper_end(g, &x);
  put_text(g, below(g, 3) ? " } catch (const bad &e) { LOG(e.v); }" : " } catch (...) { LOG(8); @ }");
}

static const struct statement_kind kinds[] = {
    {4, .put = put_through_function, .nests = true},
    {3, .text = "try { @ LOG(through($)); } catch (const bad &e) { LOG(e.v); @ } catch (int n) { LOG(n + 4); }"},
    {3, .text = "try { LOG(locked($)); } catch (const bad &e) { LOG(e.v); } catch (...) { LOG(9); }"},
    {2, .text = "try { if ($ == #) throw bad{#}; @ } catch (bad e) { LOG(e.v); }"},
    {2, .text = "try { try { LOG(thrower($)); } catch (const worse &) { @ throw; } catch (int) { throw bad{6}; } } catch (const bad &e) { "
                "LOG(e.v); }"},
    {1, .text = "try { throw loud{#}; } catch (loud l) { LOG(l.v); @ }"},
    {1, .text = "try { throws_late l{#}; @ } catch (const bad &e) { LOG(e.v); }"},
    {1, .text = "try { throws_late l{1}; LOG(thrower($)); } catch (const bad &e) { LOG(e.v); } catch (int) { LOG(2); }"},
    {1, .text = "LOG(thrower($));"},
    {1, .text = "LOG(never($ & 1));"},
    {3, .text = "try { LOG(thrower($)); } catch (...) { lock_guard<mutex> l(m); kept = current_exception(); }"},
    {3, .text = "{ exception_ptr l; { lock_guard<mutex> k(m); l = kept; } try { if (l) rethrow_exception(l); } catch (const bad &e) { "
                "LOG(e.v); } catch (int n) { LOG(n); } }"},
    {1, .text = "try { if (kept) rethrow_exception(kept); } catch (...) { LOG(4); }"},
    {1, .text = "kept = make_exception_ptr(bad{#});"},
    {1, .text = "kept = nullptr;"},
    {2, .text = "{ lock_guard<mutex> l(m); @ }"},
    {1, .text = "{ unique_lock<mutex> l(m, try_to_lock); if (l) a++; else LOG(7); }"},
    {1, .text = "{ unique_lock<mutex> l(m); q.wait(l, [] { return a != 0; }); LOG(a); }"},
    {2, .text = "{ lock_guard<mutex> l(m); a = 1; } q.notify_one();"},
    {1, .text = "try { unique_lock<mutex> l(m); l.unlock(); if ($) l.unlock(); } catch (const exception &) { LOG(3); }"},
    {2, .text = "{ thread l([] { a = #; }); @ l.join(); }"},
    {1, .text = "try { thread l([] { try { through(c); } catch (...) { lock_guard<mutex> k(m); kept = current_exception(); } }); @ l.join(); "
                "} catch (const bad &e) { LOG(e.v); }"},
    {1, .text = "thread([] { d++; }).detach();"},
    {1, .text = "try { thread l([] { d = 1; }); LOG(thrower($ & 1)); l.join(); } catch (const bad &e) { LOG(e.v); }"},
    {2, .text = "try { call_once(once, [] { if (c == 1) throw bad{7}; b++; }); } catch (const bad &e) { LOG(e.v); }"},
    {1, .text = "try { LOG(lazily()); } catch (const bad &e) { LOG(e.v); }"},
    {1, .text = "{ auto l = make_shared<int>(#); lock_guard<mutex> k(m); shared = l; }"},
    {1, .text = "{ shared_ptr<int> l; { lock_guard<mutex> k(m); l = shared; } if (l) LOG(++*l); }"},
    {1, .text = "{ weak_ptr<int> w; { lock_guard<mutex> k(m); w = shared; } if (auto l = w.lock()) LOG(*l); }"},
    {1, .text = "shared.reset();"},
    {1, .text = "delete block.exchange(new int(#));"},
    {1, .text = "if (int *l = block) LOG(*l);"},
    {1, .text = "own.v = #; @"},
    {1, .text = "if ($) pthread_exit((void *)h);"},
    {1, .text = "try { adds l; if ($) pthread_exit((void *)h); } catch (const bad &) { }"},
    {1, .text = "try { if ($) pthread_exit((void *)h); } catch (...) { LOG(2); @ throw; }"},
    {1, .text = "{ pthread_t t; pthread_create(&t, 0, child_of, 0); @ pthread_join(t, 0); }"},
    {2, .text = "c = #;"},
    {1, .text = "c.store(#, memory_order_release);"},
    {1, .text = "LOG(d.fetch_add(1, memory_order_relaxed));"},
    {2, .text = "a = #;"},
    {1, .text = "LOG(a);"},
    {1, .text = "LOG(uncaught_exceptions());"},
    {1, .text = "if (a == 1) __hd_fail(\"assertion\", \"a\");"},
};
const struct statement_family family_exceptions = {"", NULL, kinds, sizeof kinds / sizeof *kinds};
