public import VaultFault
public import VaultFrame

/// Measures the items of a plain stream and hands out a sum of each: `vault-hash --framed --print`.
///
/// The name of a sum is the item's id. An item that fails has none.
public struct SumConsumer: ItemConsumer, ~Copyable {
  private let options: MeasureOptions
  private let algorithm: DataDigest
  private let say: (SumLine) throws(Fault) -> Void
  private var measure: Measure?
  private var item: ItemID?

  /// A consumer that hands the sum of that algorithm, which `options` take, to `say`.
  public init(
    _ options: MeasureOptions, _ algorithm: DataDigest,
    say: @escaping (SumLine) throws(Fault) -> Void
  ) {
    self.options = options
    self.algorithm = algorithm
    self.say = say
    measure = nil
  }

  /// True when a sum could not be written.
  public private(set) var isBroken = false

  /// Nothing to do.
  public mutating func batchBegan() throws(Fault) {}

  /// Nothing is known of it yet.
  public mutating func itemBegan(_ kind: StreamKind) throws(Fault) { forget() }

  /// Measures the data.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    switch header.type {
    case .label where measure == nil:
      let label = try Label(parsing: payload)
      item = label.item
      measure = try Measure(options, label)
    case .data: try measure?.add(payload)
    default: break
    }
  }

  /// Hands out the sum.
  public mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    let digests = try measure.take()?.finish() ?? []
    guard let item, let digest = digests[algorithm] else { return }
    do throws(Fault) {
      try say(SumLine(digest: digest, name: Array(item.text.utf8)))
    } catch {
      isBroken = true
      throw error
    }
  }

  /// It has no sum.
  public mutating func itemFailed(_ fault: Fault) throws(Fault) { forget() }

  /// Nothing to do.
  public mutating func batchEnded() throws(Fault) {}

  /// Nothing more comes.
  public mutating func streamFailed(_ fault: Fault) { forget() }

  private mutating func forget() {
    measure = nil
    item = nil
  }
}
