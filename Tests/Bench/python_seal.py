"""python_seal.py: what a program of a few lines does with `cryptography`: AES-256-GCM, 16 KiB chunks."""

import os
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CHUNK, CHUNKS = 16384, 64


def main(source, sink):
    key, number = AESGCM(os.urandom(32)), 0
    while group := memoryview(source.read(CHUNK * CHUNKS)):
        sealed = []
        for at in range(0, len(group), CHUNK):
            sealed.append(key.encrypt(number.to_bytes(12, "big"), group[at:at + CHUNK], None))
            number += 1
        sink.write(b"".join(sealed))


main(sys.stdin.buffer, sys.stdout.buffer)
