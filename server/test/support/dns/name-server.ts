import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Answer for a name: its TXT records, a code of DNS (3 for no such name, 2 for a failure), or silence. */
export type NameAnswer = readonly string[] | { readonly code: number } | 'silence'

const headBytes = 12
const txt = 16

/** The name in a question, in lower case, and where the question ends. */
const questionOf = (message: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let at = headBytes
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString('ascii'))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

/** The data of a TXT record: parts of at most 255 bytes, each behind its length. */
const textData = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat(parts)
}

const recordOf = (text: string): Buffer => {
  const data = textData(text)
  const head = Buffer.alloc(12)
  // The name is that of the question, which begins behind the head.
  head.writeUInt16BE(0xc000 | headBytes, 0)
  head.writeUInt16BE(txt, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const answerTo = (message: Buffer, answer: Exclude<NameAnswer, 'silence'>): Buffer => {
  const records = 'code' in answer ? [] : answer.map(recordOf)
  const head = Buffer.alloc(headBytes)
  message.copy(head, 0, 0, 2)
  // An answer, to a question that wanted recursion, which was available.
  head.writeUInt16BE(0x8180 | ('code' in answer ? answer.code : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, message.subarray(headBytes, questionOf(message).end), ...records])
}

/** A name server on loopback (DNS over UDP, RFC 1035), for TXT records. Names that it was not given do not exist. */
export const startNameServer = async () => {
  const names = new Map<string, NameAnswer>()
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name } = questionOf(message)
    asked.push(name)
    const answer = names.get(name) ?? { code: 3 }
    if (answer !== 'silence') socket.send(answerTo(message, answer), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    names,
    asked,
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

export type NameServer = Awaited<ReturnType<typeof startNameServer>>
