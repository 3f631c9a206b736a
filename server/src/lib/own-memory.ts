/** The memory of a buffer if nothing else lies in it, else a copy: what can be given to another thread. */
export const ownMemory = (bytes: Buffer): ArrayBuffer => {
  const { buffer, byteOffset, byteLength } = bytes
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === byteLength) return buffer
  return new Uint8Array(bytes).buffer
}
