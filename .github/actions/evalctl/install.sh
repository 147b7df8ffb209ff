#!/usr/bin/env bash
# Installs evalctl, unless it is installed already and no package is named.
set -euo pipefail
if [ -n "${EVALCTL_PACKAGE:-}" ]; then
  python3 -m pip install --quiet "$EVALCTL_PACKAGE"
elif ! command -v evalctl >/dev/null; then
  echo "::error title=evalctl::name what pip installs with the input 'package'"
  exit 2
fi
evalctl --version
