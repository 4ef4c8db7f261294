/* What libavutil/slicethread.c and its headers ask of FFmpeg's config.h. */
#define HAVE_PTHREADS            1
#define HAVE_W32THREADS          0
#define HAVE_OS2THREADS          0
#define HAVE_THREADS             1
#define HAVE_SIMD_ALIGN_64       0
#define HAVE_PRAGMA_DEPRECATED   0
#define HAVE_PTHREAD_SET_NAME_NP 0
#define HAVE_PRCTL               0
#define HAVE_LOCALTIME_R         1
#define HAVE_GMTIME_R            1
#define HAVE_INLINE_ASM          0
#define ARCH_X86                 0
#define CONFIG_SMALL             0
#define CONFIG_TRAPV             0
