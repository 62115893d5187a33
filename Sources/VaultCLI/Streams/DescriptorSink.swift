public import VaultFault
public import VaultFrame
public import VaultIO

/// Frames to a descriptor: standard output, mostly a pipe.
public struct DescriptorSink: FrameSink, ~Copyable {
  private var output: FrameOutput

  /// Takes over a descriptor and widens it when it is a pipe.
  public init(_ descriptor: consuming Descriptor) {
    descriptor.widenPipe()
    output = FrameOutput(descriptor)
  }

  /// Writes one frame; a signal leaves its rest for ``writeAbort(_:)``.
  public mutating func write(_ head: Span<UInt8>, _ payload: Span<UInt8>) throws(Fault) {
    try output.write(head, payload)
  }

  /// Completes a frame that a signal interrupted, then writes `frame`; 2 s at most.
  public mutating func writeAbort(_ frame: Span<UInt8>) { _ = output.abort(frame) }

  /// Whether a signal interrupted a frame.
  public var isInFrame: Bool { output.isInFrame }
}
