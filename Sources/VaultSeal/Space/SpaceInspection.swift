internal import VaultFault
public import VaultFrame
internal import VaultRecord

extension SpaceFile {
  /// What can be seen without a key, as a JSON object without a line end; nothing is authenticated.
  public var inspection: [UInt8] {
    var json = JSONWriter()
    json.add("inspect", "vault-space/1")
    json.add("space", content.space.text)
    json.add("revision", content.revision)
    switch content.derivation {
    case .password(let rounds, _):
      json.add("kdf", "pbkdf2-hmac-sha256")
      json.add("rounds", UInt64(rounds))
    case .accessKey: json.add("kdf", "access-key")
    }
    json.add("capture", try? Recipient(publicKey: content.capture).text)
    json.add("authenticated", false)
    return json.finish()
  }
}
