import { membersOf } from '#server/dialects/conversation/json.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { GuardedDownload } from '#server/lib/security/guarded-download.ts'
import { Unreachable } from '#server/lib/security/outgoing.ts'
import type { Client } from '#server/relay/call.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { askProvider, type ProviderNetwork, type ProviderPlace, placeOf, rootOf } from './ask-provider.ts'
import { pipeAsked } from './asked-content.ts'
import { type ContentRequest, contentHead, isContent } from './content-head.ts'
import type { ContentSource, ProviderAsk } from './providers/video-provider.ts'
import type { VideoStore } from './store.ts'
import { isKeepable, placeIn, type VideoRow } from './video.ts'

export interface ContentParts {
  readonly store: Pick<VideoStore, 'moved'>
  readonly download: GuardedDownload
}

const lookTimeoutMs = 30_000

const failed = (cause?: unknown): AppError => new AppError('video_content_failed', cause === undefined ? {} : { cause })

/** Streams the content of videos from their providers: nothing of it is stored here, or held in memory. */
export const openContents = ({ store, download }: ContentParts) => {
  /** From an address that the provider states: without the key, and only from public addresses. */
  const pipeUrl = async (url: string, { variant, range }: ContentRequest, client: Client): Promise<number> => {
    const leaving = new AbortController()
    let drained = Promise.withResolvers<void>()
    const { status, headers, body } = await download(url, {
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...(range === undefined ? {} : { range }) },
      signal: leaving.signal,
    })
    if (!isContent(status)) {
      await body.dump()
      return status
    }
    client.head(status, contentHead(headers, variant))
    client.listen({
      drained: () => drained.resolve(),
      gone() {
        leaving.abort()
        drained.resolve()
      },
    })
    try {
      for await (const chunk of body) {
        drained = Promise.withResolvers<void>()
        if (!client.write(chunk as Buffer)) await drained.promise
      }
      client.end()
    } catch (error) {
      if (leaving.signal.aborted) return status
      client.abandon()
      throw new Unreachable('the content broke off', { cause: error })
    }
    return status
  }

  /** Request for an address at its provider; undefined for an address elsewhere, which must not get the key. */
  const askFor = (url: string, place: ProviderPlace): ProviderAsk | undefined => {
    const root = rootOf(place, { path: '' })
    for (const base of [root, place.channel.provider.baseUrl]) {
      const start = base.replace(/\/+$/, '')
      if (start !== '' && url.startsWith(`${start}/`)) return { method: 'GET', path: url.slice(start.length) }
    }
    return undefined
  }

  const sourceUrl = async (source: ContentSource, place: ProviderPlace, network: ProviderNetwork) => {
    if ('url' in source) return source.url
    if (!('urlIn' in source)) return undefined
    const answer = await askProvider(place, source.ask, { network, timeoutMs: lookTimeoutMs })
    return source.urlIn(membersOf(answer.json))
  }

  const fetchOnce = async (
    row: VideoRow,
    place: ProviderPlace,
    request: ContentRequest,
    to: { readonly client: Client; readonly network: ProviderNetwork },
  ): Promise<boolean> => {
    const { provider } = place
    const source = provider.content({ upstreamId: row.upstream_id, place: placeIn(row) }, request.variant)
    if (source === undefined) throw new AppError('video_without_content', { params: { id: row.public_id } })
    if ('base64In' in source) return isContent((await pipeAsked(place, source, request, to)).status)
    const url = await sourceUrl(source, place, to.network)
    const ask = url === undefined ? ('ask' in source ? source.ask : undefined) : askFor(url, place)
    if (ask === undefined) return url !== undefined && isContent(await pipeUrl(url, request, to.client))
    const { status, location } = await pipeAsked(place, { ask }, request, to)
    if (status >= 300 && status < 400 && location !== '') {
      const from = new URL(location, `${rootOf(place, ask)}${ask.path}`).href
      return isContent(await pipeUrl(from, request, to.client))
    }
    return isContent(status)
  }

  /** The video with the address that its provider states now: some are valid for minutes. undefined where it states none. */
  const lookAgain = async (
    row: VideoRow,
    place: ProviderPlace,
    network: ProviderNetwork,
  ): Promise<VideoRow | undefined> => {
    const request = place.provider.look(row.upstream_id)
    const answer = await askProvider(place, request, { network, timeoutMs: lookTimeoutMs })
    const look = answer.status < 300 ? place.provider.readLook(answer.json) : undefined
    if (look?.state !== 'completed' || !isKeepable(look.place)) return undefined
    const result = JSON.stringify(look.place)
    if (result === row.result) return undefined
    await store.moved(row.id, result)
    return { ...row, result }
  }

  return {
    /** Sends the content of a finished video. Throws AppError where nothing of it was sent. */
    async send(row: VideoRow, request: ContentRequest, client: Client, jobs: ProviderJobs): Promise<void> {
      const place = placeOf(row, jobs)
      if (place === undefined) throw new AppError('video_without_content', { params: { id: row.public_id } })
      try {
        if (await fetchOnce(row, place, request, { client, network: jobs })) return
        const moved = await lookAgain(row, place, jobs)
        if (moved !== undefined && (await fetchOnce(moved, place, request, { client, network: jobs }))) return
      } catch (error) {
        if (client.begun) return
        throw error instanceof AppError && error.code === 'video_without_content' ? error : failed(error)
      }
      throw failed()
    },
  }
}

export type Contents = ReturnType<typeof openContents>
