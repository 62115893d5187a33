import VaultFault
import VaultIO

// vault-opening IDENTITY KEK ACCESS_KEY SPACE_FILE, all but the first in hex: opens what standard input
// holds, one record after another, and prints a line for each.
let words = CommandLine.arguments.dropFirst().map { String($0) }
do throws(Fault) {
  let keys = try OpeningKeys(words)
  try Records.open(from: .standardInput(), keys.ring)
} catch {
  let line = Array("vault-opening: error: \(error.reason)\n".utf8)
  try? Descriptor.standardError().writeAll(line.span)
  throw error
}
