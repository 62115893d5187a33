internal import VaultFault

/// The profiles of both shared files together, and which of them is meant.
struct Profiles: Sendable {
  /// The profile that variables name, else `default`.
  let selected: String
  /// Whether a variable named it.
  let isNamed: Bool
  private let credentials: ProfileFile
  private let config: ProfileFile

  /// Reads the files that are there.
  init(_ surroundings: Surroundings) throws(Fault) {
    let name = surroundings.variable("AWS_PROFILE") ?? surroundings.variable("AWS_DEFAULT_PROFILE")
    selected = name ?? "default"
    isNamed = name != nil
    credentials = try Self.read(
      surroundings, "AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials")
    config = try Self.read(surroundings, "AWS_CONFIG_FILE", ".aws/config")
  }

  private static func read(
    _ surroundings: Surroundings, _ variable: String, _ usual: String
  ) throws(Fault) -> ProfileFile {
    let home = surroundings.variable("HOME")
    var path = surroundings.variable(variable) ?? home.map { "\($0)/\(usual)" } ?? ""
    if path.hasPrefix("~/"), let home { path = home + path.dropFirst() }
    guard !path.isEmpty, let bytes = try surroundings.file(path) else { return ProfileFile() }
    return try ProfileFile(bytes, path: path)
  }

  /// The settings of a profile; nil if no file has it. The credentials file wins.
  subscript(_ name: String) -> [String: String]? {
    let fromConfig =
      config.sections["profile \(name)"] ?? (name == "default" ? config.sections[name] : nil)
    let fromCredentials = credentials.sections[name]
    guard fromConfig != nil || fromCredentials != nil else { return nil }
    return (fromConfig ?? [:]).merging(fromCredentials ?? [:]) { $1 }
  }

  /// A setting of the selected profile; nil if it is not set or empty.
  func setting(_ name: String) -> String? {
    self[selected]?[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
