#!/bin/sh
# Starts the browser inside its limits: a cgroup where there is one, and what each process may map.
# A limit that cannot be had is done without: the watch is there in any case.
if [ -n "$NEXUS_BROWSER_CGROUP" ]; then
  echo $$ 2>/dev/null >"$NEXUS_BROWSER_CGROUP/cgroup.procs"
fi
ulimit -d "$NEXUS_BROWSER_DATA_KIB" 2>/dev/null
program=$NEXUS_BROWSER_PROGRAM
unset NEXUS_BROWSER_PROGRAM NEXUS_BROWSER_DATA_KIB NEXUS_BROWSER_CGROUP
exec "$program" "$@"
