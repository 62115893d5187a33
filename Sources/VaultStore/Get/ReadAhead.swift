internal import VaultFault
internal import VaultFrame
internal import VaultRecord

/// Reads small objects ahead of their turn, whole.
struct ReadAhead: Sendable {
  let opener: SourceOpener
  let settings: GetSettings
  let stop: StopFlag

  /// Works on orders until there are no more.
  func work(_ queue: GetQueue) {
    while let (place, order) = queue.claim() {
      let fetched: Fetched
      do throws(Fault) { fetched = try fetch(order) } catch { fetched = .failed(error) }
      queue.settle(place, fetched)
    }
  }

  private func fetch(_ order: RowOrder) throws(Fault) -> Fetched {
    guard let row = order.seed.row else { throw Fault(.internalFault, "an order without a row") }
    let source = try open(row.source)
    if case .range(let range) = settings.form { return try slice(range, of: source) }
    return try whole(source, expecting: row.objectBytes)
  }

  // What a row says wrongly is that row's fault, not one of the configuration.
  private func open(_ text: String) throws(Fault) -> any ObjectSource {
    let name: SourceName
    do throws(Fault) { name = try SourceName(text) } catch {
      throw Fault(.badRow, error.reason, hint: error.hint)
    }
    return try opener.open(name)
  }

  private func whole(
    _ source: any ObjectSource, expecting size: UInt64?
  ) throws(Fault) -> Fetched {
    var bytes: [UInt8] = []
    var large: ObjectHead?
    do throws(StoreFault) {
      let head = try ContinuedRead(source, settings.policy).read(.from(0), stop: stop) {
        head, piece throws(Fault) in
        if bytes.isEmpty { try settings.check(head, source) }
        guard head.count <= settings.readAhead else {
          large = head
          throw Fault(.tooLarge, "too large to be read ahead")
        }
        bytes.reserveCapacity(Int(head.count))
        append(piece, to: &bytes)
      }
      return .whole(head, bytes)
    } catch {
      if let large { return .large(source, large) }
      throw error.fault
    }
  }

  private func slice(_ range: ByteRange, of source: any ObjectSource) throws(Fault) -> Fetched {
    var writer = StreamWriter(to: MemorySink())
    let surplus = try SliceReading(source, settings, stop).write(range, to: &writer)
    if let surplus { throw surplus }
    let bytes = writer.sink.bytes
    return .whole(ObjectHead(offset: 0, count: UInt64(bytes.count), size: nil), bytes)
  }
}
