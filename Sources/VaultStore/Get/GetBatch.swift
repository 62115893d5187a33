public import VaultFault
internal import VaultFrame
public import VaultIO
internal import VaultRecord

// A batch: rows in, items out, in the order of the rows.
extension GetEngine where Sink: ~Copyable {
  /// Reads the objects of rows and writes them as a batch. An item that fails is aborted in its place.
  ///
  /// - Returns: the fault of the first bad item, which has been told to the settings' notice.
  /// - Throws: what ends the batch: rows that are not complete, the output, a signal, credentials
  ///   that are missing. Then the batch ends with an abort.
  public mutating func run(
    rows: consuming sending Descriptor, done: DoneRows, _ opener: SourceOpener
  ) throws(Fault) -> Fault? {
    let queue = GetQueue(places: settings.jobs)
    defer {
      stop.raise()
      queue.close()
    }
    do throws(Fault) {
      try writer.beginBatch()
      try Self.startReading(rows, RowIntake(done: done, needsEnd: settings.needsRowsEnd), queue)
      let ahead = ReadAhead(opener: opener, settings: settings, stop: stop)
      for _ in 0..<settings.jobs { _ = try WorkerThread { ahead.work(queue) } }
      let first = try write(queue)
      try writer.endBatch()
      return first
    } catch {
      let fault = try settled(error)
      writer.abort(fault.abortOrigin(tool: settings.tool))
      throw fault
    }
  }

  private static func startReading(
    _ rows: consuming sending Descriptor, _ intake: RowIntake, _ queue: GetQueue
  ) throws(Fault) {
    let input = RowInput(rows)
    _ = try WorkerThread { queue.end(input.read(intake, into: queue)) }
  }

  private mutating func write(_ queue: GetQueue) throws(Fault) -> Fault? {
    var first: Fault?
    while let (order, fetched) = try queue.next() {
      do throws(Fault) { try write(order, fetched) } catch {
        let fault = try settled(error)
        guard !writer.isBroken, !fault.endsBatch else { throw fault }
        try fail(order, fault)
        if first == nil { first = fault }
      }
      queue.written()
    }
    return first
  }

  private mutating func write(_ order: RowOrder, _ fetched: Fetched) throws(Fault) {
    switch (fetched, settings.form) {
    case (.failed(let fault), _): throw fault
    case (_, .plain):
      var relay = try PlainRelay(order.seed, takesDigest: settings.takesDigest)
      try write(order, fetched, &relay)
    case (_, .sealed), (_, .range):
      var relay = SealedRelay(settings.form.kind, order.seed)
      try write(order, fetched, &relay)
    }
  }

  private mutating func write<Relay: ObjectRelay & ~Copyable>(
    _ order: RowOrder, _ fetched: Fetched, _ relay: inout Relay
  ) throws(Fault) {
    switch fetched {
    case .failed(let fault): throw fault
    case .large(let source, let head): try read(source, from: head, &relay)
    case .whole(let head, let bytes):
      let name = order.seed.row?.source ?? ""
      do throws(Fault) {
        try relay.push(bytes.span, head, to: &writer)
        try relay.finish(head, to: &writer)
      } catch { throw error.using(order.seed.source ?? name) }
      counts.add(bytes.count)
      counts.end()
    }
  }

  private mutating func fail(_ order: RowOrder, _ fault: Fault) throws(Fault) {
    if !writer.isInItem {
      let label = try order.seed.failedLabel(line: order.line)
      try writer.beginItem(settings.form.kind)
      try writer.frame(.label, label.span)
    }
    writer.abortItem(fault.abortOrigin(tool: settings.tool, line: order.line))
    counts.end()
    settings.notice(Fault(fault.kind, "line \(order.line): \(fault.reason)", hint: fault.hint))
  }
}

extension Fault {
  // Whatever row came next would fail in the same way.
  var endsBatch: Bool {
    [.cancelled, .noCredentials, .badConfiguration, .missingProtection].contains(kind)
  }

  /// Says of which source a fault is, unless it is one of the output.
  func using(_ source: String) -> Fault {
    guard kind != .writeFailed, kind != .cancelled else { return self }
    return Fault(kind, "cannot use \(quoted(source)): \(reason)", hint: hint)
  }

  /// The first cause, with the number of the row's line.
  func abortOrigin(tool: String, line: UInt64) -> AbortOrigin {
    let origin = abortOrigin(tool: tool)
    return AbortOrigin(stage: origin.stage, exit: origin.exit, name: origin.name, numbers: [line])
  }
}

/// The rows' descriptor, on the thread that reads it.
private final class RowInput: Sendable {
  private let input: Descriptor

  init(_ input: consuming sending Descriptor) { self.input = input }

  func read(_ intake: RowIntake, into queue: GetQueue) -> Result<Void, Fault> {
    var intake = intake
    do throws(Fault) {
      var buffer = [UInt8](uninitializedCount: 64 << 10)
      while case let count = try input.read(into: &buffer), count > 0 {
        try intake.push(buffer.span.extracting(0..<count)) { (order) throws(Fault) in
          try put(order, queue)
        }
      }
      try intake.finish { (order) throws(Fault) in try put(order, queue) }
      return .success(())
    } catch { return .failure(error) }
  }

  private func put(_ order: RowOrder, _ queue: GetQueue) throws(Fault) {
    guard queue.put(order) else { throw StoreFault.stopped.fault }
  }
}
