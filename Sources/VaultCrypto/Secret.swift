internal import COpenSSL
internal import VaultDigest
public import VaultFault

/// Secret bytes: they live in OpenSSL's secure heap (locked, guarded, kept out of core files), are
/// wiped when the value ends, and cannot be copied or printed by accident.
///
/// The heap has 64 KiB for the whole process, so a secret is small and lives briefly.
@safe public struct Secret: ~Copyable, @unchecked Sendable {
  /// The number of bytes.
  public let count: Int
  private let base: UnsafeMutablePointer<UInt8>
  private let capacity: Int

  /// Fresh random bytes from the generator that the library keeps for secrets.
  /// - Throws: ``FaultKind/internalFault`` when the heap is full or the generator fails.
  public init(random count: Int) throws(Fault) {
    try self.init(count: count) { (bytes) throws(Fault) in
      let done = unsafe bytes.withUnsafeMutableBufferPointer {
        unsafe $0.isEmpty ? 1 : RAND_priv_bytes_ex(nil, $0.baseAddress, $0.count, 0)
      }
      guard done == 1 else { throw OpenSSL.fault("cannot get random bytes") }
    }
  }

  /// A copy of bytes; wiping the original is the caller's duty.
  public init(copying bytes: Span<UInt8>) throws(Fault) {
    let count = bytes.count
    let base = unsafe try Secret.allocate(count)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe base.update(from: start, count: count)
    }
    self.count = count
    self.capacity = count
    unsafe self.base = base
  }

  /// Bytes that a closure writes in place; they begin as zeros.
  public init(
    count: Int, fill: (inout MutableSpan<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    try self.init(count: count, capacity: count, fill: fill)
  }

  /// The same with room for more while it is filled; only `count` bytes can be read later.
  init(
    count: Int, capacity: Int, fill: (inout MutableSpan<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    let base = unsafe try Secret.allocate(capacity)
    do throws(Fault) {
      var span = unsafe MutableSpan(_unsafeStart: base, count: capacity)
      try fill(&span)
    } catch {
      unsafe vault_secure_free(base, capacity)
      throw error
    }
    self.count = count
    self.capacity = capacity
    unsafe self.base = base
  }

  deinit { unsafe vault_secure_free(base, capacity) }

  /// The bytes, as long as this value lives.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe Span(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// A second secret with the same bytes.
  public func copy() throws(Fault) -> Secret { try Secret(copying: bytes) }

  /// Makes the secure heap; later calls only report how the first one ended.
  ///
  /// - Returns: false when the system did not let all of it be locked and guarded: a missing
  ///   protection, though secrets still work.
  /// - Throws: ``FaultKind/internalFault`` when there is no heap at all.
  public static func startHeap() throws(Fault) -> Bool { try OpenSSL.heapIsLocked() }

  private static func allocate(_ count: Int) throws(Fault) -> UnsafeMutablePointer<UInt8> {
    try OpenSSL.start()
    guard let room = unsafe vault_secure_malloc(max(count, 1)) else {
      throw OpenSSL.fault("no room for \(count) bytes in the heap for secrets")
    }
    let base = unsafe room.bindMemory(to: UInt8.self, capacity: max(count, 1))
    unsafe base.initialize(repeating: 0, count: max(count, 1))
    return unsafe base
  }
}

/// Overwrites bytes with zeros in a way that the compiler keeps.
public func wipe(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBufferPointer { unsafe vault_cleanse($0.baseAddress, $0.count) }
}

/// The same for a part of a buffer.
func wipe(_ bytes: inout MutableSpan<UInt8>, _ range: Range<Int>) {
  unsafe bytes.withUnsafeMutableBufferPointer {
    let part = unsafe UnsafeMutableBufferPointer(rebasing: $0[range])
    unsafe vault_cleanse(part.baseAddress, part.count)
  }
}
