/** The buffer's ArrayBuffer if it belongs to the buffer alone, else a copy: memory that can be transferred to another thread. */
export const ownMemory = (bytes: Buffer): ArrayBuffer => {
  const { buffer, byteOffset, byteLength } = bytes
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === byteLength) return buffer
  return new Uint8Array(bytes).buffer
}
