import { openaiErrors } from '#server/dialects/openai-chat/errors.ts'
import { AppError } from '#server/lib/app-error.ts'
import type { ProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { placeOf } from './ask-provider.ts'
import type { Contents } from './content.ts'
import { openaiVideo, openaiVideos, panelSubmission, panelTask } from './present.ts'
import type { VideoVariant } from './providers/video-provider.ts'
import { removeVideo } from './remove-video.ts'
import { readRemixPrompt, readVideoRequest } from './requests/read-request.ts'
import type { VideoStore } from './store.ts'
import type { BegunVideo, Submissions } from './submit.ts'
import type { VideoCall, VideoRoute, VideoRow } from './video.ts'

export interface RouteParts {
  readonly store: VideoStore
  readonly submissions: Submissions
  readonly contents: Contents
  /** The gateway's part, once it stands. */
  readonly jobs: () => ProviderJobs
}

const publicId = /^video_[0-9a-f]{32}$/
const [usualPage, largestPage] = [20, 100]
const variants: readonly VideoVariant[] = ['video', 'thumbnail', 'spritesheet']

const missing = (id: string): AppError => new AppError('object_not_found', { params: { id: id.slice(0, 100) } })

/** Parameters of a list. Throws AppError. */
const listOf = (query: string): { after?: string; limit: number; order: 'asc' | 'desc' } => {
  const params = new URLSearchParams(query)
  const limit = Number(params.get('limit') ?? usualPage)
  if (!Number.isInteger(limit) || limit < 0 || limit > largestPage)
    throw new AppError('video_parameter_invalid', { params: { name: 'limit', detail: `0 to ${largestPage}` } })
  const after = params.get('after')
  const order = params.get('order') === 'asc' ? 'asc' : 'desc'
  if (after !== null && after !== '' && !publicId.test(after)) throw missing(after)
  return { limit, order, ...(after === null || after === '' ? {} : { after }) }
}

/** The calls of clients: OpenAI's videos, and the tasks of panels. */
export const videoRoutes = ({ store, submissions, contents, jobs }: RouteParts): readonly VideoRoute[] => {
  const found = async ({ params: [id = ''], caller }: VideoCall): Promise<VideoRow> => {
    const row = publicId.test(id) ? await store.find(id, caller) : undefined
    if (row === undefined) throw missing(id)
    return row
  }

  const finished = async (call: VideoCall): Promise<VideoRow> => {
    const row = await found(call)
    if (row.is_open === 1) throw new AppError('video_not_finished', { params: { id: row.public_id } })
    return row
  }

  const completed = async (call: VideoCall): Promise<VideoRow> => {
    const row = await finished(call)
    if (row.state !== 'completed') throw new AppError('video_without_content', { params: { id: row.public_id } })
    return row
  }

  const answer = (call: VideoCall, begun: BegunVideo, present: (row: VideoRow) => object): void => {
    if ('failure' in begun) call.sendFailure(begun.failure)
    else call.sendJson(200, JSON.stringify(present(begun.row)))
  }

  const create =
    (present: (row: VideoRow) => object) =>
    async (call: VideoCall): Promise<void> => {
      const raw = await call.body()
      const read = readVideoRequest(raw, call.context.request.headers['content-type'])
      answer(call, await submissions.begin(call, read, jobs()), present)
    }

  const price = async (call: VideoCall): Promise<void> => {
    const read = readVideoRequest(await call.body(), call.context.request.headers['content-type'])
    call.sendJson(200, JSON.stringify(submissions.price(call, read)))
  }

  const remix = async (call: VideoCall): Promise<void> => {
    const prompt = readRemixPrompt(await call.body())
    const row = await completed(call)
    const place = placeOf(row, jobs())
    const request = { prompt, seconds: row.duration_ms / 1000, size: row.size || undefined, remixOf: row.upstream_id }
    const bound = { channel: place?.channel, key: place?.key }
    const read = { model: row.model, request }
    answer(
      call,
      await submissions.begin(call, read, jobs(), { remix: { place: bound, publicId: row.public_id } }),
      openaiVideo,
    )
  }

  const content = async (call: VideoCall): Promise<void> => {
    const { context } = call
    const variant = new URLSearchParams(context.query).get('variant') ?? 'video'
    const known = variants.find((one) => one === variant)
    if (known === undefined)
      throw new AppError('video_parameter_invalid', { params: { name: 'variant', detail: variants.join(', ') } })
    const row = await completed(call)
    const { range } = context.request.headers
    await contents.send(row, { variant: known, range: range?.slice(0, 200) }, context.client, jobs())
  }

  const remove = async (call: VideoCall): Promise<void> => {
    const row = await finished(call)
    await removeVideo(row, { store, jobs: jobs() })
    call.sendJson(200, JSON.stringify({ id: row.public_id, object: 'video.deleted', deleted: true }))
  }

  const route = (
    method: VideoRoute['method'],
    path: RegExp,
    handle: (call: VideoCall) => void | Promise<void>,
  ): VideoRoute => ({ method, path, errors: openaiErrors, answer: async (call) => handle(call) })

  return [
    { ...route('POST', /^\/pg\/videos$/, create(openaiVideo)), playground: true },
    { ...route('POST', /^\/pg\/videos\/price$/, price), playground: true },
    route('POST', /^\/v1\/videos$/, create(openaiVideo)),
    route('GET', /^\/v1\/videos$/, async (call) => {
      const { rows, hasMore } = await store.list(call.caller, listOf(call.context.query))
      call.sendJson(200, JSON.stringify(openaiVideos(rows, hasMore)))
    }),
    route('GET', /^\/v1\/videos\/([^/]+)$/, async (call) =>
      call.sendJson(200, JSON.stringify(openaiVideo(await found(call)))),
    ),
    route('GET', /^\/v1\/videos\/([^/]+)\/content$/, content),
    route('DELETE', /^\/v1\/videos\/([^/]+)$/, remove),
    route('POST', /^\/v1\/videos\/([^/]+)\/remix$/, remix),
    route('POST', /^\/v1\/video\/generations$/, create(panelSubmission)),
    route('GET', /^\/v1\/video\/generations\/([^/]+)$/, async (call) => {
      const row = await found(call)
      const url = `${call.address()}/v1/videos/${row.public_id}/content`
      call.sendJson(200, JSON.stringify(panelTask(row, url)))
    }),
  ]
}
