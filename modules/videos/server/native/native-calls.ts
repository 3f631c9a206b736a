import { openaiErrors } from '#server/dialects/openai-chat/errors.ts'
import type { DirectCalls } from '#server/gateway/module-calls.ts'
import { AppError } from '#server/lib/app-error.ts'
import { isFenced } from '#server/relay/direct/direct-fence.ts'
import { withoutKey } from '#server/relay/upstream/redact.ts'
import { askProvider, placeOf } from '../ask-provider.ts'
import { nativeOf } from '../providers/index.ts'
import { kling } from '../providers/kling.ts'
import type { NativeBegin, VideoProvider } from '../providers/video-provider.ts'
import type { RouteParts } from '../routes.ts'
import type { VideoCall, VideoRoute } from '../video.ts'
import { readNativeVideo } from './read-native.ts'

/** Beginning of the addresses at which panels have Kling's calls, of the router of new-api. */
const klingPanel = '/kling'
const lookTimeoutMs = 30_000

interface NativeLook {
  readonly provider: VideoProvider
  readonly upstreamId: string
  /** Absent where the video may be at any channel. */
  readonly channelId?: number
}

const missing = (id: string): AppError => new AppError('object_not_found', { params: { id: id.slice(0, 100) } })

/** Calls in the shape of providers: through a channel that the client names, or, at the addresses of panels, through one that serves the model. */
export const openNativeCalls = ({ store, submissions, jobs, clock }: RouteParts & { readonly clock: () => number }) => {
  const begin = async (
    call: VideoCall,
    asked: { readonly provider: VideoProvider; readonly begin: NativeBegin; readonly asIs: boolean },
  ): Promise<void> => {
    const native = readNativeVideo(await call.body(), asked)
    const begun = await submissions.begin(call, native, jobs(), { native })
    if ('failure' in begun) call.sendFailure(begun.failure)
    else call.sendJson(begun.answer.status, begun.answer.bytes)
  }

  /** The provider's own answer about a video, for a key that may read it; false where there is no such video. */
  const look = async (call: VideoCall, { provider, upstreamId, channelId }: NativeLook): Promise<boolean> => {
    const row = await store.findNative({ provider: provider.name, upstreamId, channelId }, call.caller)
    const place = row && placeOf(row, jobs())
    if (row === undefined || place === undefined) return false
    const network = jobs()
    const answer = await askProvider(place, provider.look(upstreamId), { network, timeoutMs: lookTimeoutMs }).catch(
      (cause: unknown) => {
        throw new AppError('do_request_failed', { cause })
      },
    )
    const { status, json, text } = answer
    if (status === 401 || status === 403) throw new AppError('credentials_failed')
    const state = status < 300 ? provider.readLook(json)?.state : undefined
    // Its end is settled by what follows videos, which looks again at once.
    if (row.is_open === 1 && (state === 'completed' || state === 'failed'))
      await store.later(row, { nextAt: clock(), attempts: row.attempts })
    call.sendJson(status, withoutKey(Buffer.from(text), place.key))
    return true
  }

  const lookIn = async (call: VideoCall, at: NativeLook): Promise<void> => {
    if (!(await look(call, at))) throw missing(at.upstreamId.split('/').at(-1) ?? '')
  }

  const direct: DirectCalls = {
    takes({ channel, method, path }) {
      const provider = nativeOf(channel)
      if (provider === undefined) return false
      const { begins, lookedFor } = provider.native
      return method === 'POST'
        ? begins.some((one) => one.path === path)
        : method === 'GET' && lookedFor(path) !== undefined
    },
    async answer(call) {
      const { channel, path, context } = call
      const provider = nativeOf(channel)
      if (provider === undefined) return false
      if (context.request.method === 'GET') {
        const upstreamId = provider.native.lookedFor(path)
        if (upstreamId === undefined) return false
        const at = { provider, upstreamId, channelId: channel.id }
        if (isFenced(channel)) await lookIn(call, at)
        // An account that is shared is read by everybody who may call it.
        else return look(call, at)
        return true
      }
      const asked = provider.native.begins.find((one) => one.path === path)
      if (asked === undefined) return false
      await begin(call, { provider, begin: asked, asIs: true })
      return true
    },
  }

  const panelBegins = (kling.native?.begins ?? []).map((asked): VideoRoute => {
    const path = new RegExp(`^${klingPanel}${asked.path}$`)
    return {
      method: 'POST',
      path,
      errors: openaiErrors,
      answer: (call) => begin(call, { provider: kling, begin: asked, asIs: false }),
    }
  })
  const panelLook: VideoRoute = {
    method: 'GET',
    path: /^\/kling(\/v1\/videos\/[^/]+\/[^/]+)$/,
    errors: openaiErrors,
    async answer(call) {
      const upstreamId = kling.native?.lookedFor(call.context.path.slice(klingPanel.length))
      if (upstreamId === undefined) throw missing(call.params[0] ?? '')
      await lookIn(call, { provider: kling, upstreamId })
    },
  }
  return { direct, routes: [...panelBegins, panelLook] }
}
