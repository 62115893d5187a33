import Testing
import VaultCrypto
import VaultFault
import VaultFrame

@testable import VaultSeal

@Suite struct SpaceTests {
  private func access(_ byte: UInt8) throws(Fault) -> SpaceSecret {
    let bytes = [UInt8](repeating: byte, count: 32)
    return .accessKey(try Secret(copying: bytes.span))
  }

  private func kind(_ body: () throws(Fault) -> Void) -> FaultKind? {
    do throws(Fault) { try body() } catch { return error.kind }
    return nil
  }

  @Test func aSpaceOpensWithItsSecretAndNoOther() throws {
    let space = try UnlockedSpace.create(try access(1), rounds: 0)
    let bytes = space.file.bytes
    let file = try SpaceFile(parsing: bytes.span)
    #expect(try UnlockedSpace.unlock(file, access(1)).capture.publicKey == space.capture.publicKey)
    #expect(
      kind { () throws(Fault) in _ = try UnlockedSpace.unlock(file, access(2)) } == .wrongPassword)
  }

  @Test func aNewRevisionKeepsTheKeysAndNoSalt() throws {
    let first = try UnlockedSpace.create(try access(1), rounds: 0)
    let second = try first.revised(try access(2), rounds: 0)
    let (old, new) = (first.file.content, second.file.content)
    #expect(new.revision == 2 && new.space == old.space && new.capture == old.capture)
    #expect(new.derivation != old.derivation)
    #expect(new.captureSalt != old.captureSalt)
    #expect(new.master != old.master && new.sealedCapture != old.sealedCapture)
    let read = try UnlockedSpace.unlock(second.file, try access(2))
    #expect(try read.key.slotID() == first.key.slotID())
    #expect(try UnlockedSpace.unlock(first.file, try access(1)).key.slotID() == first.key.slotID())
  }

  @Test func aSecretOfTheOtherKindIsToldApart() throws {
    let space = try UnlockedSpace.create(try access(1), rounds: 0)
    let text: [UInt8] = Array("word".utf8)
    let refused = kind { () throws(Fault) in
      _ = try UnlockedSpace.unlock(space.file, .password(file: text.span))
    }
    #expect(refused == .badConfiguration)
  }

  @Test(arguments: [
    ("x", "x"), ("x\n", "x"), ("x\r\n", "x"), ("x\n\n", "x\n"), ("x\r", "x\r"), (" x ", " x "),
    ("\n\n", "\n"),
  ])
  func K01_oneLineEndIsNoPartOfAPassword(_ file: String, _ password: String) throws {
    let bytes = Array(file.utf8)
    let secret = try SpaceSecret.password(file: bytes.span)
    guard case .password(let found) = secret else { return }
    #expect(found.bytes.copied() == Array(password.utf8))
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func K05_anEmptyPasswordIsRefused(_ file: String) {
    let bytes = Array(file.utf8)
    #expect(
      kind { () throws(Fault) in _ = try SpaceSecret.password(file: bytes.span) }
        == .badConfiguration)
  }

  @Test func anOverlongPasswordIsRefused() {
    let bytes = [UInt8](repeating: 65, count: 4097)
    #expect(
      kind { () throws(Fault) in _ = try SpaceSecret.password(file: bytes.span) }
        == .badConfiguration)
  }

  @Test func everyBitOfAFileCounts() throws {
    let space = try UnlockedSpace.create(try access(1), rounds: 0)
    let whole = space.file.bytes
    for bit in 0..<whole.count * 8 {
      var bytes = whole
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let refused = kind { () throws(Fault) in
        _ = try UnlockedSpace.unlock(SpaceFile(parsing: bytes.span), access(1))
      }
      // The check stands before the MAC and so does not cover it.
      let isMAC = bit / 8 >= whole.count - 48
      let told: [FaultKind?] = [.spaceMalformed, isMAC ? .spaceForged : .spaceDamaged]
      #expect(told.contains(refused), "bit \(bit)")
    }
  }

  @Test(arguments: ["0", "1", "599999", "10000001", "4294967296", "18446744073709551616", "-1"])
  func roundsOutOfBoundsAreRefusedBeforeAnyWork(_ rounds: String) throws {
    let salt = String(repeating: "A", count: 43)
    let text = """
      vault-space/1
      space 00112233-4455-4677-8899-aabbccddeeff
      revision 1
      kdf pbkdf2-hmac-sha256 \(rounds) \(salt)

      """
    let bytes = Array(text.utf8)
    #expect(
      kind { () throws(Fault) in _ = try SpaceFile(parsing: bytes.span) } == .spaceMalformed)
  }
}
