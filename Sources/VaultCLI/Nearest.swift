/// The name of `names` that a misspelt one most likely stands for: at most two letters changed,
/// added, dropped or swapped, and fewer than half of its own.
func nearest(to word: String, in names: [String]) -> String? {
  let close = names.map { (name: $0, distance: distance(Array(word), Array($0))) }
    .filter { $0.distance <= 2 && $0.distance * 2 < $0.name.count }
  return close.min { $0.distance < $1.distance }?.name
}

// Edit distance with swaps of neighbours counted once; names are short, so a full table is cheap.
private func distance(_ a: [Character], _ b: [Character]) -> Int {
  guard a.count <= 64 else { return Int.max / 4 }
  var table = [[Int]](repeating: Array(0...b.count), count: a.count + 1)
  for i in 0...a.count { table[i][0] = i }
  for i in a.indices {
    for j in b.indices {
      let change = table[i][j] + (a[i] == b[j] ? 0 : 1)
      table[i + 1][j + 1] = min(change, table[i][j + 1] + 1, table[i + 1][j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        table[i + 1][j + 1] = min(table[i + 1][j + 1], table[i - 1][j - 1] + 1)
      }
    }
  }
  return table[a.count][b.count]
}
