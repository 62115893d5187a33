internal import VaultFault

/// What the frames of a body tell without a key: chunks, data bytes, offsets (FORMAT 6, 7, 10).
struct BodyCount: Sendable {
  var dataBytes: UInt64 = 0
  var envelopeBytes: UInt64 = 0
  private(set) var nextChunk: UInt64 = 0
  private(set) var frames: UInt64 = 0
  private(set) var isComplete = false
  private(set) var tailChunk: UInt64 = 0

  /// The offset of the manifest's frame in the object.
  var manifestOffset: UInt64 {
    BodyLayout.manifestOffset(dataBytes: dataBytes, envelopeBytes: envelopeBytes)
  }

  /// Takes a frame of chunks of a sealed item, its payload with the head when it is the first.
  mutating func accept(chunkBytes bytes: Int) throws(Fault) {
    let sealed = bytes - (frames == 0 ? BodyLayout.headBytes : 0)
    frames += 1
    if sealed == BodyLayout.fullFrameBytes {
      nextChunk += UInt64(BodyLayout.chunksPerFrame)
      dataBytes += UInt64(BodyLayout.chunksPerFrame * BodyLayout.chunkBytes)
      return
    }
    let full = sealed / BodyLayout.sealedChunkBytes
    let last = sealed % BodyLayout.sealedChunkBytes - BodyLayout.tagBytes
    guard sealed > 0, full < BodyLayout.chunksPerFrame, last >= 0 else {
      throw Fault(.frameLength, "frame \(frames - 1) of chunks does not hold whole chunks")
    }
    nextChunk += UInt64(full) + 1
    dataBytes += UInt64(full * BodyLayout.chunkBytes + last)
    isComplete = true
  }

  /// Takes the tail of a slice: it gives the measures of the whole body.
  mutating func acceptTail(_ header: FrameHeader) throws(Fault) {
    guard header.index < BodyLayout.maxChunks else {
      throw Fault(.frameIndex, "the tail's index is too large")
    }
    let last = header.payloadLength - BodyLayout.headBytes - BodyLayout.tagBytes
    tailChunk = header.index
    dataBytes = header.index * UInt64(BodyLayout.chunkBytes) + UInt64(last)
    frames = header.index / UInt64(BodyLayout.chunksPerFrame) + 1
  }

  /// Takes a frame of chunks of a slice, as far as it can be judged without the range (FORMAT 10.3).
  mutating func acceptSliced(_ header: FrameHeader) throws(Fault) {
    let count = header.payloadLength / BodyLayout.sealedChunkBytes
    guard header.payloadLength % BodyLayout.sealedChunkBytes == 0,
      1...BodyLayout.chunksPerFrame ~= count
    else { throw Fault(.frameLength, "a frame of a slice does not hold whole chunks") }
    guard !isComplete else {
      throw Fault(.frameOrder, "a frame of chunks follows one that ends where a range ends")
    }
    guard nextChunk == 0 || header.index == nextChunk, header.index < BodyLayout.maxChunks else {
      throw Fault(.frameIndex, "a frame of chunks does not follow on the one before it")
    }
    nextChunk = header.index + UInt64(count)
    isComplete = nextChunk % UInt64(BodyLayout.chunksPerFrame) != 0
  }
}
