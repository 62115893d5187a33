internal import COpenSSL
public import VaultFault

/// Message authentication codes (RFC 2104).
public enum HMAC {
  /// HMAC-SHA-256 of one message: 32 bytes; the key may have any length, 0 included.
  /// - Throws: ``FaultKind/internalFault`` with the library's reason.
  public static func sha256(
    key: Span<UInt8>, _ message: Span<UInt8>
  ) throws(Fault) -> [UInt8] {
    let template = unsafe try Digests.shared.get().hmac
    guard let context = unsafe EVP_MAC_CTX_dup(template) else { throw failure }
    defer { unsafe EVP_MAC_CTX_free(context) }
    // A nil key means "keep the old key", so an empty one needs an address too.
    let keyed = unsafe key.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return unsafe EVP_MAC_init(context, "", 0, nil) }
      return unsafe EVP_MAC_init(context, base, bytes.count, nil)
    }
    guard keyed == 1 else { throw failure }
    let added = unsafe message.withUnsafeBufferPointer {
      unsafe EVP_MAC_update(context, $0.baseAddress, $0.count)
    }
    guard added == 1 else { throw failure }
    var out = [UInt8](repeating: 0, count: 32)
    let done = unsafe out.withUnsafeMutableBufferPointer {
      unsafe EVP_MAC_final(context, $0.baseAddress, nil, $0.count)
    }
    guard done == 1 else { throw failure }
    return out
  }

  private static var failure: Fault { OpenSSL.fault("cannot compute an HMAC") }
}
