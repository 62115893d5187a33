internal import CLinux

/// The system calls a tool keeps (CLinux/Filter.c has the lists), for all its threads.
enum SystemCallFilter {
  static func load(_ confinement: Hardening.Confinement) -> Bool {
    switch confinement {
    case .keyTool(_, let child): linux_filter_key_tool(child ?? 0) == 0
    case .networkTool: linux_filter_network_tool() == 0
    }
  }
}
