/** The `data` of each server-sent event of a byte stream, however the network cut it. */
export async function* splitEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true })
      const events = rest.split(/\r?\n\r?\n/)
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = event
          .split(/\r?\n/)
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice(5).replace(/^ /, ''))
        if (data.length > 0) yield data.join('\n')
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
