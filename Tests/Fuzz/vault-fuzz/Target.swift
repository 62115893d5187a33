import VaultFault
import VaultIO

// libFuzzer's own entry, since the package's executables bring their main with them.
@_silgen_name("LLVMFuzzerRunDriver")
private func drive(
  _ count: UnsafeMutablePointer<Int32>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ try: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Runs libFuzzer on this process's arguments.
@main enum VaultFuzz {
  static func main() {
    var count = CommandLine.argc
    var words = unsafe CommandLine.unsafeArgv
    _ = unsafe drive(&count, &words, one)
  }
}

/// What libFuzzer calls with each input. VAULT_FUZZ_TARGET chooses the parser; every one of them
/// promises that it never traps, and that what it takes it writes back as it was.
@c(LLVMFuzzerTestOneInput)
public func one(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
  chosen(bytes)
  return 0
}

private let chosen: @Sendable ([UInt8]) -> Void = {
  let name = Environment.value("VAULT_FUZZ_TARGET") ?? ""
  guard let parser = parsers[name] else { fatalError("no fuzz target is called \(name)") }
  return { bytes in
    do throws(Fault) { try parser(bytes) } catch { return }
  }
}()

private let parsers: [String: @Sendable ([UInt8]) throws(Fault) -> Void] = [
  "frames": frames, "text": texts, "envelope": envelopes, "space": spaces, "keys": keyFiles,
  "json": records, "xml": answers,
]

/// Ends the run with a report when what was read is not what would be written.
func require(_ isTrue: Bool, _ what: String) {
  if !isTrue { fatalError(what) }
}
