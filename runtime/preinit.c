/* Only for programs that have the runtime in them: libraries' constructors may call functions of the program, as its malloc(). */
extern void __tsan_init(void);
__attribute__((section(".preinit_array"), used)) static void (*const start)(void) = __tsan_init;
