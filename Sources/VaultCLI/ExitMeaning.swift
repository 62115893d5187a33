public import VaultFault

extension ExitStatus {
  /// What the code means, in the words of help: one list for the whole suite.
  public var meaning: String {
    switch self {
    case .success: "all done and proven"
    case .mismatch: "a comparison was made and does not match"
    case .usage: "the command line is wrong"
    case .badInput: "the input is malformed, forged, damaged, or not the expected one"
    case .incomplete: "the input is incomplete, or an earlier stage gave up"
    case .refused: "the remote refused, and will again"
    case .internalFault: "a fault of this program"
    case .cannotCreate: "the target exists already, or an output cannot be made"
    case .localIO: "a local read or write failed"
    case .tryAgain: "a retry may help: remote failure, unknown answer, busy, no memory"
    case .denied: "no key given opens this, or the remote denies access"
    case .configuration: "a key file, credentials, an endpoint or a protection is missing"
    default: "ended by signal \(Int(rawValue) - 128)"
    }
  }
}
