import Foundation
import VaultDigest
import VaultFault
import VaultText

/// Vectors that are public and not committed: beside the package.
let publicVectors = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "shared/vectors")

func sha256Hex(_ bytes: [UInt8]) throws -> String { hex(try Digest.of(bytes.span, .sha256)) }
