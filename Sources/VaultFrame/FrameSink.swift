public import VaultFault

/// Where frames go: a descriptor in the tools, memory in the tests.
public protocol FrameSink: ~Copyable {
  /// Writes one prologue or one frame whole: a failure leaves nothing half written behind it that
  /// ``writeAbort(_:)`` could not complete.
  mutating func write(_ head: Span<UInt8>, _ payload: Span<UInt8>) throws(Fault)

  /// Completes what a failed write left, then writes `frame`; waits 2 s at most, fails quietly.
  mutating func writeAbort(_ frame: Span<UInt8>)

  /// Whether a failed write was begun, and its rest waits for ``writeAbort(_:)``.
  var isInFrame: Bool { get }
}

extension FrameSink where Self: ~Copyable {
  /// A sink that never leaves a rest.
  public var isInFrame: Bool { false }
}

/// A sink in memory.
public struct MemorySink: FrameSink {
  /// All that was written.
  public private(set) var bytes: [UInt8] = []

  /// An empty sink.
  public init() {}

  /// Appends the two.
  public mutating func write(_ head: Span<UInt8>, _ payload: Span<UInt8>) {
    unsafe head.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    unsafe payload.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends the frame.
  public mutating func writeAbort(_ frame: Span<UInt8>) { write(frame, [UInt8]().span) }
}
