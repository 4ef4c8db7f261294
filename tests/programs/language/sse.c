// The vector instructions that every x86-64 processor has.
// output: native
#include <emmintrin.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static unsigned seed = 12345;
static unsigned next(void) { return seed = seed * 1664525u + 1013904223u; }

static void show(const char *name, __m128i x) {
  uint64_t words[2];
  _mm_storeu_si128((__m128i *)words, x);
  printf("%s %016llx %016llx\n", name, (unsigned long long)words[0], (unsigned long long)words[1]);
}
#define SHOW(e) show(#e, e)
#define SHOWF(e) show(#e, _mm_castps_si128(e))
#define SHOWD(e) show(#e, _mm_castpd_si128(e))

static void integers(__m128i a, __m128i b) {
  SHOW(_mm_packs_epi16(a, b)), SHOW(_mm_packs_epi32(a, b)), SHOW(_mm_packus_epi16(a, b)), SHOW(_mm_madd_epi16(a, b));
  SHOW(_mm_mulhi_epi16(a, b)), SHOW(_mm_mulhi_epu16(a, b)), SHOW(_mm_sad_epu8(a, b)), SHOW(_mm_avg_epu8(a, b)), SHOW(_mm_avg_epu16(a, b));
  SHOW(_mm_slli_epi16(a, 3)), SHOW(_mm_slli_epi32(a, 31)), SHOW(_mm_slli_epi64(a, 64)), SHOW(_mm_srli_epi16(a, 16)), SHOW(_mm_srli_epi32(a, 5));
  SHOW(_mm_srli_epi64(a, 40)), SHOW(_mm_srai_epi16(a, 20)), SHOW(_mm_srai_epi32(a, 7));
  for (int n = 0; n < 70; n += 13) {
    __m128i by = _mm_cvtsi32_si128(n);
    SHOW(_mm_sll_epi16(a, by)), SHOW(_mm_sll_epi32(a, by)), SHOW(_mm_sll_epi64(a, by)), SHOW(_mm_srl_epi16(a, by)), SHOW(_mm_srl_epi32(a, by));
    SHOW(_mm_srl_epi64(a, by)), SHOW(_mm_sra_epi16(a, by)), SHOW(_mm_sra_epi32(a, by));
  }
  SHOW(_mm_adds_epi8(a, b)), SHOW(_mm_subs_epu16(a, b)), SHOW(_mm_max_epi16(a, b)), SHOW(_mm_cmpgt_epi8(a, b)), SHOW(_mm_mul_epu32(a, b));
  SHOW(_mm_unpackhi_epi8(a, b)), SHOW(_mm_shuffle_epi32(a, 0x1b)), SHOW(_mm_slli_si128(a, 3)), SHOW(_mm_mullo_epi16(a, b));
  printf("%d\n", _mm_movemask_epi8(a));
  char bytes[16] = {0};
  _mm_maskmoveu_si128(a, b, bytes);
  SHOW(_mm_loadu_si128((const __m128i *)bytes));
}

static void doubles(__m128d a, __m128d b) {
  SHOWD(_mm_cmplt_pd(a, b)), SHOWD(_mm_cmplt_sd(a, b)), SHOWD(_mm_cmpunord_pd(a, b)), SHOWD(_mm_cmpnle_sd(a, b)), SHOWD(_mm_cmpneq_sd(a, b));
  SHOWD(_mm_min_pd(a, b)), SHOWD(_mm_max_pd(a, b)), SHOWD(_mm_min_sd(a, b)), SHOWD(_mm_max_sd(a, b));
  SHOW(_mm_cvtpd_epi32(a)), SHOW(_mm_cvttpd_epi32(a)), SHOWF(_mm_cvtpd_ps(a));
  printf("%d %d %lld %lld\n", _mm_cvtsd_si32(a), _mm_cvttsd_si32(a), (long long)_mm_cvtsd_si64(a), (long long)_mm_cvttsd_si64(a));
  printf("%d %d %d %d\n", _mm_comilt_sd(a, b), _mm_ucomige_sd(a, b), _mm_comineq_sd(a, b), _mm_movemask_pd(a));
}

static void floats(__m128 a, __m128 b) {
  SHOWF(_mm_cmplt_ps(a, b)), SHOWF(_mm_cmplt_ss(a, b)), SHOWF(_mm_cmpord_ps(a, b)), SHOWF(_mm_cmpnle_ss(a, b));
  SHOWF(_mm_min_ps(a, b)), SHOWF(_mm_max_ps(a, b)), SHOWF(_mm_min_ss(a, b)), SHOWF(_mm_max_ss(a, b));
  SHOW(_mm_cvtps_epi32(a)), SHOW(_mm_cvttps_epi32(a)), SHOWF(_mm_cvtsd_ss(a, _mm_set_pd(1.0, 0.1)));
  printf("%d %d %lld %d %d\n", _mm_cvtss_si32(a), _mm_cvttss_si32(a), (long long)_mm_cvtss_si64(a), _mm_comile_ss(a, b), _mm_movemask_ps(a));
}

int main(void) {
  static const double numbers[] = {0.0, -0.0, 0.5, 1.5, -2.5, 1e10, -1e300, 2147483647.5, -2147483648.5, NAN, INFINITY, 9.3e18};
  int n = sizeof numbers / sizeof *numbers;
  for (int i = 0; i < 4; i++)
    integers(_mm_set_epi32((int)next(), (int)next(), (int)next(), (int)next()), _mm_set_epi32((int)next(), (int)next(), (int)next(), (int)next()));
  for (int i = 0; i < n; i++) {
    double x = numbers[i], y = numbers[(i * 5 + 1) % n], z = numbers[(i + 1) % n];
    doubles(_mm_set_pd(y, x), _mm_set_pd(z, y));
    floats(_mm_set_ps((float)z, (float)x, (float)y, (float)x), _mm_set_ps((float)x, (float)x, (float)z, (float)y));
  }
  return 0;
}
