/// A key pair that signs requests; for a limited time when a token and an end come with it.
///
/// Never printed: its description has no member of it.
struct Credentials: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  var accessKeyID: String
  var secretAccessKey: String
  var sessionToken: String?
  var expires: Instant?

  init(
    accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil,
    expires: Instant? = nil
  ) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
    self.expires = expires
  }

  var description: String { "credentials" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
