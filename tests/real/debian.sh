# Debian's sources, with an apt of our own, so that the system's needs no change. Sourced by scripts that are in $work, an absolute path, and
# that have a function result().

# apt RELEASE COMMAND..
apt() {
  apt=$work/apt/$1 command=$2 && shift 2
  "$command" -qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$apt/lists" \
    -o Dir::Cache="$apt" -o APT::Sandbox::User= -o APT::Get::List-Cleanup=0 "$@" >>"$apt/log" 2>&1
}

prepare_apt() {
  [ -d "apt/$1/lists" ] && return
  mkdir -p "apt/$1/lists/partial" "apt/$1/archives/partial"
  by="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org"
  for kind in deb deb-src; do
    echo "$kind $by/debian $1 main"
    echo "$kind $by/debian-security $1-security main"
  done >"apt/$1/sources.list"
  apt "$1" apt-get update || { rm -rf "apt/$1/lists" && echo "cannot read Debian's package lists: see $work/apt/$1/log" >&2 && exit 2; }
}

# fetch PACKAGE FOLDER [RELEASE]: its source, unpacked and as Debian patches it, as FOLDER
fetch() {
  [ -d "$2" ] && return
  release=${3:-bookworm}
  prepare_apt "$release"
  mkdir -p "fetched/$1"
  (cd "fetched/$1" && apt "$release" apt-get source "$1") || { result "fetch $1" 1 && return 1; }
  mv "fetched/$1"/*/ "$2"
}

# fetch_gcc: the tests of gcc 12, as gcc
fetch_gcc() {
  [ -d gcc/libstdc++-v3 ] && [ -d gcc/libgomp ] && return
  prepare_apt bookworm
  mkdir -p fetched/gcc gcc
  (cd fetched/gcc && apt bookworm apt-get download gcc-12-source && dpkg -x ./gcc-12-source*.deb .) || { result "fetch gcc-12-source" 1 && return 1; }
  tar -C gcc --strip-components=1 -xJf fetched/gcc/usr/src/gcc-12/gcc-12*.tar.xz --wildcards '*/libstdc++-v3/testsuite/30_threads*' \
    '*/libgomp/testsuite*' '*/libstdc++-v3/testsuite/29_atomics*' '*/libstdc++-v3/testsuite/util*' '*/testsuite/*/tsan*' && return
  rm -rf gcc && result "unpack gcc-12-source" 1 && return 1
}
