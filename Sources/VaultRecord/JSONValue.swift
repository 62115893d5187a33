/// A JSON value as it was read, with the place of its bytes.
public struct JSONValue: Sendable {
  /// What it is.
  public let form: Form
  /// Where its own bytes lie in the text, without white space around it.
  public let span: Range<Int>

  /// The six forms of RFC 8259 §3, and a seventh for what was not kept.
  public enum Form: Sendable {
    case null
    case bool(Bool)
    /// The number's own characters: no precision is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
    /// An array or an object that lies deeper than was asked for: it is good, and its text is at its
    /// span.
    case passed
  }

  /// The members, of an object.
  public var members: [JSONMember]? {
    if case .object(let members) = form { members } else { nil }
  }

  /// The text, of a string.
  public var string: String? {
    if case .string(let text) = form { text } else { nil }
  }

  /// The truth, of a boolean.
  public var bool: Bool? {
    if case .bool(let truth) = form { truth } else { nil }
  }

  /// The value of a number that is written as plain digits and is below 2^63.
  public var natural: UInt64? {
    guard case .number(let text) = form, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = UInt64(text), number < 1 << 63
    else { return nil }
    return number
  }

  /// The value of a member, of an object that has it.
  public subscript(name: String) -> JSONValue? {
    members?.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// Whether it is `null`.
  public var isNull: Bool {
    if case .null = form { true } else { false }
  }
}

/// One member of an object.
public struct JSONMember: Sendable {
  /// The name, unescaped.
  public let name: String
  /// The value.
  public let value: JSONValue
  /// From the name's first quote to the end of the value.
  public let span: Range<Int>
}

extension [JSONMember] {
  /// The member of that name whose value is not `null`: a database writes its NULLs so.
  func value(_ name: String) -> JSONValue? {
    first { $0.name.utf8.elementsEqual(name.utf8) && !$0.value.isNull }?.value
  }
}
