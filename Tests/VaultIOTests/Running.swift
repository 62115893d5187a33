import CProbe
import Foundation

/// How a process ended.
enum Ending: Equatable {
  case exited(Int32)
  case signalled(Int32)
}

/// The probe in a process of its own; its ends of the pipes are ours to use.
final class Running: @unchecked Sendable {
  let process: pid_t
  private(set) var status: Int32 = 0
  private(set) var input: Int32
  let output: Int32
  let error: Int32

  /// Where the three standard descriptors go.
  enum Stream {
    case pipe
    case nonBlockingPipe
    case file(String)
    case closed
    case descriptor(Int32)
  }

  init(
    _ words: [String], input: Stream = .pipe, output: Stream = .pipe, error: Stream = .pipe,
    environment: [String: String] = [:], session: Bool = false, program: String? = nil
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let ends = [
      Running.connect(0, input, &actions), Running.connect(1, output, &actions),
      Running.connect(2, error, &actions),
    ]
    var attributes = posix_spawnattr_t()
    Running.prepare(&attributes, session: session)
    defer { posix_spawnattr_destroy(&attributes) }
    let path = program ?? Running.probe
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var list = ([path] + words).map { strdup($0) } + [nil]
    var variables = all.map { strdup("\($0)=\($1)") } + [nil]
    defer { for each in list + variables { free(each) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, path, &actions, &attributes, &list, &variables)
    for end in ends where end.theirs >= 0 { close(end.theirs) }
    if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EIO) }
    self.process = process
    (self.input, self.output, self.error) = (ends[0].ours, ends[1].ours, ends[2].ours)
  }

  deinit { for end in [input, output, error] where end >= 0 { close(end) } }

  private static func connect(
    _ number: Int32, _ stream: Stream, _ actions: inout posix_spawn_file_actions_t
  ) -> (ours: Int32, theirs: Int32) {
    switch stream {
    case .pipe, .nonBlockingPipe:
      var ends: [Int32] = [0, 0]
      _ = probe_pipe(&ends)
      let (ours, theirs) = number == 0 ? (ends[1], ends[0]) : (ends[0], ends[1])
      if case .nonBlockingPipe = stream { _ = probe_set_nonblocking(theirs) }
      posix_spawn_file_actions_adddup2(&actions, theirs, number)
      return (ours, theirs)
    case .file(let path):
      posix_spawn_file_actions_addopen(&actions, number, path, number == 0 ? O_RDONLY : O_RDWR, 0)
    case .closed: posix_spawn_file_actions_addclose(&actions, number)
    case .descriptor(let from): posix_spawn_file_actions_adddup2(&actions, from, number)
    }
    return (-1, -1)
  }

  private static func prepare(_ attributes: inout posix_spawnattr_t, session: Bool) {
    posix_spawnattr_init(&attributes)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let flags =
      POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (session ? newSession : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  static let probe: String = {
    let here = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    // `swift test` runs a helper of the toolchain; the tests' own bundle is its argument.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map {
      URL(fileURLWithPath: $0)
    }
    return (bundle ?? here).deletingLastPathComponent().appendingPathComponent("vault-io-probe")
      .path
  }()

  func wait() -> Ending {
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .signalled(status & 0x7f)
  }

  func kill(_ signal: Int32) { Foundation.kill(process, signal) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return }
      sent += max(0, count)
    }
  }

  func endInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  static func all(_ descriptor: Int32, upTo limit: Int = .max) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  static func text(_ descriptor: Int32) -> String {
    String(decoding: all(descriptor), as: UTF8.self)
  }
}

private let newSession: Int32 = 0x80

/// Runs the probe to its end with little input.
func probe(
  _ words: [String], input: [UInt8] = [], environment: [String: String] = [:]
) throws -> (ending: Ending, output: String, error: String) {
  let running = try Running(words, environment: environment)
  running.send(input)
  running.endInput()
  let output = Running.text(running.output)
  let error = Running.text(running.error)
  return (running.wait(), output, error)
}

/// A directory of its own, removed afterwards.
final class Scratch {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "vault-io-" + UUID().uuidString
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ bytes: [UInt8]) -> String {
    _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(bytes))
    return path + "/" + name
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
