public import VaultFault

/// Frames that go straight into a consumer in the same process.
public struct RunnerSink<Consumer: ItemConsumer & ~Copyable>: FrameSink, ~Copyable {
  /// The consumer's runner.
  public var runner: StreamRunner<Consumer>
  private var hasFailed = false

  /// Takes over a runner.
  public init(_ runner: consuming StreamRunner<Consumer>) { self.runner = runner }

  /// Hands a frame on.
  public mutating func write(_ head: Span<UInt8>, _ payload: Span<UInt8>) throws(Fault) {
    do throws(Fault) {
      try runner.push(head)
      try runner.push(payload)
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Hands an abort on; a consumer that failed already knows.
  public mutating func writeAbort(_ frame: Span<UInt8>) {
    guard !hasFailed else { return }
    do throws(Fault) { try runner.push(frame) } catch { return }
  }
}
