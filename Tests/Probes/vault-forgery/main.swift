import VaultFault

// vault-forgery SHARE OF: tries its share of all forgeries and prints how many; 1 when one passed.
let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
do throws(Fault) {
  var matrix = try ForgeryMatrix(share: numbers.first ?? 0, of: numbers.last ?? 1)
  try matrix.run()
  print("\(matrix.count - matrix.passed) passed, \(matrix.passed) failed")
} catch {
  print("vault-forgery: error: \(error.reason)")
  print("0 passed, 1 failed")
}
