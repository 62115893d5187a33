/// The variables of the environment that are ours.
public enum Variables {
  /// Names a file with the password of a space.
  public static let passwordFile = "VAULT_PASSWORD_FILE"
}
