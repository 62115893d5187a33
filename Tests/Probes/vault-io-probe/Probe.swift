internal import CProbe
internal import VaultFault
internal import VaultIO

/// One act of VaultIO in a process of its own, so that tests can look at it from outside.
enum Probe {
  static func main(_ words: [String]) {
    do throws(Fault) {
      try StandardDescriptors.secure()
      try run(words.first ?? "", Array(words.dropFirst()))
    } catch {
      say("probe: error: \(error.reason)\n", to: .standardError())
      if let signal = error.signal { Signals.raiseDefault(signal) }
      Process.exit(error.status)
    }
  }

  private static func run(_ act: String, _ words: [String]) throws(Fault) {
    switch act {
    case "copy": try copy(words)
    case "frames": try frames()
    case "sleep": sleepForEver(words)
    case "count-descriptors": countDescriptors(words)
    case "trap": trap(words)
    case "protections": try protections(words)
    case "key-tool": try keyTool(words)
    case "network-tool": try networkTool(words)
    case "atomic": try atomic(words)
    case "child": try child(words)
    case "ask": try ask()
    default: throw Fault(.usage, "no such act")
    }
  }

  static func say(_ text: String, to output: consuming Descriptor = .standardOutput()) {
    try? output.writeAll(Array(text.utf8).span)
  }
}

enum Process {
  static func exit(_ status: ExitStatus) -> Never { probe_exit(Int32(status.rawValue)) }
}
