internal import COpenSSL
public import VaultFault

/// Message authentication codes (RFC 2104).
public enum HMAC {
  /// HMAC-SHA-256 of one message: 32 bytes; the key may have any length, 0 included.
  /// - Throws: ``FaultKind/internalFault`` with the library's reason.
  public static func sha256(
    key: Span<UInt8>, _ message: Span<UInt8>
  ) throws(Fault) -> [UInt8] {
    let state = try KeyedHash(.sha256, key: key)
    try state.update(message)
    var out = [UInt8](repeating: 0, count: 32)
    var span = out.mutableSpan
    try state.finish(into: &span, at: 0)
    return out
  }
}

/// A running HMAC; its key is kept in the library's secure heap and wiped with it.
@safe package struct KeyedHash: ~Copyable {
  package enum Function {
    case sha256
    case sha512

    /// The length of the code in bytes.
    package var byteCount: Int { self == .sha256 ? 32 : 64 }
  }

  private let context: OpaquePointer

  package init(_ function: Function, key: Span<UInt8>) throws(Fault) {
    let digests = try Digests.shared.get()
    let template = unsafe function == .sha256 ? digests.hmac256 : digests.hmac512
    guard let context = unsafe EVP_MAC_CTX_dup(template) else { throw KeyedHash.failure }
    // A nil key means "keep the old key", so an empty one needs an address too.
    let keyed = unsafe key.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return unsafe EVP_MAC_init(context, "", 0, nil) }
      return unsafe EVP_MAC_init(context, base, bytes.count, nil)
    }
    guard keyed == 1 else {
      unsafe EVP_MAC_CTX_free(context)
      throw KeyedHash.failure
    }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MAC_CTX_free(context) }

  package func update(_ bytes: Span<UInt8>) throws(Fault) {
    let done = unsafe bytes.withUnsafeBufferPointer {
      unsafe EVP_MAC_update(context, $0.baseAddress, $0.count)
    }
    guard done == 1 else { throw KeyedHash.failure }
  }

  /// Writes the code into a span that has room for it from an offset on.
  package func finish(into out: inout MutableSpan<UInt8>, at offset: Int) throws(Fault) {
    let done = unsafe out.withUnsafeMutableBufferPointer { out in
      let room = unsafe UnsafeMutableBufferPointer(rebasing: out[offset...])
      return unsafe EVP_MAC_final(context, room.baseAddress, nil, room.count)
    }
    guard done == 1 else { throw KeyedHash.failure }
  }

  /// Starts an empty message under the same key.
  package func restart() throws(Fault) {
    guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1 else { throw KeyedHash.failure }
  }

  private static var failure: Fault { OpenSSL.fault("cannot compute an HMAC") }
}
