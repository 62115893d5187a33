import VaultIO

Probe.main(Environment.arguments().map { String(decoding: $0, as: UTF8.self) })
