internal import VaultFault

/// The selected profile of the shared files; read anew each time, since other programs renew it.
struct ProfileSource: CredentialSource {
  var surroundings: Surroundings
  var tokens: TokenService

  func load(stop: StopFlag) throws(StoreFault) -> Credentials? {
    let profiles = try permanently { () throws(Fault) in try Profiles(surroundings) }
    guard profiles[profiles.selected] != nil else {
      guard profiles.isNamed else { return nil }
      throw missing(profiles.selected)
    }
    return try resolve(profiles.selected, profiles, [], stop)
  }

  private func resolve(
    _ name: String, _ profiles: Profiles, _ visited: [String], _ stop: StopFlag
  ) throws(StoreFault) -> Credentials? {
    guard let profile = profiles[name] else { throw missing(name) }
    guard !visited.contains(name) || visited.last == name else {
      throw StoreFault(Fault(.noCredentials, "the profile \(quoted(name)) leads back to itself"))
    }
    // A profile that names itself as its source means its own keys.
    if let role = profile["role_arn"], visited.last != name {
      return try assume(role, name, profile, profiles, visited, stop)
    }
    if let keys = try fixedKeys(profile, name) { return keys }
    for unfit in ["credential_process", "sso_session", "sso_start_url", "login_session"]
    where profile[unfit] != nil {
      throw StoreFault(
        Fault(
          .noCredentials, "the profile \(quoted(name)) uses \(unfit), which is not supported",
          hint: "eval \"$(aws configure export-credentials --profile NAME --format env)\""))
    }
    return nil
  }

  private func fixedKeys(
    _ profile: [String: String], _ name: String
  ) throws(StoreFault) -> Credentials? {
    let id = profile["aws_access_key_id"] ?? ""
    let secret = profile["aws_secret_access_key"] ?? ""
    if id.isEmpty, secret.isEmpty { return nil }
    guard !id.isEmpty, !secret.isEmpty else {
      throw StoreFault(Fault(.noCredentials, "the profile \(quoted(name)) has half a key pair"))
    }
    let token = profile["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
    return Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
  }

  private func assume(
    _ role: String, _ name: String, _ profile: [String: String], _ profiles: Profiles,
    _ visited: [String], _ stop: StopFlag
  ) throws(StoreFault) -> Credentials? {
    if profile["mfa_serial"] != nil { throw asksForCode(name) }
    let wanted = AssumedRole(
      arn: role, session: profile["role_session_name"] ?? "vault-tools",
      externalID: profile["external_id"], seconds: profile["duration_seconds"])
    if let file = profile["web_identity_token_file"] {
      return try tokens.assume(wanted, webIdentityFile: file, surroundings, stop: stop)
    }
    let base: Credentials?
    if let source = profile["source_profile"] {
      base = try resolve(source, profiles, visited + [name], stop)
    } else {
      base = try named(profile["credential_source"], stop)
    }
    guard let base else {
      throw StoreFault(
        Fault(.noCredentials, "the profile \(quoted(name)) names no credentials for its role"))
    }
    return try tokens.assume(wanted, with: base, stop: stop)
  }

  private func named(_ source: String?, _ stop: StopFlag) throws(StoreFault) -> Credentials? {
    switch source {
    case "Environment": try EnvironmentSource(surroundings: surroundings).load(stop: stop)
    case "EcsContainer":
      try ContainerSource(surroundings: surroundings, client: tokens.client).load(stop: stop)
    case "Ec2InstanceMetadata":
      try InstanceSource(surroundings: surroundings, client: tokens.client).load(stop: stop)
    default: nil
    }
  }

  private func asksForCode(_ name: String) -> StoreFault {
    StoreFault(
      Fault(
        .noCredentials, "the profile \(quoted(name)) asks for a one-time code",
        hint: "export credentials that were made with it"))
  }

  private func missing(_ name: String) -> StoreFault {
    StoreFault(Fault(.noCredentials, "there is no profile \(quoted(name))"))
  }
}
