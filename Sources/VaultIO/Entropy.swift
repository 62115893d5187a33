internal import CLinux
public import VaultFault

/// Random bytes of the kernel, for tokens and temporary names. Keys come from VaultCrypto.
public enum Entropy {
  /// `count` bytes.
  ///
  /// - Throws: ``VaultFault/FaultKind/internalFault`` if the kernel has none to give.
  public static func bytes(_ count: Int) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = unsafe bytes.withUnsafeMutableBytes { buffer -> Int32 in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe linux_random(base, buffer.count)
    }
    if result < 0 { throw Fault(.internalFault, "no random bytes: \(systemReason(-result))") }
    return bytes
  }
}
