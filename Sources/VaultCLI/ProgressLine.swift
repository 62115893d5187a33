extension ProgressReading {
  /// One line for a person, below 80 columns: `45% 460 MiB of 1.0 GiB, 12.3 MiB/s, 0:45 left`.
  public var line: String {
    var line = percent.map { "\($0)% " } ?? ""
    line += Size.short(done)
    if let total, done <= total { line += " of \(Size.short(total))" }
    if let bytesPerSecond { line += ", \(Size.short(bytesPerSecond))/s" }
    if let secondsLeft, done != total, secondsLeft < 100 * 3600 {
      line += ", \(clock(secondsLeft)) left"
    }
    return items > 1 ? line + ", \(items) items" : line
  }

  /// One JSON object for a program; what is not known is left out.
  public func json(ended: Bool) -> String {
    var members = ["\"progress\":\"vault/1\"", "\"bytes\":\(done)"]
    if let total { members.append("\"total\":\(total)") }
    if let percent { members.append("\"percent\":\(percent)") }
    if let bytesPerSecond { members.append("\"bytes_per_second\":\(bytesPerSecond)") }
    if let secondsLeft { members.append("\"seconds_left\":\(secondsLeft)") }
    members += ["\"items\":\(items)", "\"ended\":\(ended)"]
    return "{" + members.joined(separator: ",") + "}"
  }
}

/// A length of time as a clock shows it: `0:45`, `12:03`, `1:02:03`.
func clock(_ seconds: UInt64) -> String {
  let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
  let tail = twoDigits(seconds % 60)
  return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
}

private func twoDigits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
