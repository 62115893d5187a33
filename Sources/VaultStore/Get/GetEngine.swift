public import VaultFault
public import VaultFrame
internal import VaultIO

/// Reads objects and writes a stream of them: the work of `vault-get`.
///
/// All of it is written by the thread that calls; a batch has threads of its own that read ahead.
public struct GetEngine<Sink: FrameSink & ~Copyable>: ~Copyable {
  var writer: StreamWriter<Sink>
  let settings: GetSettings
  let stop = StopFlag(heedingSignals: true)
  /// How far it has come.
  public let counts = GetCounts()

  /// An engine that writes to `sink`.
  public init(_ settings: GetSettings, to sink: consuming Sink) {
    self.settings = settings
    writer = StreamWriter(to: sink)
  }

  /// True when the output failed.
  public var outputIsBroken: Bool { writer.isBroken }

  /// Reads one object and writes it as a lone item, which ends with an abort when this throws.
  ///
  /// - Parameter label: where the object is, for the label of a plain item; holds no secret.
  public mutating func run(_ source: any ObjectSource, named label: String) throws(Fault) {
    do throws(Fault) {
      switch settings.form {
      case .sealed:
        var relay = SealedRelay(.sealed, LabelSeed())
        try read(source, from: nil, &relay)
      case .plain:
        var relay = try PlainRelay(LabelSeed(source: label), takesDigest: settings.takesDigest)
        try read(source, from: nil, &relay)
      case .range(let range): try slice(range, of: source)
      }
    } catch { throw try abandoned(error) }
  }

  /// Ends a lone item with an abort; the fault that counts.
  mutating func abandoned(_ fault: Fault) throws(Fault) -> Fault {
    let fault = try settled(fault)
    if !writer.isInItem, counts.items == 0, !writer.isBroken {
      try writer.beginItem(settings.form.kind)
    }
    writer.abort(fault.abortOrigin(tool: settings.tool))
    return fault
  }

  private mutating func slice(_ range: ByteRange, of source: any ObjectSource) throws(Fault) {
    let reading = SliceReading(source, settings, stop)
    let surplus = try reading.write(range, to: &writer)
    counts.end()
    if let surplus { throw surplus }
  }

  /// Reads a source to its end into a relay.
  mutating func read<Relay: ObjectRelay & ~Copyable>(
    _ source: any ObjectSource, from pin: ObjectHead?, _ relay: inout Relay
  ) throws(Fault) {
    let head = try GetEngine.read(source, pin, settings, stop, counts, &relay, &writer)
    try source.naming { () throws(Fault) in try relay.finish(head, to: &writer) }
    counts.end()
  }

  private static func read<Relay: ObjectRelay & ~Copyable>(
    _ source: any ObjectSource, _ pin: ObjectHead?, _ settings: GetSettings, _ stop: StopFlag,
    _ counts: GetCounts, _ relay: inout Relay, _ writer: inout StreamWriter<Sink>
  ) throws(Fault) -> ObjectHead {
    var isFirst = true
    do throws(StoreFault) {
      // The other objects of a batch have the memory of the pieces.
      let lanes = writer.isBatch ? 1 : settings.jobs
      return try WholeRead(source, settings.policy, lanes: lanes, stop).read(pin: pin?.etag) {
        head, piece throws(Fault) in
        if isFirst {
          try settings.check(head, source)
          if !writer.isBatch { counts.expect(head.count) }
        }
        isFirst = false
        try source.naming { () throws(Fault) in try relay.push(piece, head, to: &writer) }
        counts.add(piece.count)
      }
    } catch { throw error.fault }
  }

  /// The fault that counts: a signal's, when that is why a call gave up.
  func settled(_ fault: Fault) throws(Fault) -> Fault {
    guard fault.kind == .cancelled, fault.signal == nil, Signals.pending != nil else {
      return fault
    }
    do throws(Fault) { try Signals.check() } catch { return error }
    return fault
  }
}

extension GetSettings {
  /// Throws `too-large` for an object past `--max-bytes`.
  func check(_ head: ObjectHead, _ source: any ObjectSource) throws(Fault) {
    guard let maxBytes, let size = head.size, size > maxBytes else { return }
    throw Fault(.tooLarge, "\(source.shown) has \(size) bytes, more than \(maxBytes)")
  }
}

extension ObjectSource {
  /// Says of which source a fault is, unless it is one of the output.
  func naming(_ body: () throws(Fault) -> Void) throws(Fault) {
    do throws(Fault) { try body() } catch {
      guard error.kind != .writeFailed, error.kind != .cancelled else { throw error }
      throw Fault(error.kind, "cannot use \(shown): \(error.reason)", hint: error.hint)
    }
  }
}
