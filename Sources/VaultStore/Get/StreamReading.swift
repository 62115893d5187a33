public import VaultFault
internal import VaultFrame
public import VaultIO

// An object that comes once and in order: a pipe, a FIFO, a device, standard input.
extension GetEngine where Sink: ~Copyable {
  /// Reads a descriptor to its end and writes it as a lone item, which ends with an abort when this
  /// throws.
  ///
  /// A pipe does not tell why it ended: of a sealed object the end frame says that all has come, a plain
  /// one is what has come.
  /// - Throws: as ``run(_:named:)``; `usage` for a range, which needs any offset.
  public mutating func run(
    stream input: borrowing Descriptor, named label: String
  ) throws(Fault) {
    do throws(Fault) {
      switch settings.form {
      case .sealed:
        var relay = SealedRelay(.sealed, LabelSeed())
        try read(input, &relay)
      case .plain:
        var relay = try PlainRelay(LabelSeed(source: label), takesDigest: settings.takesDigest)
        try read(input, &relay)
      case .range: throw Fault(.usage, "\(input.name) is a stream, of which no range can be read")
      }
    } catch { throw try abandoned(error) }
  }

  private mutating func read<Relay: ObjectRelay & ~Copyable>(
    _ input: borrowing Descriptor, _ relay: inout Relay
  ) throws(Fault) {
    input.widenPipe()
    var head = ObjectHead(offset: 0, count: 0, size: nil)
    var buffer = [UInt8](uninitializedCount: 1 << 20)
    while case let count = try input.read(into: &buffer), count > 0 {
      if let limit = settings.maxBytes, head.count + UInt64(count) > limit {
        throw Fault(.tooLarge, "\(input.name) has more than \(limit) bytes")
      }
      do throws(Fault) {
        try relay.push(buffer.span.extracting(0..<count), head, to: &writer)
      } catch { throw error.using(label: input.name) }
      head.count += UInt64(count)
      counts.add(count)
    }
    do throws(Fault) { try relay.finish(head, to: &writer) } catch {
      throw error.using(label: input.name)
    }
    counts.end()
  }
}

extension Fault {
  // As `using`, of a name that is quoted already.
  fileprivate func using(label: String) -> Fault {
    guard kind != .writeFailed, kind != .cancelled else { return self }
    return Fault(kind, "cannot use \(label): \(reason)", hint: hint)
  }
}
