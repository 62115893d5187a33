internal import COpenSSL
internal import VaultDigest
internal import VaultFault

/// The algorithms of this module, fetched once: a fetch by name costs more than sealing a key.
@safe struct Algorithms: @unchecked Sendable {
  let gcm: OpaquePointer
  let sha256: OpaquePointer

  static let shared: Result<Algorithms, Fault> = fetch()

  private static func fetch() -> Result<Algorithms, Fault> {
    do throws(Fault) { try OpenSSL.start() } catch { return .failure(error) }
    guard let gcm = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil),
      let sha256 = unsafe EVP_MD_fetch(nil, "SHA2-256", nil)
    else { return .failure(OpenSSL.fault("OpenSSL lacks an algorithm")) }
    return unsafe .success(Algorithms(gcm: gcm, sha256: sha256))
  }
}
