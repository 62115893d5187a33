#!/bin/bash
# The store contract and TLS against a real server: the Swift tests that have Live in their name.
cd "$(dirname "$0")/../.." || exit
export VAULT_TEST_S3="${VAULT_TEST_SEAWEED:?}" VAULT_TEST_S3_TLS="${VAULT_TEST_SEAWEED_TLS:?}"
export VAULT_TEST_S3_CA="${VAULT_TEST_CA:?}"
exec Tests/swift-tests.sh --skip-build --filter Live
