internal import VaultFault

/// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`.
struct EnvironmentSource: CredentialSource {
  var surroundings: Surroundings

  func load(stop: StopFlag) throws(StoreFault) -> Credentials? {
    let id = surroundings.variable("AWS_ACCESS_KEY_ID")
    let secret = surroundings.variable("AWS_SECRET_ACCESS_KEY")
    guard id != nil || secret != nil else { return nil }
    guard let id, let secret else {
      let missing = id == nil ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY"
      throw StoreFault(Fault(.noCredentials, "\(missing) is not set, its other half is"))
    }
    return Credentials(
      accessKeyID: id, secretAccessKey: secret,
      sessionToken: surroundings.variable("AWS_SESSION_TOKEN"))
  }
}
