import VaultFault
import VaultFrame
import VaultSeal

// The texts of streams, envelopes and space files: one way to write each, so the very bytes come back.

func texts(_ bytes: [UInt8]) {
  same(bytes) { (bytes) throws(Fault) in try Label(parsing: bytes.span).payload }
  same(bytes) { (bytes) throws(Fault) in try Summary(parsing: bytes.span).payload }
  same(bytes) { (bytes) throws(Fault) in try Manifest(parsing: bytes.span).payload }
  same(bytes) { (bytes) throws(Fault) in try NamedDigest(parsing: bytes.span).payload }
  same(bytes) { (bytes) throws(Fault) in try AbortOrigin(parsing: bytes.span).payload }
}

func envelopes(_ bytes: [UInt8]) throws(Fault) {
  let found = try Envelope(parsing: bytes.span)
  let made = try Envelope(
    item: found.item, body: found.body, slots: found.slots, check: { _ in found.check },
    mac: { _ in found.mac })
  require(made.payload == bytes, "an envelope is written back as other bytes")
  require(bytes.starts(with: found.authenticated), "the MAC covers other bytes")
  require(found.authenticated.starts(with: found.checked), "the check covers other bytes")
}

func spaces(_ bytes: [UInt8]) throws(Fault) {
  let found = try SpaceFile(parsing: bytes.span)
  require(found.bytes == bytes, "a space file is written back as other bytes")
  if case .password(let rounds, _) = found.content.derivation {
    require(SpaceFile.rounds.contains(rounds), "rounds out of bounds")
  }
  _ = found.inspection
}

func ignoring(_ body: () throws(Fault) -> Void) {
  do throws(Fault) { try body() } catch { return }
}

private func same(_ bytes: [UInt8], _ rewrite: ([UInt8]) throws(Fault) -> [UInt8]) {
  ignoring { () throws(Fault) in
    let written = try rewrite(bytes)
    require(written == bytes, "a text is written back as other bytes")
  }
}
