# FastTree with OpenMP: a tree for sequences that awk makes of each other. ThreadSanitizer needs libarcher to know what clang's libomp does,
# and knows nothing of gcc's libgomp; its reports, thousands, would be most of what it takes, so it prints none.
build_fasttree() { make fasttreeMP "CC=$CC" CFLAGS=-O2; }
fasttree() {
  package fasttree fasttreeMP || return
  awk -v number=150 -v columns=200 'BEGIN {
    srand(1)
    for (j = 0; j < columns; j++) base[0, j] = 1 + int(4 * rand())
    for (i = 0; i < number; i++) {
      from = int(i * rand())
      for (j = 0; j < columns; j++) base[i, j] = i == 0 || rand() > 0.05 ? base[from, j] : 1 + int(4 * rand())
      printf ">s%d\n", i
      for (j = 0; j < columns; j++) printf "%s", substr("ACGT", base[i, j], 1)
      printf "\n"
    }
  }' >sequences
  grow() {
    local tsan_options=report_bugs=0
    OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive OMP_TOOL_LIBRARIES=$([ "$kind" = clang ] && ls /usr/lib/llvm-19/lib/libarcher.so) \
      measured "$folder/fasttree/fasttreeMP" -nt -quiet sequences && mv out "tree.$kind" && [ -s "tree.$kind" ] && cmp "tree.$kind" tree.native
  }
  row fasttree grow
}
