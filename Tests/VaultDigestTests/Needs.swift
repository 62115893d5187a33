import TestVectors
import Testing

extension Trait where Self == ConditionTrait {
  /// Runs only where a file of public vectors is.
  static func needs(_ name: String) -> Self {
    .enabled(if: Vectors.has(name), "skipped: \(name) is missing")
  }
}
