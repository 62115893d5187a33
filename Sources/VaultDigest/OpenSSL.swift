internal import COpenSSL
public import VaultFault

/// The library below: started once, without its configuration file.
public enum OpenSSL {
  /// Starts OpenSSL and fetches every digest; later calls only report how the first one ended.
  ///
  /// Call it before a system-call filter is loaded. Safe from any thread. `openssl.cnf` is never
  /// read, so neither a file nor the environment can add a module (a host's FIPS configuration is
  /// not honoured either).
  /// - Throws: ``FaultKind/internalFault`` when the library lacks a digest.
  public static func start() throws(Fault) { _ = try Digests.shared.get() }

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
  let hmac: OpaquePointer

  static let shared: Result<Digests, Fault> = fetch()

  private static func fetch() -> Result<Digests, Fault> {
    guard vault_openssl_start() == 1 else {
      return .failure(OpenSSL.fault("cannot start OpenSSL"))
    }
    guard let sha3 = unsafe EVP_MD_fetch(nil, "SHA3-256", nil),
      let sha256 = unsafe EVP_MD_fetch(nil, "SHA2-256", nil),
      let md5 = unsafe EVP_MD_fetch(nil, "MD5", nil),
      let hmac = unsafe vault_hmac_template("SHA2-256")
    else { return .failure(OpenSSL.fault("OpenSSL lacks a digest")) }
    return unsafe .success(Digests(sha3: sha3, sha256: sha256, md5: md5, hmac: hmac))
  }

  func method(_ algorithm: DigestAlgorithm) -> OpaquePointer {
    switch algorithm {
    case .sha3_256: unsafe sha3
    case .sha256: unsafe sha256
    case .md5: unsafe md5
    }
  }
}
