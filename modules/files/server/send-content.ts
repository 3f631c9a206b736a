import type { Client } from '#server/relay/call.ts'
import type { KeptFile, KeptFiles } from '#server/relay/stored/kept-files.ts'

/** Resolves when the client takes more, or is gone. */
const drained = (client: Client): Promise<void> =>
  new Promise((resolve) => client.listen({ drained: resolve, gone: resolve }))

/** A name that clients may write to their disk. */
const headerName = (filename: string): string => encodeURIComponent(filename.toWellFormed()).replaceAll("'", '%27')

/** Sends the bytes of a file as the client takes them. Where the file is deleted meanwhile, the connection breaks. */
export const sendContent = async (client: Client, file: KeptFile, files: Pick<KeptFiles, 'open'>): Promise<void> => {
  const bytes = files.open(file)[Symbol.asyncIterator]()
  // Before the head: a file that is gone is answered with an error.
  let next = await bytes.next()
  client.head(200, [
    'Content-Type',
    file.contentType,
    'Content-Length',
    String(file.bytes),
    'Content-Disposition',
    `attachment; filename*=UTF-8''${headerName(file.filename)}`,
    'X-Content-Type-Options',
    'nosniff',
  ])
  try {
    while (next.done !== true && !client.gone) {
      if (!client.write(next.value)) await drained(client)
      next = await bytes.next()
    }
  } catch {
    client.abandon()
    return
  }
  client.end()
}
