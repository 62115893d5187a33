import Testing
import VaultRecord

private func cut(_ text: String, limit: Int = 10, by step: Int) -> [String?] {
  var cutter = LineCutter(limit: limit)
  var lines: [NumberedLine] = []
  let bytes = Array(text.utf8)
  for start in stride(from: 0, to: bytes.count, by: step) {
    let piece = Array(bytes[start..<min(bytes.count, start + step)])
    cutter.push(piece.span) { lines.append($0) }
  }
  if let last = cutter.finish() { lines.append(last) }
  #expect(lines.map(\.number) == (0..<lines.count).map { UInt64($0 + 1) })
  return lines.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } }
}

@Test(arguments: [1, 2, 3, 100])
func linesAreCutWhereverThePiecesEnd(step: Int) {
  #expect(cut("", by: step) == [])
  #expect(cut("\n", by: step) == [""])
  #expect(cut("a\n\nb", by: step) == ["a", "", "b"])
  #expect(cut("a\r\nb\n", by: step) == ["a\r", "b"])
}

@Test(arguments: [1, 7, 100])
func aLineOverTheLimitIsALineWithoutBytes(step: Int) {
  #expect(cut("0123456789\n", by: step) == ["0123456789"])
  #expect(cut("0123456789x\nb\n0123456789xy", by: step) == [nil, "b", nil])
}
