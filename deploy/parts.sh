#!/bin/sh
# Builds a large directory in parts with GNU parallel, and publishes them together:
#
#   CRAWLDEX_STORE=/shared/snapshots deploy/parts.sh /shared/published 16
#
# With PARALLEL="--sshloginfile machines --workdir . --env CRAWLDEX_STORE" the parts run on the machines that the file
# lists, which all have crawldex and the same shared folder, and must run the script there.
set -eu
published=$1
parts=${2:-16}

split=$(mktemp -d "$(dirname "$published")/split-XXXXXX")
trap 'rm -rf "$split"' EXIT
crawldex split "$published" --parts "$parts" --out "$split"
seq "$parts" | parallel --retries 2 crawldex build "$split/{}-of-$parts" --part "{}/$parts" --jobs 1 --quiet
crawldex build --join
