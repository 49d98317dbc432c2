#!/bin/sh
# Plays on a Dask cluster of two workers on this machine, behind a certificate of its own, and ends it afterwards:
#     sh two-workers.sh dynasties --games 10000
# For several machines, copy the folder of keys to each over a safe way, and start the worker there with the same
# variables and an address of your own network. Whoever has the key can run programs on all of them.
set -eu
port=${PORT:-8786}
keys=$(mktemp -d)
started=
trap 'kill $started 2>/dev/null || true; wait; rm -rf "$keys"' EXIT
trap 'exit 130' INT TERM

openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=tablewright-lab \
    -keyout "$keys/key.pem" -out "$keys/certificate.pem" 2>/dev/null
export DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION=true
export DASK_DISTRIBUTED__COMM__TLS__CA_FILE="$keys/certificate.pem"
for role in SCHEDULER WORKER CLIENT; do
    export "DASK_DISTRIBUTED__COMM__TLS__${role}__CERT=$keys/certificate.pem"
    export "DASK_DISTRIBUTED__COMM__TLS__${role}__KEY=$keys/key.pem"
done

dask scheduler --protocol tls --host 127.0.0.1 --port "$port" --no-dashboard >"$keys/scheduler" 2>&1 &
started=$!
dask worker "tls://127.0.0.1:$port" --nworkers 2 --nthreads 1 --host 127.0.0.1 --no-dashboard \
    --local-directory "$keys" >"$keys/workers" 2>&1 &
started="$started $!"
python -c "from distributed import Client; Client('tls://127.0.0.1:$port').wait_for_workers(2, timeout=120)"
companion playtest "$@" --cluster "tls://127.0.0.1:$port"
