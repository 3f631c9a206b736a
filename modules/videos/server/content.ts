import { membersOf } from '#server/dialects/conversation/json.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { GuardedDownload } from '#server/lib/security/guarded-download.ts'
import { Unreachable } from '#server/lib/security/outgoing.ts'
import type { Client } from '#server/relay/call.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { type Headers, headerText, splitUrl } from '#server/relay/upstream/upstream.ts'
import { askProvider, type ProviderPlace, placeOf, providerHeaders, rootOf } from './ask-provider.ts'
import type { ContentSource, VideoVariant } from './providers/video-provider.ts'
import type { VideoStore } from './store.ts'
import { isKeepable, placeIn, type VideoRow } from './video.ts'

export interface ContentParts {
  readonly store: Pick<VideoStore, 'moved'>
  readonly download: GuardedDownload
}

/** Request of a client for a video, or a part of it. */
export interface ContentRequest {
  readonly variant: VideoVariant
  /** The `Range` header; undefined where the client wants all. */
  readonly range: string | undefined
}

const lookTimeoutMs = 30_000
const idleMs = 60_000

/** Types of videos and of their previews, none of which can hold scripts. */
const contentTypes = /^(video\/[\w.+-]+|image\/(png|jpeg|webp|gif)|application\/octet-stream)/

const usualType: Readonly<Record<VideoVariant, string>> = {
  video: 'video/mp4',
  thumbnail: 'image/webp',
  spritesheet: 'image/jpeg',
}

const failed = (cause?: unknown): AppError => new AppError('video_content_failed', cause === undefined ? {} : { cause })

const isContent = (status: number): boolean => status === 200 || status === 206

/** The head for the client: what tells bytes apart, and nothing else of the provider's. */
const headOf = (headers: Headers, variant: VideoVariant): string[] => {
  const [type = usualType[variant]] = contentTypes.exec(headerText(headers, 'content-type').toLowerCase()) ?? []
  const named = ['content-length', 'content-range', 'accept-ranges', 'last-modified', 'etag']
  return [
    'Content-Type',
    type === 'application/octet-stream' ? usualType[variant] : type,
    ...named.flatMap((name) => {
      const value = headerText(headers, name)
      return value === '' ? [] : [name, value]
    }),
  ]
}

/** Streams the content of videos from their providers: nothing of it is stored here, or held in memory. */
export const openContents = ({ store, download }: ContentParts) => {
  /** With the key, over the proxy of the channel. Answers its status: nothing was sent for those that are no content. */
  const pipeAsked = (
    place: ProviderPlace,
    path: string,
    { variant, range }: ContentRequest,
    { client, jobs }: { readonly client: Client; readonly jobs: ProviderJobs },
  ): Promise<{ readonly status: number; readonly location: string }> =>
    new Promise((resolve, reject) => {
      const own = providerHeaders(place, { method: 'GET', path })
      const { origin, path: target } = splitUrl(`${rootOf(place)}${path}`)
      let result = { status: 0, location: '' }
      const control = jobs.upstream.send(
        {
          method: 'GET',
          origin,
          path: target,
          headers: { ...own, 'accept-encoding': 'identity', ...(range === undefined ? {} : { range }) },
          body: undefined,
          proxy: place.channel.proxy,
          timeouts: { connect: idleMs, firstByte: idleMs, idle: idleMs },
        },
        {
          onHead(status, headers) {
            result = { status, location: headerText(headers, 'location') }
            if (isContent(status)) client.head(status, headOf(headers, variant))
          },
          onData(chunk) {
            if (isContent(result.status) && !client.write(chunk)) control.pause()
          },
          onEnd() {
            if (isContent(result.status)) client.end()
            resolve(result)
          },
          onError(error) {
            if (client.begun) client.abandon()
            reject(error)
          },
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
    client.head(status, headOf(headers, variant))
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

  /** Path below the channel of an address at its provider; undefined for an address elsewhere, which must not get the key. */
  const pathBelow = (url: string, { channel, provider, ...place }: ProviderPlace): string | undefined => {
    const root = rootOf({ provider, channel, ...place })
    for (const base of [root, channel.provider.baseUrl]) {
      const start = base.replace(/\/+$/, '')
      if (start !== '' && url.startsWith(`${start}/`)) return url.slice(start.length)
    }
    return undefined
  }

  const sourceUrl = async (source: ContentSource, place: ProviderPlace, jobs: ProviderJobs) => {
    if ('url' in source) return source.url
    if (!('urlIn' in source)) return undefined
    const { upstream } = jobs
    const answer = await askProvider(place, source.ask, { upstream, timeoutMs: lookTimeoutMs })
    return source.urlIn(membersOf(answer.json))
  }

  const fetchOnce = async (
    row: VideoRow,
    place: ProviderPlace,
    request: ContentRequest,
    to: { readonly client: Client; readonly jobs: ProviderJobs },
  ): Promise<boolean> => {
    const { provider } = place
    const source = provider.content({ upstreamId: row.upstream_id, place: placeIn(row) }, request.variant)
    if (source === undefined) throw new AppError('video_without_content', { params: { id: row.public_id } })
    const url = await sourceUrl(source, place, to.jobs)
    const path = url === undefined ? ('ask' in source ? source.ask.path : undefined) : pathBelow(url, place)
    if (path === undefined) return url !== undefined && isContent(await pipeUrl(url, request, to.client))
    const { status, location } = await pipeAsked(place, path, request, to)
    if (status >= 300 && status < 400 && location !== '')
      return isContent(await pipeUrl(new URL(location, `${rootOf(place)}${path}`).href, request, to.client))
    return isContent(status)
  }

  /** The video with the address that its provider states now: some are valid for minutes. undefined where it states none. */
  const lookAgain = async (row: VideoRow, place: ProviderPlace, jobs: ProviderJobs): Promise<VideoRow | undefined> => {
    const { upstream } = jobs
    const request = place.provider.look(row.upstream_id)
    const answer = await askProvider(place, request, { upstream, timeoutMs: lookTimeoutMs })
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
        if (await fetchOnce(row, place, request, { client, jobs })) return
        const moved = await lookAgain(row, place, jobs)
        if (moved !== undefined && (await fetchOnce(moved, place, request, { client, jobs }))) return
      } catch (error) {
        if (client.begun) return
        throw error instanceof AppError && error.code === 'video_without_content' ? error : failed(error)
      }
      throw failed()
    },
  }
}

export type Contents = ReturnType<typeof openContents>
