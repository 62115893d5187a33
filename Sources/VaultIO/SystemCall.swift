internal import CLinux
internal import Glibc
internal import VaultFault

/// No call moves more than this: Linux stops at 2,147,479,552 bytes, and a round number is checkable.
let largestTransfer = 1 << 30

/// The system's reason for `error`, lower case, in English whatever the locale.
func systemReason(_ error: Int32) -> String {
  unsafe String(cString: linux_reason(error)).lowercased()
}

/// Repeats `call` while a signal interrupts it and none asks us to stop.
///
/// - Returns: what `call` returned: a count, or a negated error number.
func retrying(heedingSignals: Bool = true, _ call: () -> Int) throws(Fault) -> Int {
  while true {
    if heedingSignals { try Signals.check() }
    let result = call()
    if result != -Int(EINTR) { return result }
  }
}

/// Whether a call that makes an output failed because of its name: another name may do. Else the
/// machine is at fault.
func isFaultOfName(_ error: Int32) -> Bool {
  ![EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT, EIO, EFBIG, EINVAL, ENOTSUP, ENOSYS].contains(error)
}

/// Repeats `call` while interrupted; any other failure becomes a fault: `kind`, but where an output
/// cannot be made through no fault of its name.
func require(
  _ kind: FaultKind, _ what: @autoclosure () -> String, _ call: () -> Int
) throws(Fault) -> Int {
  let result = try retrying(call)
  if result >= 0 { return result }
  let error = Int32(-result)
  let kind = kind == .cannotCreate && !isFaultOfName(error) ? .writeFailed : kind
  throw Fault(kind, "\(what()): \(systemReason(error))")
}
