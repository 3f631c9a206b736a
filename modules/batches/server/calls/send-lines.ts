import type { ModuleCall } from './request.ts'

type Client = ModuleCall['context']['client']

/** Sends a long answer in pieces, as fast as its client takes them; ends early where the client leaves. */
export const sendPieces = async (client: Client, contentType: string, pieces: AsyncIterable<string>): Promise<void> => {
  let wake = (): void => {}
  client.listen({ drained: () => wake(), gone: () => wake() })
  client.head(200, ['Content-Type', contentType])
  try {
    for await (const piece of pieces) {
      if (client.gone) return
      if (piece === '' || client.write(piece)) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        if (client.gone) resolve()
      })
    }
    client.end()
  } catch (error) {
    // Half an answer must not look like a whole one.
    client.abandon()
    throw error
  }
}
