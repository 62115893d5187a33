internal import CProbe
internal import VaultFault
internal import VaultIO

extension Probe {
  /// Dies of a fault of its own, with something in memory that must not be shown.
  static func trap(_ words: [String]) {
    probe_allow_core()
    _ = Hardening.start()
    let secret = Array("SECRETSECRETSECRET".utf8)
    say(secret.isEmpty ? "" : "trapping\n")
    let index = words.count + 100
    say("\(secret[index])\n")
  }

  static func protections(_ words: [String]) throws(Fault) {
    var protections = Hardening.start()
    for word in words { unsafe probe_refuse(word) }
    try Hardening.confine(.keyTool(), adding: &protections)
    for each in protections.all { say("\(each.name) \(each.active)\n") }
  }

  static func keyTool(_ words: [String]) throws(Fault) {
    var protections = Hardening.start()
    try Hardening.confine(.keyTool(), adding: &protections)
    for word in words { say("\(word) \(unsafe probe_try(word))\n") }
  }

  /// `+r PATH`, `+w PATH` and then acts.
  static func networkTool(_ words: [String]) throws(Fault) {
    var protections = Hardening.start()
    let reading = words.filter { $0.hasPrefix("+r") }.map { Path($0.dropFirst(2)) }
    let writing = words.filter { $0.hasPrefix("+w") }.map { Path($0.dropFirst(2)) }
    try Hardening.confine(
      .networkTool(reading: reading, writing: writing), adding: &protections)
    for word in words where !word.hasPrefix("+") { say("\(word) \(unsafe probe_try(word))\n") }
  }
}
