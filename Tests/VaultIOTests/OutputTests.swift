import Foundation
import Testing
import VaultFault
import VaultIO

@Suite struct OutputTests {
  @Test(arguments: [
    ("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/7", 7),
    ("/proc/self/fd/12", 12), ("/proc/thread-self/fd/3", 3),
  ])
  func namesOfDescriptorsAreToldByTheirForm(_ name: String, _ number: Int32) {
    #expect(DescriptorName.number(of: Path(name)) == number)
  }

  @Test(arguments: [
    "/dev/null", "/dev/fd/", "/dev/fd/x", "/dev/fd/-1", "fd/1", "/proc/1/fd/1", "1",
  ])
  func otherNamesAreFiles(_ name: String) {
    #expect(DescriptorName.number(of: Path(name)) == nil)
  }

  @Test func linksToDescriptorsAreDescriptors() throws {
    let scratch = Scratch()
    let link = scratch.path + "/link"
    let folder = scratch.path + "/folder"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/fd/5")
    try FileManager.default.createSymbolicLink(
      atPath: folder, withDestinationPath: "/proc/self/fd")
    #expect(DescriptorName.number(of: Path(link)) == 5)
    #expect(DescriptorName.number(of: Path(folder + "/1")) == 1)
  }

  @Test func aTargetIsWhereTheLastLinkEnds() throws {
    let scratch = Scratch()
    let file = scratch.write("file", [1])
    let link = scratch.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
    #expect(try OutputTarget(Path(link)) == .file(Path(scratch.path + "/file"), exists: true))
    #expect(try OutputTarget("-") == .descriptor(1))
    #expect(try OutputTarget("/dev/null") == .node("/dev/null"))
    #expect(try OutputTarget(Path(file + "2")) == .file(Path(file + "2"), exists: false))
    let fault = #expect(throws: Fault.self) { try OutputTarget(Path(scratch.path)) }
    #expect(fault?.kind == .cannotCreate)
  }

  @Test func aFileThatIsReadIsNotWrittenUnderAnyName() throws {
    let scratch = Scratch()
    let file = scratch.write("file", [1])
    let link = scratch.path + "/hard"
    try FileManager.default.linkItem(atPath: file, toPath: link)
    var files = NamedFiles()
    try files.note(Path(file), as: "option \"--a\"")
    let fault = #expect(throws: Fault.self) {
      try files.refuse(writing: Path(link), as: "option \"--b\"")
    }
    #expect(fault?.kind == .usage)
    #expect(fault?.reason.contains("\"--a\"") == true && fault?.reason.contains("\"--b\"") == true)
    try files.refuse(writing: Path(file + "2"), as: "option \"--b\"")
    try files.note("/dev/null", as: "option \"--a\"")
    try files.refuse(writing: "/dev/null", as: "option \"--b\"")
  }

  @Test func aLockedFileIsLockedOnceAndWatched() throws {
    let scratch = Scratch()
    let path = Path(scratch.write("file", [1]))
    let locked = try LockedFile(path, as: "the space", orFail: .badKeyFile)
    let fault = #expect(throws: Fault.self) {
      _ = try LockedFile(path, as: "the space", orFail: .badKeyFile)
    }
    #expect(fault?.kind == .otherChange && fault?.status == .tryAgain)
    try locked.requireUnchanged()
    _ = scratch.write("file", [2])
    let other = #expect(throws: Fault.self) { try locked.requireUnchanged() }
    #expect(other?.kind == .otherChange)
  }

  @Test func aFileIsAsItWasWhenItWasOnlyRead() throws {
    let scratch = Scratch()
    let file = try File.open(Path(scratch.write("file", [1, 2])))
    let found = try FileWatch(file)
    let watch = try #require(found)
    #expect(try file.readAll(limit: 9) == [1, 2])
    #expect(try watch.change() == nil)
    _ = scratch.write("file", [1, 2])
    #expect(try watch.change() != nil)
    let fault = #expect(throws: Fault.self) { try watch.check() }
    #expect(fault?.kind == .fileChanged && fault?.status == .badInput)
  }
}
