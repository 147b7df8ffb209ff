#!/usr/bin/env bash
# Ends with the exit code of the run, after everything is uploaded.
set -euo pipefail
code=${EVALCTL_EXIT_CODE:-2}
case $code in
  0) echo "evalctl: all is well" ;;
  1) echo "::error title=evalctl::a case did not pass, or a gate was missed or violated" ;;
  3) echo "::error title=evalctl::a case erred" ;;
  *) echo "::error title=evalctl::the run ended with exit code $code" ;;
esac
exit "$code"
