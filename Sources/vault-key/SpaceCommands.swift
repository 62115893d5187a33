import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultSeal

/// `vault-key space …`.
enum SpaceCommands {
  private static let newSecret = SpaceSecretSource.Options(
    file: SpaceOptions.newPasswordFile, descriptor: SpaceOptions.newPasswordDescriptor,
    accessKey: SpaceOptions.newAccessKeyFile, variable: nil)

  static func make(
    _ arguments: Arguments, _ say: Diagnostics, _ protections: inout Protections
  ) throws(Fault) {
    guard let path = arguments[SpaceOptions.output]?.path else { return }
    let source = try SpaceSecretSource.open(arguments, inputIsData: false)
    let file = try OutputFile(path, mode: .create)
    try KeyProcess.confine(&protections, directories: file.directories)
    let secret = try source.readNew(for: path.quoted)
    let rounds = UInt32(clamping: arguments[SpaceOptions.rounds])
    let space = try UnlockedSpace.create(secret, rounds: rounds)
    try write(space, secret, to: file.descriptor, isHidden: file.isHidden)
    try file.commit()
    say.note("capture key: \(space.capture.recipient.text)")
  }

  static func change(
    _ arguments: Arguments, _ say: Diagnostics, _ protections: inout Protections
  ) throws(Fault) {
    guard let path = arguments.operands.first?.path else { return }
    let old = try LockedFile(path, as: "the space", orFail: .badKeyFile)
    let source = try SpaceSource.open(
      Descriptor(borrowing: old.descriptor.number, name: path.quoted), arguments,
      inputIsData: false)
    let newSource = try SpaceSecretSource.open(arguments, newSecret, inputIsData: false)
    let file = try AtomicFile(old.path, mode: .replace, shownAs: path)
    try KeyProcess.confine(&protections, directories: [file.directory.descriptor.number])
    let present = try source.unlock()
    let secret = try newSource.readNew(for: path.quoted)
    let rounds = arguments[SpaceOptions.newRounds].map { UInt32(clamping: $0) }
    let space = try present.revised(
      secret, rounds: rounds ?? present.file.content.derivation.rounds)
    try write(space, secret, to: file.descriptor, isHidden: true)
    try old.requireUnchanged()
    try file.commit()
    say.warning(
      "the master key stays: an old copy of the file opens with the old password for ever")
  }

  static func capture(
    _ arguments: Arguments, _ say: Diagnostics, _ protections: inout Protections
  ) throws(Fault) {
    guard let path = arguments.operands.first?.path else { return }
    if arguments[SpaceOptions.unverified] {
      let file = try File.openNamed(path, orFail: .badKeyFile)
      try KeyProcess.confine(&protections)
      let found = try SpaceSource.read(file)
      say.warning("the key is what the file says; nobody has checked that it is the space's")
      return try print(Recipient(publicKey: found.content.capture).text)
    }
    let source = try SpaceSource.open(path, arguments, inputIsData: false)
    try KeyProcess.confine(&protections)
    try print(source.unlock().capture.recipient.text)
  }

  static func inspect(
    _ arguments: Arguments, _ protections: inout Protections
  ) throws(Fault) {
    guard let path = arguments.operands.first?.path else { return }
    let file = try File.openNamed(path, orFail: .badKeyFile)
    try KeyProcess.confine(&protections)
    let found = try SpaceSource.read(file)
    try print(String(decoding: found.inspection, as: UTF8.self))
  }

  // What cannot be read back and opened is never given a name, and never written through.
  private static func write(
    _ space: UnlockedSpace, _ secret: borrowing SpaceSecret, to file: borrowing Descriptor,
    isHidden: Bool
  ) throws(Fault) {
    let bytes = space.file.bytes
    if !isHidden { try open(bytes, secret, as: space) }
    try file.writeAll(bytes.span)
    guard isHidden else { return }
    var found = [UInt8](repeating: 0, count: SpaceFile.maxBytes + 1)
    let count = try file.pread(into: &found, at: 0)
    try open(Array(found[..<count]), secret, as: space)
  }

  private static func open(
    _ bytes: [UInt8], _ secret: borrowing SpaceSecret, as space: UnlockedSpace
  ) throws(Fault) {
    let opened = try UnlockedSpace.unlock(SpaceFile(parsing: bytes.span), secret)
    guard opened.file == space.file else {
      throw Fault(.writeFailed, "the space file that was written is not the one that was read back")
    }
  }

  private static func print(_ line: String) throws(Fault) {
    let bytes = Array((line + "\n").utf8)
    try Descriptor.standardOutput().writeAll(bytes.span)
  }
}
