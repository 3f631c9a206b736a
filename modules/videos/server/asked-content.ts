import type { Client } from '#server/relay/call.ts'
import { type Headers, headerText, splitUrl } from '#server/relay/upstream/upstream.ts'
import { type ProviderNetwork, type ProviderPlace, targetOf } from './ask-provider.ts'
import { openBase64Member } from './base64-member.ts'
import { type ContentRequest, contentHead, isContent } from './content-head.ts'
import type { ProviderAsk } from './providers/video-provider.ts'

/** The status of the provider, and the address of a redirect. Nothing was sent to the client for those that are no content. */
export interface AskedContent {
  readonly status: number
  readonly location: string
}

/** Writes the parts of an answer to the client. */
interface ContentWriter {
  head(status: number, headers: Headers): void
  /** False asks to wait for the client. */
  data(chunk: Buffer): boolean
  /** Status of the whole; 0 where the answer held no content. Throws where it is not complete. */
  end(): number
}

const idleMs = 60_000
const nothing = Buffer.alloc(0)

/** The answer is the content. */
const wholeAnswer = (client: Client, { variant }: ContentRequest): ContentWriter => {
  let answered = 0
  return {
    head(status, headers) {
      answered = status
      if (isContent(status)) client.head(status, contentHead(headers, variant))
    },
    data: (chunk) => !isContent(answered) || client.write(chunk),
    end() {
      if (isContent(answered)) client.end()
      return answered
    },
  }
}

/** The answer is JSON that holds the content, all of which is sent. */
const memberOfAnswer = (client: Client, { variant }: ContentRequest, name: string): ContentWriter => {
  const member = openBase64Member(name)
  let answered = 0
  return {
    head(status) {
      answered = status
    },
    data(chunk) {
      const bytes = isContent(answered) ? member.take(chunk) : nothing
      if (bytes.length === 0) return true
      if (!client.begun) client.head(200, contentHead({}, variant))
      return client.write(bytes)
    },
    end() {
      if (!member.isFound) return isContent(answered) ? 0 : answered
      if (!member.isWhole) throw new Error('the content broke off')
      client.end()
      return answered
    },
  }
}

/** Streams content that a provider sends to the channel's own credentials, over the channel's proxy. Rejects where it breaks off. */
export const pipeAsked = async (
  place: ProviderPlace,
  source: { readonly ask: ProviderAsk; readonly base64In?: string },
  request: ContentRequest,
  { client, network }: { readonly client: Client; readonly network: ProviderNetwork },
): Promise<AskedContent> => {
  const { ask, base64In } = source
  const { url, headers: own } = await targetOf(place, ask, network)
  const { origin, path } = splitUrl(url)
  const writer = base64In === undefined ? wholeAnswer(client, request) : memberOfAnswer(client, request, base64In)
  const { range } = request
  return new Promise((resolve, reject) => {
    let location = ''
    const broken = (error: unknown): void => {
      if (client.begun) client.abandon()
      reject(error)
    }
    const control = network.upstream.send(
      {
        method: ask.method,
        origin,
        path,
        headers: {
          ...own,
          'accept-encoding': 'identity',
          ...(range === undefined || base64In !== undefined ? {} : { range }),
        },
        body: ask.body?.bytes,
        proxy: place.channel.proxy,
        timeouts: { connect: idleMs, firstByte: idleMs, idle: idleMs },
      },
      {
        onHead(status, headers) {
          location = headerText(headers, 'location')
          writer.head(status, headers)
        },
        onData(chunk) {
          if (!writer.data(chunk)) control.pause()
        },
        onEnd() {
          try {
            resolve({ status: writer.end(), location })
          } catch (error) {
            broken(error)
          }
        },
        onError: broken,
      },
    )
    client.listen({
      drained: () => control.resume(),
      gone() {
        control.abort()
        resolve({ status: 200, location: '' })
      },
    })
  })
}
