internal import Synchronization
internal import VaultFault

/// A place that credentials may come from.
protocol CredentialSource: Sendable {
  /// Fetches them; nil: this place is not set up, ask the next.
  func load(stop: StopFlag) throws(StoreFault) -> Credentials?
}

/// The places in the order of S3 tools. The first that is set up is the one for good; what it gave
/// is kept, and fetched anew five minutes before its end.
final class CredentialChain: Sendable {
  private let sources: [any CredentialSource]
  private let now: @Sendable () -> Instant
  private let hide: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var chosen: (any CredentialSource)?
    var kept: Credentials?
  }

  /// Seconds before the end of credentials at which new ones are fetched.
  static let margin: Int64 = 300

  init(
    _ sources: [any CredentialSource], now: @escaping @Sendable () -> Instant = { .now },
    hide: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.sources = sources
    self.now = now
    self.hide = hide
  }

  /// Credentials that are good now. Threads that come meanwhile wait for the one that fetches.
  func current(stop: StopFlag) throws(StoreFault) -> Credentials {
    try state.withLock { state throws(StoreFault) in
      if let kept = state.kept, !isEnding(kept) { return kept }
      do throws(StoreFault) {
        let fresh = try load(&state, stop)
        state.kept = fresh
        return fresh
      } catch {
        // Still good for a while: a service that is down for a moment stops nothing.
        if let kept = state.kept, let expires = kept.expires, now() < expires { return kept }
        throw error
      }
    }
  }

  /// Reads the source again after the server called `used` expired; true: there are others now.
  func renew(after used: Credentials, stop: StopFlag) -> Bool {
    state.withLock { state in
      if let kept = state.kept, kept != used { return true }
      do throws(StoreFault) {
        let fresh = try load(&state, stop)
        state.kept = fresh
        return fresh != used
      } catch {
        return false
      }
    }
  }

  private func isEnding(_ credentials: Credentials) -> Bool {
    guard let expires = credentials.expires else { return false }
    return now().seconds + Self.margin >= expires.seconds
  }

  private func load(_ state: inout State, _ stop: StopFlag) throws(StoreFault) -> Credentials {
    for source in state.chosen.map({ [$0] }) ?? sources {
      guard let found = try source.load(stop: stop) else { continue }
      state.chosen = source
      hide(found.secretAccessKey)
      found.sessionToken.map(hide)
      return found
    }
    throw StoreFault(
      Fault(
        .noCredentials, "there are no AWS credentials",
        hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"))
  }
}
