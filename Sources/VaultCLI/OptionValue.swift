internal import VaultFrame

/// A value that the parser has read and found good.
enum OptionValue: Equatable, Sendable {
  case present
  case text(String)
  case path(Argument)
  case size(UInt64)
  case count(Int)
  case bytes([UInt8])
  case words([String])
  case range(ByteRange)

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var path: Argument? { if case .path(let path) = self { path } else { nil } }
  var size: UInt64? { if case .size(let size) = self { size } else { nil } }
  var count: Int? { if case .count(let count) = self { count } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var words: [String] { if case .words(let words) = self { words } else { [] } }
  var range: ByteRange? { if case .range(let range) = self { range } else { nil } }
}
