import CProbe
import Foundation
import Testing

@Suite struct HardeningTests {
  @Test func everyProtectionOfThisKernelIsOn() throws {
    let result = try probe(["protections"])
    #expect(
      result.output == """
        no-core true
        no-new-privileges true
        not-dumpable true
        file-sandbox true
        system-call-filter true

        """)
  }

  @Test(arguments: [("landlock", "file-sandbox"), ("seccomp", "system-call-filter")])
  func aMissingProtectionIsShownAndRefusedIfAsked(_ call: String, _ name: String) throws {
    #expect(try probe(["protections", call]).output.contains("\(name) false\n"))
    let required = try probe(["protections", call], environment: ["VAULT_REQUIRE_SANDBOX": "1"])
    #expect(required.ending == .exited(78))
    #expect(required.error.hasSuffix("a protection is missing: \(name)\n"))
  }

  @Test func aTrapPrintsNoMemoryAndLeavesNoCore() throws {
    let running = try Running(
      ["trap"], environment: ["SWIFT_BACKTRACE": "enable=yes,registers=all,color=no"])
    #expect(Running.text(running.output) == "trapping\n")
    let error = Running.text(running.error)
    #expect(!error.contains("SECRET"))
    #expect(error.split(separator: "\n").count <= 1)
    #expect([.signalled(SIGILL), .signalled(SIGTRAP)].contains(running.wait()))
    #expect(probe_dumped_core(running.status) == 0)
  }

  @Test(arguments: [
    "socket-inet", "socket-inet6", "socket-unix", "socket-netlink", "socketpair", "connect",
    "sendto", "sendmsg", "execve", "execveat", "ptrace", "process_vm_readv", "process_vm_writev",
    "pidfd_open", "pidfd_getfd", "io_uring_setup",
  ])
  func aKeyToolThatReachesOutIsKilled(_ act: String) throws {
    #expect(try probe(["key-tool", act]).ending == .signalled(SIGSYS))
  }

  #if arch(x86_64)
    @Test(arguments: ["x32", "i386"]) func otherCallNumbersAreKilled(_ act: String) throws {
      for tool in ["key-tool", "network-tool"] {
        #expect(try probe([tool, act]).ending == .signalled(SIGSYS))
      }
    }
  #endif

  @Test(arguments: [
    "read:/etc/passwd", "write:/tmp/vault-io-never", "mkdir:/tmp/vault-io-never",
    "unlink:/tmp/vault-io-never", "thread", "fork", "cwd", "mmap-exec", "mprotect-exec",
    "kill-parent", "ring",
  ])
  func aKeyToolIsRefusedWhatItDoesNotNeed(_ act: String) throws {
    #expect(try probe(["key-tool", act]).output == "\(act) -1\n")
  }

  @Test func aKeyToolKeepsRandomNumbersMemoryAndItself() throws {
    let acts = ["random", "mmap", "kill-self"]
    #expect(try probe(["key-tool"] + acts).output == acts.map { "\($0) 0\n" }.joined())
    #expect(try probe(["key-tool", "clone3"]).output == "clone3 -38\n")
  }

  @Test func aNetworkToolReadsAndWritesOnlyWhatItNamed() throws {
    let (mine, other) = (Scratch(), Scratch())
    let rows = mine.write("rows", [1])
    let secret = other.write("secret", [1])
    let made = other.path + "/made"
    let result = try probe([
      "network-tool", "+r" + rows, "+w" + mine.path + "/new/deeper", "read:" + rows,
      "read:" + secret, "write:" + made, "mkdir:\(mine.path)/new", "write:\(mine.path)/new/x",
      "socket-inet", "socket-packet", "thread", "fork", "read:/etc/hosts",
    ])
    let answers = result.output.split(separator: "\n").compactMap { $0.split(separator: " ").last }
    #expect(answers == ["0", "-13", "-13", "0", "0", "0", "-1", "0", "-1", "0"])
  }

  @Test(arguments: ["execve", "execveat", "ptrace", "process_vm_readv", "io_uring_setup"])
  func aNetworkToolRunsNothing(_ act: String) throws {
    #expect(try probe(["network-tool", act]).ending == .signalled(SIGSYS))
  }

  @Test func descriptorsThatNoOptionNamesAreClosed() throws {
    let words = ["-c", "exec \"$0\" count-descriptors 7 5 5>&1 6>&1 7>&1 9>&1", Running.probe]
    let running = try Running(words, program: "/bin/sh")
    #expect(Running.text(running.output) == "0 1 2 5 7\n")
    #expect(running.wait() == .exited(0))
  }

  @Test(arguments: [[], ["nobody"], ["replace"], ["nobody", "replace"]])
  func aFileIsNamedAlsoUnderTheFilter(_ words: [String]) throws {
    let scratch = Scratch()
    chmod(scratch.path, 0o777)
    let result = try probe(["atomic", scratch.path + "/x"] + words)
    #expect(result.error == "")
    #expect(scratch.names == ["x"])
  }
}
