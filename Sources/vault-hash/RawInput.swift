import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultMeasure

/// Raw bytes, from a file, a pipe or a command, made into a plain stream.
enum RawInput {
  /// Reads a descriptor to its end.
  static func hash(
    _ input: borrowing Descriptor, _ arguments: Arguments
  ) throws(Fault) -> ExitStatus {
    var label = try label(arguments)
    let watch = try arguments.watch(input)
    if watch != nil, let size = input.remaining, size > 0, label.bytes == nil { label.bytes = size }
    var maker = try maker(label, arguments)
    do throws(Fault) {
      try watch.during { () throws(Fault) in
        try readToEnd(of: input) { (data) throws(Fault) in try maker.push(data) }
      }
      try maker.finish()
    } catch {
      maker.abort(error, tool: "vault-hash")
      throw error
    }
    return .success
  }

  /// Reads what a command writes; the end is written only after its end with status 0.
  static func hash(
    outputOf child: consuming Child, _ arguments: Arguments
  ) throws(Fault) -> ExitStatus {
    var maker = try maker(try label(arguments), arguments)
    do throws(Fault) {
      try readToEnd(of: child.output) { (data) throws(Fault) in try maker.push(data) }
      try requireSuccess(child.wait())
      try maker.finish()
    } catch {
      if let signal = error.signal { child.forward(signal) }
      maker.abort(error, tool: "vault-hash")
      throw error
    }
    return .success
  }

  private static func requireSuccess(_ ending: Child.Ending) throws(Fault) {
    switch ending {
    case .exited(0): return
    case .exited(let code):
      throw Fault(.commandFailed, "the command failed: it exited with \(code)")
    case .signalled(let signal):
      throw Fault(.commandFailed, "the command failed: signal \(Signals.name(of: signal)) ended it")
    }
  }

  private static func maker(
    _ label: Label, _ arguments: Arguments
  ) throws(Fault) -> PlainMaker<DescriptorSink> {
    try PlainMaker(to: DescriptorSink(.standardOutput()), label, Options.measure(arguments))
  }

  private static func label(_ arguments: Arguments) throws(Fault) -> Label {
    let fresh = ItemID(random: try Entropy.bytes(16))
    guard let item = arguments[Options.item].flatMap({ ItemID($0) }) ?? fresh else {
      throw Fault(.internalFault, "cannot make an item id")
    }
    var label = Label(item: item)
    label.bytes = arguments[Options.expectBytes]
    label.description.name = arguments[Options.name].map { Array($0.utf8) }
    label.description.mediaType = arguments[Options.mediaType]
    label.description.isOptimized = arguments[Options.optimized]
    let lengths = [label.description.name?.count, label.description.mediaType?.utf8.count]
    guard lengths.allSatisfy({ $0 ?? 0 <= Label.maxTextBytes }) else {
      throw Fault(.usage, "a name or a media type has more than \(Label.maxTextBytes) bytes")
    }
    return label
  }
}
