public import VaultIO

/// The files that credentials and certificates may be read from while a tool runs.
public enum CredentialFiles {
  /// Those that variables name, and `~/.aws`; they need not be there.
  public static var paths: [Path] {
    let names = [
      "AWS_CA_BUNDLE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE",
      "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    ]
    let home = Environment.value("HOME").map { [Path($0 + "/.aws")] } ?? []
    return names.compactMap { Environment.value($0) }.map { Path($0) } + home
  }
}
