/** Base64 of bytes that come in chunks, as the bytes of a text. */
export const base64Of = async (chunks: AsyncIterable<Buffer>): Promise<Buffer[]> => {
  const printed: Buffer[] = []
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % 3)
    printed.push(Buffer.from(bytes.toString('base64', 0, whole), 'latin1'))
    rest = Buffer.from(bytes.subarray(whole))
  }
  printed.push(Buffer.from(rest.toString('base64'), 'latin1'))
  return printed
}

/** Bytes that come in chunks as the text of a JSON string, without its quotes. */
export const jsonTextOf = async (chunks: AsyncIterable<Buffer>): Promise<Buffer[]> => {
  const printed: Buffer[] = []
  const decoder = new TextDecoder()
  const print = (text: string): void => {
    printed.push(Buffer.from(JSON.stringify(text).slice(1, -1)))
  }
  for await (const chunk of chunks) print(decoder.decode(chunk, { stream: true }))
  print(decoder.decode())
  return printed
}
