/** One message of protobuf, read without its schema: field number → its values in their order. */
export type ProtobufMessage = ReadonlyMap<number, readonly (bigint | Buffer)[]>

/** Reads a message: lengths as bytes, everything else as the bits of a number. Throws for bytes that are no message. */
export const readProtobuf = (bytes: Buffer): ProtobufMessage => {
  const fields = new Map<number, (bigint | Buffer)[]>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at]
      if (byte === undefined) throw new Error('the message ends in the middle')
      at += 1
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const readers: Readonly<Record<number, () => bigint | Buffer>> = {
    0: varint,
    1: () => take(8).readBigUInt64LE(),
    2: () => take(Number(varint())),
    5: () => BigInt(take(4).readUInt32LE()),
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const read = readers[tag & 7]
    if (read === undefined) throw new Error(`there is no wire type ${tag & 7}`)
    const field = tag >> 3
    fields.set(field, [...(fields.get(field) ?? []), read()])
  }
  return fields
}

const bytesAt = (message: ProtobufMessage, field: number): readonly Buffer[] =>
  (message.get(field) ?? []).filter((value) => Buffer.isBuffer(value))

export const messagesAt = (message: ProtobufMessage, field: number): readonly ProtobufMessage[] =>
  bytesAt(message, field).map(readProtobuf)

export const textAt = (message: ProtobufMessage, field: number): string => bytesAt(message, field)[0]?.toString() ?? ''

export const hexAt = (message: ProtobufMessage, field: number): string =>
  bytesAt(message, field)[0]?.toString('hex') ?? ''

export const bitsAt = (message: ProtobufMessage, field: number): bigint | undefined => {
  const value = message.get(field)?.[0]
  return typeof value === 'bigint' ? value : undefined
}

export const doubleAt = (message: ProtobufMessage, field: number): number | undefined => {
  const bits = bitsAt(message, field)
  if (bits === undefined) return undefined
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(bits)
  return bytes.readDoubleLE()
}
