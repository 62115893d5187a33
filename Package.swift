// swift-tools-version: 6.3
import PackageDescription

// The import graph is the security policy: whoever can open a socket (VaultStore, and only it, sees
// CCurl) can name no key, and whoever holds keys (VaultSeal, VaultCrypto) can name no socket.
// docs/DESIGN.md has the picture; `make check` compares the built files with it.

let keyTools = ["vault-hash", "vault-seal", "vault-chunk", "vault-open", "vault-key"]
let netTools = ["vault-put", "vault-get", "vault-drop"]

let package = Package(
  name: "vault-tools",
  products: [],
  targets: [
    // C, one shim for each library: typed faces of variadic functions and macros.
    .target(name: "CLinux"),
    .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),

    // Pure: no I/O, no libc, no crypto.
    .target(name: "VaultFault"),
    .target(name: "VaultText"),
    .target(name: "VaultFrame", dependencies: ["VaultFault", "VaultText"]),
    .target(name: "VaultRecord", dependencies: ["VaultFault"]),

    // The machine and the primitives.
    .target(name: "VaultIO", dependencies: ["VaultFault", "CLinux"]),
    .target(name: "VaultDigest", dependencies: ["VaultFault", "COpenSSL"]),
    .target(
      name: "VaultCrypto", dependencies: ["VaultFault", "VaultText", "VaultDigest", "COpenSSL"]),

    // The work.
    .target(
      name: "VaultSeal",
      dependencies: [
        "VaultFault", "VaultText", "VaultFrame", "VaultRecord", "VaultDigest", "VaultCrypto",
      ]),
    .target(
      name: "VaultMeasure", dependencies: ["VaultFault", "VaultText", "VaultFrame", "VaultDigest"]),
    .target(name: "VaultParts", dependencies: ["VaultFault", "VaultFrame", "VaultDigest"]),
    .target(
      name: "VaultStore",
      dependencies: [
        "VaultFault", "VaultText", "VaultFrame", "VaultDigest", "VaultRecord", "VaultIO", "CCurl",
      ]),
    .target(name: "VaultCLI", dependencies: ["VaultFault", "VaultFrame", "VaultIO"]),

    .target(
      name: "VaultKeys",
      dependencies: [
        "VaultFault", "VaultFrame", "VaultRecord", "VaultIO", "VaultDigest", "VaultCrypto",
        "VaultSeal", "VaultCLI",
      ]),

    // The tools: arguments and wiring only.
    .executableTarget(
      name: "vault-hash",
      dependencies: [
        "VaultFault", "VaultFrame", "VaultIO", "VaultDigest", "VaultMeasure", "VaultCLI",
      ]),
    .executableTarget(
      name: "vault-seal",
      dependencies: [
        "VaultFault", "VaultFrame", "VaultIO", "VaultMeasure", "VaultSeal", "VaultKeys", "VaultCLI",
      ]),
    .executableTarget(
      name: "vault-chunk",
      dependencies: ["VaultFault", "VaultFrame", "VaultIO", "VaultParts", "VaultCLI"]),
    .executableTarget(
      name: "vault-put",
      dependencies: ["VaultFault", "VaultIO", "VaultDigest", "VaultStore", "VaultCLI"]),
    .executableTarget(
      name: "vault-get",
      dependencies: ["VaultFault", "VaultIO", "VaultDigest", "VaultStore", "VaultCLI"]),
    .executableTarget(
      name: "vault-drop",
      dependencies: [
        "VaultFault", "VaultIO", "VaultDigest", "VaultRecord", "VaultStore", "VaultCLI",
      ]),
    .executableTarget(
      name: "vault-open",
      dependencies: [
        "VaultFault", "VaultFrame", "VaultRecord", "VaultIO", "VaultSeal", "VaultKeys", "VaultCLI",
      ]),
    .executableTarget(
      name: "vault-key",
      dependencies: [
        "VaultFault", "VaultFrame", "VaultIO", "VaultCrypto", "VaultSeal", "VaultKeys", "VaultCLI",
      ]),

    .target(name: "TestVectors", path: "Tests/TestVectors"),
    .target(
      name: "SealedObjects",
      dependencies: ["VaultFault", "VaultFrame", "VaultMeasure", "VaultSeal"],
      path: "Tests/SealedObjects"),
    .executableTarget(
      name: "vault-forgery",
      dependencies: [
        "VaultFault", "VaultText", "VaultFrame", "VaultDigest", "VaultCrypto", "VaultSeal",
        "SealedObjects",
      ],
      path: "Tests/Probes/vault-forgery"),
    .executableTarget(
      name: "vault-opening",
      dependencies: [
        "VaultFault", "VaultText", "VaultFrame", "VaultIO", "VaultDigest", "VaultCrypto",
        "VaultSeal",
      ],
      path: "Tests/Probes/vault-opening"),
    .testTarget(
      name: "VaultDigestTests",
      dependencies: ["VaultFault", "VaultText", "VaultDigest", "TestVectors"]),
    .testTarget(
      name: "VaultCryptoTests",
      dependencies: [
        "VaultFault", "VaultText", "VaultDigest", "VaultCrypto", "COpenSSL", "TestVectors",
      ]),
    .testTarget(name: "VaultFaultTests", dependencies: ["VaultFault"]),
    .testTarget(name: "VaultCLITests", dependencies: ["VaultCLI", "VaultFault", "VaultFrame"]),
    .testTarget(
      name: "VaultSealTests",
      dependencies: [
        "VaultFault", "VaultText", "VaultFrame", "VaultRecord", "VaultDigest", "VaultCrypto",
        "VaultMeasure", "VaultParts", "VaultSeal", "TestVectors", "SealedObjects",
      ]),
    .testTarget(
      name: "VaultPartsTests",
      dependencies: [
        "VaultFault", "VaultFrame", "VaultDigest", "VaultCrypto", "VaultSeal", "VaultParts",
        "SealedObjects",
      ]),
    .testTarget(
      name: "VaultFrameTests", dependencies: ["VaultFault", "VaultText", "VaultFrame"]),
    .testTarget(name: "VaultRecordTests", dependencies: ["VaultRecord", "VaultFault"]),
    .testTarget(
      name: "VaultStoreTests",
      dependencies: [
        "VaultFault", "VaultText", "VaultFrame", "VaultRecord", "VaultIO", "VaultDigest",
        "VaultStore",
      ]),

    // A process of its own for what only shows from outside: signals, closed descriptors, the filter.
    .target(name: "CProbe", dependencies: ["CLinux"], path: "Tests/Probes/CProbe"),
    .executableTarget(
      name: "vault-io-probe", dependencies: ["VaultFault", "VaultIO", "CProbe"],
      path: "Tests/Probes/vault-io-probe"),
    .testTarget(
      name: "VaultIOTests", dependencies: ["VaultFault", "VaultIO", "CProbe", "vault-io-probe"]),
  ]
)

// Only `make fuzz` has a `main` for it.
if Context.environment["VAULT_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "vault-fuzz",
      dependencies: [
        "VaultFault", "VaultText", "VaultFrame", "VaultRecord", "VaultIO", "VaultCrypto",
        "VaultSeal", "VaultStore",
      ],
      path: "Tests/Fuzz/vault-fuzz"))
}

// What the tools allocate goes through CLinux/Process.c, which says it when there is no memory.
let allocation = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]

for target in package.targets where !target.name.hasPrefix("C") {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
  ]
  if target.type != .test { target.swiftSettings?.append(.strictMemorySafety()) }
  if target.type == .executable {
    target.linkerSettings = [
      .unsafeFlags(
        (["-z", "now", "-z", "relro", "-z", "noexecstack", "--gc-sections", "--as-needed"]
          + ((keyTools + netTools).contains(target.name) ? allocation : []).map { "--wrap=" + $0 })
          .flatMap { ["-Xlinker", $0] }
          + ["-Xlinker", "-s", "-Xclang-linker", "-static-libgcc"], .when(configuration: .release))
    ]
  }
}
