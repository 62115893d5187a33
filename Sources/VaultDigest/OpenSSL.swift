internal import COpenSSL
public import VaultFault

/// The library below: started once, without its configuration file.
public enum OpenSSL {
  /// Starts OpenSSL with its secure heap of 64 KiB, where it keeps the keys of every HMAC too, and
  /// fetches every digest; later calls only report how the first one ended.
  ///
  /// Call it before a system-call filter is loaded. Safe from any thread. `openssl.cnf` is never
  /// read, so neither a file nor the environment can add a module (a host's FIPS configuration is
  /// not honoured either).
  /// - Throws: ``FaultKind/internalFault`` when the library lacks a digest.
  public static func start() throws(Fault) { _ = try Digests.shared.get() }

  /// Whether the secure heap is locked in memory and guarded; false is a missing protection.
  package static func heapIsLocked() throws(Fault) -> Bool { try Digests.shared.get().heapIsLocked }

  /// A fault of ours with the library's own reason; empties the library's queue of errors.
  package static func fault(_ what: String) -> Fault {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let text = unsafe ERR_reason_error_string(code) else {
      return Fault(.internalFault, what)
    }
    return unsafe Fault(.internalFault, "\(what): \(String(cString: text))")
  }
}

/// The digests, fetched once: a fetch by name costs more than hashing a small message.
@safe struct Digests: @unchecked Sendable {
  let sha3: OpaquePointer
  let sha256: OpaquePointer
  let md5: OpaquePointer
  let hmac256: OpaquePointer
  let hmac512: OpaquePointer
  let heapIsLocked: Bool

  static let shared: Result<Digests, Fault> = fetch()

  private static func fetch() -> Result<Digests, Fault> {
    guard vault_openssl_start() == 1 else {
      return .failure(OpenSSL.fault("cannot start OpenSSL"))
    }
    // Before anything is kept in it: 1 for a good heap, 2 for one that is not locked or guarded.
    let heap = CRYPTO_secure_malloc_init(65536, 32)
    guard heap == 1 || heap == 2 else {
      return .failure(OpenSSL.fault("cannot make a heap for secrets"))
    }
    guard let sha3 = unsafe EVP_MD_fetch(nil, "SHA3-256", nil),
      let sha256 = unsafe EVP_MD_fetch(nil, "SHA2-256", nil),
      let md5 = unsafe EVP_MD_fetch(nil, "MD5", nil),
      let hmac256 = unsafe vault_hmac_template("SHA2-256"),
      let hmac512 = unsafe vault_hmac_template("SHA2-512")
    else { return .failure(OpenSSL.fault("OpenSSL lacks a digest")) }
    return unsafe .success(
      Digests(
        sha3: sha3, sha256: sha256, md5: md5, hmac256: hmac256, hmac512: hmac512,
        heapIsLocked: heap == 1))
  }

  func method(_ algorithm: DigestAlgorithm) -> OpaquePointer {
    switch algorithm {
    case .sha3_256: unsafe sha3
    case .sha256: unsafe sha256
    case .md5: unsafe md5
    }
  }
}
