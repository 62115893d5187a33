internal import VaultFault
internal import VaultFrame

/// Fetches the bytes of a sealed object that a range needs, and writes them as a slice.
struct SliceReading {
  private let source: any ObjectSource
  private let settings: GetSettings
  private let stop: StopFlag

  init(_ source: any ObjectSource, _ settings: GetSettings, _ stop: StopFlag) {
    self.source = source
    self.settings = settings
    self.stop = stop
  }

  /// Writes a whole slice. The first answer says how long the object is, and pins it for the others.
  ///
  /// - Returns: the fault of a range that begins past the end, of which the slice is that of no byte.
  func write<Sink: FrameSink & ~Copyable>(
    _ range: ByteRange, to writer: inout StreamWriter<Sink>
  ) throws(Fault) -> Fault? {
    var slice = SliceMaker(range)
    var first: ObjectHead?
    try writer.beginItem(.slice)
    while let wanted = slice.wanted {
      let isBegun = first != nil
      do throws(StoreFault) {
        let wish = ByteWish.closed(wanted.lowerBound, wanted.upperBound - 1)
        _ = try ContinuedRead(source, settings.policy).read(wish, pin: first?.etag, stop: stop) {
          head, piece throws(Fault) in
          if first == nil { try slice.objectHas(size(of: head)) }
          let whole = first ?? head
          first = whole
          guard head.size == nil || head.size == whole.size else {
            throw Fault(.objectChanged, "\(source.shown) has another size now")
          }
          try source.naming { () throws(Fault) in try slice.push(piece, to: &writer) }
        }
      } catch { throw isBegun ? error.fault : named(error.fault) }
      guard first != nil else { throw named(Fault(.badRange, "no byte came")) }
    }
    try writer.endItem()
    return slice.rangeFault
  }

  private func size(of head: ObjectHead) throws(Fault) -> UInt64 {
    guard let size = head.size else {
      throw Fault(.remoteRefused, "\(source.shown): the server does not say how long it is")
    }
    try settings.check(head, source)
    return size
  }

  // Nothing but an empty object has no byte at 0.
  private func named(_ fault: Fault) -> Fault {
    switch fault.kind {
    case .badRange:
      Fault(.notSealed, "cannot use \(source.shown): it is empty, not a sealed object")
    case .notAStream, .wrongKind:
      Fault(.notSealed, "cannot use \(source.shown): it is not a sealed object")
    default: fault
    }
  }
}
