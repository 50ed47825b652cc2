# Sourced by the checks: what they install, and how they end.

fault() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# Installs those of these Debian packages that are missing.
install_packages() {
  local package missing=()
  for package in "$@"; do
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2> /dev/null)" = installed ] || missing+=("$package")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  command -v apt-get > /dev/null || fault "needs ${missing[*]}, and there is no apt-get to install them"
  [ "$(id -u)" = 0 ] || fault "needs ${missing[*]}, which root installs: apt-get install ${missing[*]}"
  echo "Installing ${missing[*]} (they stay)"
  local apt=(apt-get -qq -o DPkg::Lock::Timeout=300)
  "${apt[@]}" update
  DEBIAN_FRONTEND=noninteractive "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" > /dev/null \
    || fault "could not install ${missing[*]}"
}

end_group() {
  kill -TERM -- "-$1" 2> /dev/null || true
  local waited
  for ((waited = 0; waited < 300; waited++)); do
    kill -0 -- "-$1" 2> /dev/null || return 0
    sleep 0.2
  done
  kill -KILL -- "-$1" 2> /dev/null || true
}

# Runs a command as a process group of its own, to its end. A signal to this script ends the whole group, and then this script, which cleans up
# on EXIT: bash alone would leave the command running, or wait for it.
run() {
  set -m
  "$@" < /dev/null &
  local group=$! code=0
  set +m
  trap "trap '' INT TERM HUP; end_group $group; exit 143" INT TERM HUP
  wait "$group" || code=$?
  trap - INT TERM HUP
  return "$code"
}
